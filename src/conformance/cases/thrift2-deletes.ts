/** Thrift 2: deletes of every type, with and without timestamps. */

import { type Case, numbered, type Request, type Scenario } from '../runner/case.ts'
import { combinations, type Fields, MAX } from './thrift-caller.ts'
import { call, column, family, filled, reading, table } from './thrift2-words.ts'

const T = 'conf_t2_deletes'

const TYPES = [undefined, 0, 1, 2, 3]
const COLUMNS: readonly (readonly Fields[] | undefined)[] = [
  undefined,
  [],
  [column('f')],
  [column('f', 'a')],
  [column('f', 'a', 2n)],
  [column('f', undefined, 2n)],
  [column('g', '')],
  [column('f', 'a', 2n), column('f', 'b', 1n), column('g')],
]
const TIMES = [undefined, 1n, 2n, MAX]

function typed(): Request[][] {
  return combinations(TYPES, COLUMNS, TIMES).map(([deleteType, columns, timestamp], index) => {
    const row = `d${index}`
    const tdelete = { row, columns, timestamp, deleteType }
    return [...filled(T, row), call('deleteSingle', T, tdelete), reading(T, row)]
  })
}

const FIELDS: readonly Fields[] = [
  { timestamp: -2n },
  { timestamp: 0n },
  { columns: [column('f', 'a', -2n)] },
  { columns: [column('f', 'a', 0n)] },
  { columns: [column('f', 'a', MAX)] },
  { columns: [column('f', 'a', 2n)], deleteType: 1, durability: 3 },
  ...[0, 1, 2, 4].map((durability) => ({ columns: [column('f', 'a')], durability })),
  { columns: [column('nof', 'a')] },
  { columns: [column('nof')], deleteType: 2 },
  { columns: [column('', 'a')] },
  { columns: [column('')], deleteType: 2 },
  { columns: [column('f', 'a'), column('nof', 'a')] },
  { columns: [column('f', 'a'), column('f', 'a')], deleteType: 0 },
  { attributes: { some: 'thing' } },
  { deleteType: 9 },
]

function others(): Request[][] {
  return FIELDS.map((fields, index) => {
    const row = `o${index}`
    return [...filled(T, row), call('deleteSingle', T, { row, ...fields }), reading(T, row)]
  })
}

const several: readonly (Request | readonly Request[])[] = [
  [
    ...filled(T, 'e1'),
    ...filled(T, 'e2'),
    call('deleteMultiple', T, [{ row: 'e1' }, { row: 'e2', columns: [column('f', 'a')] }]),
    reading(T, 'e1'),
    reading(T, 'e2'),
  ],
  [
    ...filled(T, 'e3'),
    call('deleteMultiple', T, [{ row: 'e3' }, { row: 'e4', columns: [column('nof', 'a')] }]),
    reading(T, 'e3'),
  ],
  [
    ...filled(T, 'e5'),
    call('deleteMultiple', T, [
      {
        row: 'e5',
        columns: [column('f', 'a', 2n)],
        deleteType: 0,
        timestamp: 2n,
        durability: 1,
        attributes: { a: 'b' },
      },
    ]),
    reading(T, 'e5'),
  ],
  [
    ...filled(T, 'e6'),
    call('deleteMultiple', T, [
      { row: 'e6', timestamp: 2n },
      { row: 'e6', timestamp: 1n },
    ]),
    reading(T, 'e6'),
  ],
  call('deleteMultiple', T, []),
  call('deleteMultiple', T, [{ row: '' }]),
  call('deleteMultiple', 'nope', [{ row: 'x' }]),
  call('deleteMultiple', 'nope', []),
  call('deleteSingle', T, { row: 'none' }),
  call('deleteSingle', T, { row: '' }),
  ...['nope', 'bad name', '', 'nons:x'].map((each) => call('deleteSingle', each, { row: 'x' })),
]

const cases: Case[] = [
  ...numbered('thrift2-delete', typed()),
  ...numbered('thrift2-delete-field', others()),
  ...numbered('thrift2-deletes', several),
]

export const thrift2Deletes: Scenario = {
  name: 'thrift2-deletes',
  tables: [T],
  namespaces: [],
  setup: [call('createTable', table(T, [family('f', { maxVersions: 5 }), family('g', { maxVersions: 5 })]))],
  cases,
}
