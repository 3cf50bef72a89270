/**
 * Batches leave the same bytes whether their plain cells are stored in one pass or not. A limit of timestamps that no cell exceeds keeps a
 * store from the one pass.
 */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CellType } from '../../../../src/model/cell.ts'
import type { Durability } from '../../../../src/model/mutation.ts'
import { LATEST_TIMESTAMP } from '../../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { SEED, testRuns } from '../../../harness/test-runs.ts'
import { changes } from '../../../store/differential/arbitrary-changes.ts'
import { batchOf } from '../../../store/differential/drawn-changes.ts'
import type { RowChange } from '../../../store/differential/step.ts'
import { StoreUnderTest, TABLE, tableOf } from '../store-under-test.ts'

const SLOP_MS = 4e15
const STEP_MS = 7

/** Without times that the limit refuses. */
const drawnChanges = changes.map((all) =>
  all.map((change) => ({
    ...change,
    cells: change.cells.map((cell) => {
      const isTooNew = cell.timestamp > 2n ** 51n && cell.timestamp < LATEST_TIMESTAMP
      return isTooNew ? { ...cell, timestamp: 2n ** 51n } : cell
    }),
  })),
)

/** Puts alone, as most batches are, in the order of their rows or in none. */
const plainPuts = fc
  .record({
    rows: fc.array(fc.integer({ min: 0, max: 300 }), { minLength: 1, maxLength: 80 }),
    isInOrder: fc.boolean(),
    families: fc.constantFrom(['f'], ['f', 'g']),
    durability: fc.constantFrom<Durability>('USE_DEFAULT', 'SKIP_WAL', 'FSYNC_WAL'),
    timestamp: fc.constantFrom(LATEST_TIMESTAMP, 5n),
    type: fc.constantFrom(CellType.Put, CellType.Put, CellType.Delete, CellType.DeleteColumn),
    odd: fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: fc.nat(79) }),
  })
  .map(({ rows, isInOrder, families, durability, timestamp, type, odd }): RowChange[] =>
    (isInOrder ? rows.toSorted((a, b) => a - b) : rows).map((row, i) => ({
      row: `row${String(row).padStart(9, '0')}`,
      durability,
      ttlMs: i === odd ? 1000 : undefined,
      cells: families.map((family) => ({
        family: i + 1 === odd ? 'none' : family,
        qualifier: 'q',
        type,
        timestamp,
        value: `v${i}`,
      })),
    })),
  )

interface Step {
  readonly changes: readonly RowChange[]
  /** Changes go to one region; rows of others are refused. */
  readonly toRegion: boolean
  readonly flushes: boolean
}

const steps = fc.array(
  fc.record({
    changes: fc.oneof(drawnChanges, plainPuts),
    toRegion: fc.boolean(),
    flushes: fc.nat(5).map((n) => n === 0),
  }),
  { minLength: 1, maxLength: 8 },
)

/** `spoils`: the batch's memory gets other bytes once the store states that it has copied the cells. */
async function made(store: StoreUnderTest, step: Step, spoils: boolean): Promise<string[]> {
  const { rows, catalog } = store.store
  const [first] = await catalog.regions(TABLE, OWN_CALL)
  store.time += STEP_MS
  const batch = batchOf(step.changes)
  const failures = await rows.mutate(step.toRegion ? first! : TABLE, batch, OWN_CALL)
  expect(batch.isCopied).toBe(true)
  if (spoils) batch.cells.buffer.fill(0xee)
  if (step.flushes) await store.flush()
  return failures.map(({ index, error }) => `${index} ${error.code} ${error.message}`)
}

function bytesOf({ fileSystem }: StoreUnderTest): [string, string][] {
  return fileSystem.paths().map((path) => [path, fileSystem.bytesOf(path).toString('latin1')])
}

async function opened(timestampSlopMs: number, splitKeys: readonly string[]): Promise<StoreUnderTest> {
  const store = await StoreUnderTest.open({ timestampSlopMs })
  await store.createTable(tableOf('f', 'g'), splitKeys)
  return store
}

test('batches of every form', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.constantFrom([], ['row000000100', 'row000000200']), async (all, splitKeys) => {
      const onePass = await opened(Number.POSITIVE_INFINITY, splitKeys)
      const oneByOne = await opened(SLOP_MS, splitKeys)
      for (const step of all) {
        expect(await made(onePass, step, true)).toEqual(await made(oneByOne, step, false))
        expect(bytesOf(onePass)).toEqual(bytesOf(oneByOne))
      }
      for (const each of [onePass, oneByOne]) await each.flush()
      expect(bytesOf(onePass)).toEqual(bytesOf(oneByOne))
      for (const { store } of [onePass, oneByOne]) await store.close()
    }),
    { numRuns: testRuns(25), ...(SEED !== undefined && { seed: SEED }) },
  )
})
