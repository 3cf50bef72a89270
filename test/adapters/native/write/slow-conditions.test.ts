/** Conditions that take several turns of the event loop, by a clock that moves ten milliseconds at each look at it. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openNativeStore } from '../../../../adapters/native/open-native-store.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import type { Comparator, Filter } from '../../../../src/model/filter.ts'
import { type Condition, MutationBatch, type RowOperation } from '../../../../src/model/mutation.ts'
import { get } from '../../../../src/model/query.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { CrashableFileSystem } from '../../../harness/simulation/crashable-file-system.ts'
import { TABLE, tableOf } from '../store-under-test.ts'

const [ROW, OTHER, FAMILY, COLUMN] = ['r', 'other', 'f', 'q'].map((text) => Buffer.from(text)) as [
  Buffer,
  Buffer,
  Buffer,
  Buffer,
]
const OPTIONS = { durability: 'USE_DEFAULT' } as const
const LARGE = `${'x'.repeat(2 << 20)}END`
const HAS_END: Comparator = { kind: 'SubstringComparator', substring: 'end' }
const NO_END: Filter = {
  kind: 'ValueFilter',
  operator: 'EQUAL',
  comparator: { ...HAS_END, substring: 'no end' },
}
const ENDS: Filter = { kind: 'ValueFilter', operator: 'EQUAL', comparator: HAS_END }
const BY_FILTER: Condition = {
  kind: 'filter',
  filter: { kind: 'FilterList', operator: 'MUST_PASS_ONE', filters: [NO_END, NO_END, ENDS] },
}
const BY_COLUMN: Condition = {
  kind: 'column',
  family: FAMILY,
  qualifier: COLUMN,
  operator: 'EQUAL',
  comparator: HAS_END,
}

/** Pauses hundreds of times. */
const SLOW: Condition = {
  kind: 'filter',
  filter: {
    kind: 'FilterList',
    operator: 'MUST_PASS_ONE',
    filters: [...Array.from({ length: 200 }, () => NO_END), ENDS],
  },
}

let store: Store
let fileSystem: CrashableFileSystem

function put(row: Buffer, value: string): RowOperation {
  const batch = new MutationBatch()
  batch.put(row, FAMILY, COLUMN, Buffer.from(value))
  return { kind: 'mutate', cells: batch.cells.block() }
}

async function putNow(row: Buffer, value: string): Promise<void> {
  const batch = new MutationBatch()
  batch.put(row, FAMILY, COLUMN, Buffer.from(value)).endMutation()
  expect(await store.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
}

async function valueOf(row: Buffer): Promise<string | undefined> {
  const { cells } = await store.rows.get(TABLE, [get(row)], { bytes: 1 << 28 }, OWN_CALL)
  return cellsOf(cells)[0]?.value.toString()
}

beforeEach(async () => {
  let ms = 0
  fileSystem = new CrashableFileSystem()
  store = await openNativeStore({
    directory: '/s',
    fileSystem,
    clock: { now: () => 1_700_000_000_000, monotonicMs: () => (ms += 10) },
    random: Math.random,
    options: { poisonReleased: true },
  })
  await store.catalog.createTable(tableOf('f'), [], OWN_CALL)
  await putNow(ROW, LARGE)
})

afterEach(() => store.close())

test.each([
  ['a filter', BY_FILTER],
  ['a column', BY_COLUMN],
])('by %s let others have their turn, but for changes of the row', async (_, condition) => {
  const ended: string[] = []
  const checked = store.rows
    .mutateRow(TABLE, { row: ROW, condition, operations: [put(ROW, 'checked')], options: OPTIONS }, OWN_CALL)
    .then(({ applied }) => ended.push(`checked ${applied}`))
  const later = putNow(ROW, 'later').then(() => ended.push('later'))
  const added = store.rows
    .mutateRow(TABLE, { row: ROW, operations: [put(ROW, 'last')], options: OPTIONS }, OWN_CALL)
    .then(() => ended.push('last'))
  await putNow(OTHER, 'other')
  ended.push('other')
  expect(await valueOf(ROW)).toBe(LARGE)
  await Promise.all([checked, later, added])
  // One commit of the log ends the three changes of the row, whose promises run in any order.
  expect(ended[0]).toBe('other')
  expect(ended).toContain('checked true')
  expect(await valueOf(ROW)).toBe('last')
})

test('of several rows lock them all until the change is made', async () => {
  const checked = store.rows.mutateRows(
    TABLE,
    {
      parts: [
        { row: ROW, condition: BY_FILTER, operations: [put(ROW, 'checked')], options: OPTIONS },
        { row: OTHER, operations: [put(OTHER, 'checked')], options: OPTIONS },
      ],
    },
    OWN_CALL,
  )
  const later = putNow(OTHER, 'later')
  expect(await checked).toBe(true)
  expect(await valueOf(ROW)).toBe('checked')
  await later
  expect(await valueOf(OTHER)).toBe('later')
})

test('that fail give up their locks', async () => {
  const condition: Condition = {
    kind: 'filter',
    filter: {
      kind: 'ValueFilter',
      operator: 'EQUAL',
      comparator: {
        kind: 'RegexStringComparator',
        pattern: '(?=x)(x*)*y',
        flags: 0,
        charset: 'UTF-8',
        engine: 'JAVA',
      },
    },
  }
  await putNow(ROW, 'x'.repeat(3000))
  const checked = store.rows.mutateRow(
    TABLE,
    { row: ROW, condition, operations: [put(ROW, 'checked')], options: OPTIONS },
    OWN_CALL,
  )
  await expect(checked).rejects.toMatchObject({ code: 'DO_NOT_RETRY' })
  await putNow(ROW, 'later')
  expect(await valueOf(ROW)).toBe('later')
})

test('do not hold on cells that the log refuses meanwhile', async () => {
  await putNow(ROW, 'before')
  fileSystem.failAppends({ after: 0, writtenBytes: 0 })
  const refused = putNow(ROW, LARGE)
  const checked = store.rows.mutateRow(
    TABLE,
    { row: ROW, condition: BY_FILTER, operations: [put(ROW, 'checked')], options: OPTIONS },
    OWN_CALL,
  )
  const outcomes = Promise.allSettled([refused, checked])
  await expect(refused).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  fileSystem.repair()
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(checked).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(await valueOf(ROW)).toBe('before')
})

test.each([
  ['a filter', ENDS],
  ['a column', undefined],
])('of a second row by %s see it though its region gives way to others meanwhile', async (_, filter) => {
  const small = `${'x'.repeat(1 << 17)}END`
  await putNow(ROW, small)
  await putNow(OTHER, 'END')
  const isAbsent: Condition = {
    kind: 'column',
    family: FAMILY,
    qualifier: COLUMN,
    operator: 'EQUAL',
    comparator: undefined,
  }
  let ended = false
  const checked = store.rows
    .mutateRows(
      TABLE,
      {
        parts: [
          { row: ROW, condition: SLOW, operations: [put(ROW, 'checked')], options: OPTIONS },
          {
            row: OTHER,
            condition: filter === undefined ? isAbsent : { kind: 'filter', filter },
            operations: [],
            options: OPTIONS,
          },
        ],
      },
      OWN_CALL,
    )
    .finally(() => {
      ended = true
    })
  await store.upkeep.regions!.splitTable(TABLE, Buffer.from('s'), OWN_CALL)
  expect(ended).toBe(false)
  expect(await checked).toBe(filter !== undefined)
  expect(await valueOf(ROW)).toBe(filter === undefined ? small : 'checked')
})

test('let changes of rows of other tables pass that have the same key', async () => {
  const other = parseTableName('other')
  await store.catalog.createTable(tableDescriptor(other, [familyDescriptor('f')]), [], OWN_CALL)
  await putNow(ROW, LARGE)
  const order: string[] = []
  const checked = store.rows
    .mutateRow(
      TABLE,
      { row: ROW, operations: [put(ROW, 'new')], condition: SLOW, options: OPTIONS },
      OWN_CALL,
    )
    .then(() => order.push('checked'))
  const batch = new MutationBatch()
  batch.put(ROW, FAMILY, COLUMN, ROW).endMutation()
  const ofOthers = [
    store.rows.mutate(other, batch, OWN_CALL),
    store.rows.mutateRow(other, { row: ROW, operations: [put(ROW, 'new')], options: OPTIONS }, OWN_CALL),
  ].map((change) => change.then(() => order.push('other')))
  await Promise.all([checked, ...ofOthers])
  expect(order).toEqual(['other', 'other', 'checked'])
})
