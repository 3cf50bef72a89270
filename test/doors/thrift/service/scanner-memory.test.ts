/** Results that scanners have fetched ahead count in the memory for requests until they are handed out, or the scanner ends. */

import { expect, test } from 'vitest'
import { ScannerPages } from '../../../../src/doors/thrift/service/scanner-pages.ts'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ListedScanner, listed } from './listed-scanner.ts'

const ALL = ['a1', 'b3', 'c2', 'd1', 'e4', 'f1', 'g2']
const AHEAD = { caching: 100, answerBytesMax: 1_000_000, allowScattered: false }
const PLENTY = 1 << 30

function pagesOf(scanner: ListedScanner, memory: MemoryBudget): ScannerPages {
  return new ScannerPages(scanner, scanner, { ...AHEAD, memory })
}

test('a scanner reads ahead, and what it holds counts until it is handed out', async () => {
  const memory = new MemoryBudget(PLENTY)
  const pages = pagesOf(new ListedScanner(ALL), memory)
  expect(listed(await pages.next(1, OWN_CALL))).toEqual(['a1'])
  expect(memory.granted).toBeGreaterThan(0)
  await pages.next(100, OWN_CALL)
  expect(memory.granted).toBe(0)
})

test('a closed scanner gives back its memory, and its loan', async () => {
  const memory = new MemoryBudget(PLENTY)
  const scanner = new ListedScanner(ALL)
  const pages = pagesOf(scanner, memory)
  await pages.next(1, OWN_CALL)
  await pages.close()
  expect(memory.granted).toBe(0)
  expect(scanner.closed).toBeGreaterThan(0)
})

test('a scanner that is closed while it reads holds nothing afterwards', async () => {
  const memory = new MemoryBudget(PLENTY)
  const pages = pagesOf(new ListedScanner(ALL), memory)
  const reading = pages.next(1, OWN_CALL)
  await pages.close()
  await reading.catch(() => undefined)
  expect(memory.granted).toBe(0)
})

test('where little memory is free, nothing is fetched that the call does not ask for', async () => {
  const memory = new MemoryBudget(1000)
  const scanner = new ListedScanner(ALL)
  const pages = pagesOf(scanner, memory)
  expect(listed(await pages.next(2, OWN_CALL))).toEqual(['a1', 'b3'])
  expect(scanner.asked.map(({ rows }) => rows)).toEqual([2])
  expect(memory.granted).toBe(0)
  expect(listed(await pages.next(100, OWN_CALL))).toEqual(ALL.slice(2))
})
