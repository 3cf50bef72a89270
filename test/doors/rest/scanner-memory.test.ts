/** What stateful scanners have read ahead counts in the memory of requests until their clients have read it. */

import { expect, test } from 'vitest'
import { CellStream } from '../../../src/doors/rest/service/cell-stream.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Handouts } from '../../../src/store/handouts.ts'
import { ListedScanner } from '../thrift/service/listed-scanner.ts'

const ALL = ['a1', 'b3', 'c2']
const CELLS = 6
const LIMITS = { rows: 1000, bytes: 1_000_000, allowPartial: false }

function streamOf(scanner: ListedScanner, memory: MemoryBudget): CellStream {
  const resumable = {
    next: scanner.next.bind(scanner),
    close: scanner.close.bind(scanner),
    resumeAfter: async () => undefined,
  }
  return new CellStream(scanner as unknown as Handouts, resumable, LIMITS, memory)
}

test('a scanner reads ahead, and gives back what its client has read', async () => {
  const memory = new MemoryBudget(1 << 30)
  const stream = streamOf(new ListedScanner(ALL), memory)
  expect(await stream.next(OWN_CALL)).toBe(true)
  stream.releaseIfRead()
  expect(memory.granted).toBeGreaterThan(0)
  for (let cell = 1; cell < CELLS; cell++) expect(await stream.next(OWN_CALL)).toBe(true)
  stream.releaseIfRead()
  expect(memory.granted).toBe(0)
  expect(await stream.next(OWN_CALL)).toBe(false)
})

test('a cell that was put back is kept', async () => {
  const memory = new MemoryBudget(1 << 30)
  const stream = streamOf(new ListedScanner(['a1']), memory)
  await stream.next(OWN_CALL)
  stream.putBack()
  stream.releaseIfRead()
  expect(memory.granted).toBeGreaterThan(0)
  expect(await stream.next(OWN_CALL)).toBe(true)
  expect(stream.row().toString()).toBe('a')
})

test('closing gives all back', async () => {
  const memory = new MemoryBudget(1 << 30)
  const stream = streamOf(new ListedScanner(ALL), memory)
  await stream.next(OWN_CALL)
  await stream.close()
  expect(memory.granted).toBe(0)
})

test('where little memory is free, it reads ahead by single rows', async () => {
  const scanner = new ListedScanner(ALL)
  const stream = streamOf(scanner, new MemoryBudget(1_000_000))
  await stream.next(OWN_CALL)
  expect(scanner.asked.map(({ rows }) => rows)).toEqual([1])
})
