/** A replay lets the event loop turn. Its work between two turns is counted in bytes and cells, not in time. */

import { expect, it } from 'vitest'
import type { Region } from '../../../adapters/native/region/region.ts'
import { ReplayedCells } from '../../../adapters/native/region/replayed-cells.ts'
import { readEachRecord } from '../../../adapters/native/wal/log-reader.ts'
import { encodeLogHeader, recordBytes, sealRecord } from '../../../adapters/native/wal/wal-format.ts'
import { blockOf, type CellBlock } from '../../../src/model/cell-block.ts'
import { LoopTurns } from '../../../src/model/loop-turns.ts'
import { STEP_ELEMENTS, type Steps } from '../../../src/model/steps.ts'
import { numbered, StoreUnderTest, tableOf } from './store-under-test.ts'

const KIB = 1024

function cells(count: number, valueBytes: number): CellBlock {
  const [family, qualifier, value] = [Buffer.from('f'), Buffer.from('q'), Buffer.alloc(valueBytes, 1)]
  const key = { family, qualifier, timestamp: 1n, type: 4, value, tags: Buffer.alloc(0) }
  return blockOf(numbered(count).map((row) => ({ ...key, row: Buffer.from(row) })))
}

function logOf(blocks: readonly CellBlock[]): Buffer {
  const records = blocks.map((block, index) => {
    const record = Buffer.alloc(recordBytes(block.byteLength))
    block.buffer.copy(record, recordBytes(0), block.start, block.end)
    sealRecord(record, 0, record.length, index + 1, 1)
    return record
  })
  return Buffer.concat([encodeLogHeader(1), ...records])
}

/** The most that `work` grows by in one of the steps. */
function most(steps: Steps<unknown>, work: () => number): number {
  let [greatest, before, isDone] = [0, work(), false]
  while (!isDone) {
    isDone = steps.next().done === true
    greatest = Math.max(greatest, work() - before)
    before = work()
  }
  return greatest
}

const EXPECTED = { number: 1, bytes: undefined, mayBeTorn: true, mayLackHeader: false, lastSequenceId: 0 }

it('few bytes of a log are read in a step', () => {
  const one = cells(3, 50)
  const log = logOf(Array.from({ length: 5000 }, () => one))
  let bytes = 0
  const steps = readEachRecord(log, '/log', EXPECTED, (record) => {
    bytes += record.cells.byteLength
    return undefined
  })
  expect(most(steps, () => bytes)).toBeLessThan(64 * KIB)
  expect(bytes).toBe(5000 * one.byteLength)
})

it('a log that is damaged at its beginning is searched for marks in steps', () => {
  const log = logOf([cells(20_000, 100)])
  log[100]! ^= 1
  let count = 0
  const steps = readEachRecord(log, '/log', EXPECTED, () => undefined)
  while (steps.next().done !== true) count++
  expect(count).toBeGreaterThanOrEqual(Math.floor(log.length / (256 * KIB)))
})

/** A region that counts what it is given. */
function counting(): {
  readonly region: Region
  readonly inserted: () => number
  readonly bytes: () => number
} {
  let [inserted, bytes] = [0, 0]
  const insertCell = (buffer: Buffer, cell: number): void => {
    inserted++
    bytes += buffer.readInt32BE(cell - 4)
  }
  const region = {
    insertCell,
    get memstoreBytes() {
      return bytes
    },
  } as unknown as Region
  return { region, inserted: () => inserted, bytes: () => bytes }
}

it.each([
  ['many small cells', 20_000, 10],
  ['some large cells', 200, 100 * KIB],
])('%s are put into the memstores in steps', (_, count, valueBytes) => {
  const { region, inserted, bytes } = counting()
  const replayed = new ReplayedCells(() => undefined)
  const block = cells(count, valueBytes)
  expect(replayed.add(region, block, 1)).toBe(block.end)
  const steps = replayed.insertAll()
  let [mostBytes, before] = [0, 0]
  const mostCells = most(steps, () => {
    mostBytes = Math.max(mostBytes, bytes() - before)
    before = bytes()
    return inserted()
  })
  expect(mostCells).toBeLessThanOrEqual(STEP_ELEMENTS)
  expect(mostBytes).toBeLessThanOrEqual(256 * KIB + 8 * (valueBytes + 100))
  expect(inserted()).toBe(count)
})

it('a record with more cells than are gathered at a time is put in by parts', () => {
  const { region, inserted } = counting()
  const replayed = new ReplayedCells(() => undefined, 64)
  const block = cells(200, 1)
  let at = block.start
  let rounds = 0
  for (; (at = replayed.add(region, block, 1, at)) < block.end; rounds++)
    most(replayed.insertAll(), () => inserted())
  most(replayed.insertAll(), () => inserted())
  expect([rounds, inserted()]).toEqual([3, 200])
})

it('the event loop turns while a start replays its log', async () => {
  const session = await StoreUnderTest.open()
  await session.createTable(tableOf('f'))
  const rows = numbered(3000)
  for (let at = 0; at < rows.length; at += 10)
    await session.put(rows.slice(at, at + 10), { value: 'v'.repeat(KIB) })
  // Each look at the clock is a second later: every step ends its turn.
  let now = 0
  let rounds = 0
  let isOpen = false
  const count = (): void => {
    rounds++
    if (!isOpen) setImmediate(count)
  }
  setImmediate(count)
  const next = await session.killed({}, new LoopTurns(() => (now += 1000)))
  isOpen = true
  expect(rounds).toBeGreaterThan((rows.length * KIB) / (64 * KIB))
  expect(await next.rows()).toHaveLength(rows.length)
  await next.store.close()
})
