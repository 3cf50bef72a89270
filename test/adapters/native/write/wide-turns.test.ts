/** Changes with very many cells: no turn of the event loop takes longer than a tenth of a second. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch, type RowOperation, type RowPart } from '../../../../src/model/mutation.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { longestTurnOfBestTry } from '../longest-turn.ts'
import { TABLE } from '../store-under-test.ts'

const TURN_MS_MAX = 100
const [ROW, COUNTERS, FAMILY] = ['row', 'counters', 'f'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
]
const OPTIONS = { durability: 'USE_DEFAULT' } as const
const COLUMNS = 40_000
const READ_COLUMNS = 10_000

let store: Store

/** One cell of each of so many columns, in an order that is not theirs. */
function cells(row: Buffer, count: number, value: Buffer, type: CellType = CellType.Put): CellBlockBuilder {
  const made = new CellBlockBuilder(count * 64)
  for (let i = 0; i < count; i++) {
    const qualifier = Buffer.from(String((i * 7919) % count).padStart(7, '0'))
    made.append(row, FAMILY, qualifier, LATEST_HIGH, LATEST_LOW, type, value)
  }
  return made
}

function batchOf(made: CellBlockBuilder): MutationBatch {
  const batch = new MutationBatch(made.buffer)
  batch.cells.length = made.length
  batch.endMutation()
  return batch
}

const change = (operation: RowOperation, row: Buffer) => ({ row, operations: [operation], options: OPTIONS })
const value = Buffer.from('value')
const one = Buffer.from([0, 0, 0, 0, 0, 0, 0, 1])
const put = batchOf(cells(ROW, COLUMNS, value))
const deletes = batchOf(cells(ROW, READ_COLUMNS, Buffer.alloc(0), CellType.Delete))
const rowPut: RowOperation = { kind: 'mutate', cells: cells(ROW, COLUMNS, value).block() }
const increment: RowOperation = { kind: 'increment', cells: cells(COUNTERS, READ_COLUMNS, one).block() }
const append: RowOperation = { kind: 'append', cells: cells(ROW, READ_COLUMNS, value).block() }
const parts: RowPart[] = Array.from({ length: READ_COLUMNS }, (_, index) => {
  const row = Buffer.from(`row${index}`)
  return change({ kind: 'mutate', cells: cells(row, 1, value).block() }, row)
})
const condition = {
  kind: 'column',
  family: FAMILY,
  qualifier: FAMILY,
  operator: 'EQUAL',
  comparator: undefined,
} as const

beforeAll(async () => {
  store = await openNativeStore({
    directory: '/s',
    fileSystem: new CrashableFileSystem(),
    clock: { now: () => Date.now(), monotonicMs: () => performance.now() },
    random: Math.random,
  })
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
})

afterAll(() => store.close())

const kinds: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['a put', () => store.rows.mutate(TABLE, put, OWN_CALL)],
  ['a change of a row', () => store.rows.mutateRow(TABLE, change(rowPut, ROW), OWN_CALL)],
  ['a checked change', () => store.rows.mutateRow(TABLE, { ...change(rowPut, ROW), condition }, OWN_CALL)],
  ['deletes of newest versions', () => store.rows.mutate(TABLE, deletes, OWN_CALL)],
  ['increments', () => store.rows.mutateRow(TABLE, change(increment, COUNTERS), OWN_CALL)],
  ['appends', () => store.rows.mutateRow(TABLE, change(append, ROW), OWN_CALL)],
  ['a change of many rows', () => store.rows.mutateRows(TABLE, { parts }, OWN_CALL)],
]

test.each(kinds)('%s', async (_, work) => {
  expect(await longestTurnOfBestTry(TURN_MS_MAX, work)).toBeLessThan(TURN_MS_MAX)
})
