/** The lifetimes of Thrift 1's and Thrift 2's scanners, also of those that were read to their ends. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { StubClient } from '../../../harness/thrift-stubs.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

let server: ThriftServer
let thrift1: StubClient
let thrift2: StubClient

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
  server = await startThriftServer({ scannersMax: 2 })
  thrift1 = server.thrift1()
  thrift2 = server.thrift2()
  await thrift1['createTable']!('t', [{ name: 'f' }])
  for (const row of ['a', 'b', 'c', 'd']) {
    await thrift1['mutateRow']!('t', row, [{ column: 'f:q', value: row }], {})
  }
})

afterEach(async () => {
  await server.close()
  vi.useRealTimers()
})

function open1(): Promise<number> {
  return thrift1['scannerOpenWithScan']!('t', { caching: 1 }, {}) as Promise<number>
}
async function read1(id: number): Promise<number> {
  return ((await thrift1['scannerGetList']!(id, 1)) as unknown[]).length
}
async function read2(id: number): Promise<number> {
  return ((await thrift2['getScannerRows']!(id, 1)) as unknown[]).length
}

// HBase 2.6.1: a scanner survives a pause of 75 or 110 s, not one of 135 s.
test('Thrift 1 keeps a scanner for twice the time of Thrift 2', async () => {
  const one = await open1()
  for (const pauseMs of [75_000, 110_000]) {
    expect(await read1(one)).toBe(1)
    await vi.advanceTimersByTimeAsync(pauseMs)
  }
  expect(await read1(one)).toBe(1)
  const two = (await thrift2['openScanner']!('t', { caching: 1 })) as number
  await vi.advanceTimersByTimeAsync(59_000)
  expect(await read2(two)).toBe(1)
  await vi.advanceTimersByTimeAsync(61_000)
  await expect(read2(two)).rejects.toMatchObject({ name: 'TIllegalArgument' })
  await vi.advanceTimersByTimeAsync(15_000)
  await expect(read1(one)).rejects.toMatchObject({ name: 'IllegalArgument' })
})

test('a scanner of Thrift 1 that was read to its end holds no place, and answers as before until it is closed', async () => {
  const ended: number[] = []
  for (let i = 0; i < 6; i++) {
    const id = await open1()
    for (const rows of [1, 1, 1, 1, 0]) expect(await read1(id)).toBe(rows)
    ended.push(id)
  }
  const kept = [await open1(), await open1()]
  for (const id of ended) {
    expect(await read1(id)).toBe(0)
    await thrift1['scannerClose']!(id)
    await expect(thrift1['scannerClose']!(id)).rejects.toMatchObject({ name: 'IllegalArgument' })
  }
  for (const id of kept) expect(await read1(id)).toBe(1)
})

test('a scanner of Thrift 2 that was read to its end holds no place, and answers as before until it is closed', async () => {
  const ended: number[] = []
  for (let i = 0; i < 6; i++) {
    const id = (await thrift2['openScanner']!('t', { caching: 10 })) as number
    for (const rows of [1, 1, 1, 1, 0]) expect(await read2(id)).toBe(rows)
    ended.push(id)
  }
  const kept = [await thrift2['openScanner']!('t', {}), await thrift2['openScanner']!('t', {})] as number[]
  for (const id of ended) {
    expect(await read2(id)).toBe(0)
    await thrift2['closeScanner']!(id)
    await expect(read2(id)).rejects.toMatchObject({ name: 'TIllegalArgument' })
  }
  for (const id of kept) expect(await read2(id)).toBe(1)
})
