/** Thrift 2: deletes of every type, with and without timestamps. */

import type { Case, Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import { requestWords } from '../runner/request-words.ts'
import { combinations, type Fields, MAX } from './thrift-caller.ts'
import { call, column, family, filled, reading, table } from './thrift2-words.ts'

const T = 'conf_t2_deletes'

type Labelled<T> = readonly (readonly [label: string, value: T | undefined])[]

const TYPES: Labelled<number> = [
  ['default type', undefined],
  ['column', 0],
  ['columns', 1],
  ['family', 2],
  ['family version', 3],
]
const COLUMNS: Labelled<readonly Fields[]> = [
  ['row', undefined],
  ['no column', []],
  ['f', [column('f')]],
  ['f:a', [column('f', 'a')]],
  ['f:a at 2', [column('f', 'a', 2n)]],
  ['f at 2', [column('f', undefined, 2n)]],
  ['empty qualifier', [column('g', '')]],
  ['several', [column('f', 'a', 2n), column('f', 'b', 1n), column('g')]],
]
const TIMES = [undefined, 1n, 2n, MAX]

function typed(): NamedCase[] {
  return combinations(TYPES, COLUMNS, TIMES).map(
    ([[type, deleteType], [label, columns], timestamp], index) => {
      const row = `d${index}`
      const tdelete = { row, columns, timestamp, deleteType }
      const time = timestamp === undefined ? 'without timestamp' : `timestamp ${timestamp}`
      return named(`${type} of ${label} ${time}`, [
        ...filled(T, row),
        call('deleteSingle', T, tdelete),
        reading(T, row),
      ])
    },
  )
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

function others(): NamedCase[] {
  return FIELDS.map((fields, index) => {
    const row = `o${index}`
    const label = requestWords(call('deleteSingle', T, fields)).replace('deleteSingle ', '')
    return named(label, [...filled(T, row), call('deleteSingle', T, { row, ...fields }), reading(T, row)])
  })
}

const several: readonly Listed[] = [
  named('two rows', [
    ...filled(T, 'e1'),
    ...filled(T, 'e2'),
    call('deleteMultiple', T, [{ row: 'e1' }, { row: 'e2', columns: [column('f', 'a')] }]),
    reading(T, 'e1'),
    reading(T, 'e2'),
  ]),
  named('unknown family in one of two', [
    ...filled(T, 'e3'),
    call('deleteMultiple', T, [{ row: 'e3' }, { row: 'e4', columns: [column('nof', 'a')] }]),
    reading(T, 'e3'),
  ]),
  named('every field', [
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
  ]),
  named('one row twice', [
    ...filled(T, 'e6'),
    call('deleteMultiple', T, [
      { row: 'e6', timestamp: 2n },
      { row: 'e6', timestamp: 1n },
    ]),
    reading(T, 'e6'),
  ]),
  call('deleteMultiple', T, []),
  call('deleteMultiple', T, [{ row: '' }]),
  call('deleteMultiple', 'nope', [{ row: 'x' }]),
  call('deleteMultiple', 'nope', []),
  call('deleteSingle', T, { row: 'none' }),
  call('deleteSingle', T, { row: '' }),
  ...['nope', 'bad name', '', 'nons:x'].map((each) => call('deleteSingle', each, { row: 'x' })),
]

const cases: Case[] = [
  ...listed('thrift2-delete', typed()),
  ...listed('thrift2-delete-field', others()),
  ...listed('thrift2-deletes', several),
]

export const thrift2Deletes: Scenario = {
  name: 'thrift2-deletes',
  tables: [T],
  namespaces: [],
  setup: [call('createTable', table(T, [family('f', { maxVersions: 5 }), family('g', { maxVersions: 5 })]))],
  cases,
}
