/** Thrift 2: increments, appends, row mutations, and changes under a condition. */

import type { Case, Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, type NamedCase, named } from '../runner/case-list.ts'
import { type Argument, combinations, type Fields, MAX, MIN } from './thrift-caller.ts'
import { CompareOp } from './thrift2-requests.ts'
import { call, cell, column, family, filled, put, reading, table } from './thrift2-words.ts'

const T = 'conf_t2_changes'

const counting = (of: string, qualifier: string, amount?: bigint): Fields => ({
  family: of,
  qualifier,
  amount,
})
const changes = (row: string, ...mutations: readonly Argument[]): Fields => ({ row, mutations })
const done = (row: string): Fields => ({ put: put(row, [cell('f', 'z', 'done', { timestamp: 5n })]) })
const changed = (row: string): Fields => changes(row, done(row))

const increments: readonly Listed[] = [
  named('two columns', [
    call('increment', T, { row: 'i1', columns: [counting('f', 'n', 5n), counting('f', 'm')] }),
    call('increment', T, { row: 'i1', columns: [counting('f', 'm', MAX), counting('f', 'n', MIN)] }),
  ]),
  ...[0n, 1n, -3n, MAX, MIN].map((amount, index) =>
    named(`by ${amount}`, [
      call('increment', T, { row: `i2${index}`, columns: [counting('g', '', amount)] }),
      call('increment', T, { row: `i2${index}`, columns: [counting('g', '', amount)], returnResults: true }),
    ]),
  ),
  call('increment', T, { row: 'i3', columns: [counting('f', 'n', -3n)], returnResults: false }),
  ...[0, 1, 2, 3, 4].map((durability) =>
    call('increment', T, { row: 'i4', columns: [counting('f', 'n', 1n)], durability }),
  ),
  call('increment', T, { row: 'i5', columns: [counting('f', 'n', 1n)], attributes: { some: 'thing' } }),
  call('increment', T, { row: 'i5', columns: [counting('f', 'l', 1n)], cellVisibility: { expression: 'a' } }),
  call('increment', T, { row: 'i6', columns: [] }),
  call('increment', T, { row: '', columns: [counting('f', 'n')] }),
  call('increment', T, { row: 'i6', columns: [counting('f', 'n', 1n), counting('f', 'n', 1n)] }),
  named('text', [...filled(T, 'i7'), call('increment', T, { row: 'i7', columns: [counting('f', 'b')] })]),
  named('text of eight bytes', [
    call('put', T, put('i8', [cell('f', 'text', '8 bytes!')], { timestamp: 5n })),
    call('increment', T, { row: 'i8', columns: [counting('f', 'text')] }),
  ]),
  call('increment', T, { row: 'i9', columns: [counting('nof', 'n')] }),
  call('increment', 'nope', { row: 'i9', columns: [counting('f', 'n')] }),
  call('increment', 'bad name', { row: 'i9', columns: [counting('f', 'n')] }),
]

const appends: readonly Listed[] = [
  named('several times', [
    call('append', T, { row: 'a1', columns: [cell('f', 'b', 'x'), cell('f', 'a', 'y')] }),
    call('append', T, { row: 'a1', columns: [cell('f', 'a', 'z', { timestamp: 4n })] }),
    call('append', T, { row: 'a1', columns: [cell('f', 'a', '!')], returnResults: false }),
    reading(T, 'a1'),
  ]),
  ...[0, 1, 2, 3, 4].map((durability) =>
    call('append', T, { row: 'a2', columns: [cell('f', 'a', 'x')], durability, returnResults: true }),
  ),
  call('append', T, { row: 'a3', columns: [cell('f', 'a', 'x')], attributes: { some: 'thing' } }),
  call('append', T, { row: 'a3', columns: [cell('f', 'l', 'x')], cellVisibility: { expression: 'a' } }),
  call('append', T, { row: 'a4', columns: [] }),
  call('append', T, { row: 'a4', columns: [cell('nof', 'a', 'x')] }),
  call('append', T, { row: '', columns: [cell('f', 'a', 'x')] }),
  call('append', T, { row: 'a4', columns: [cell('f', '', '')] }),
  call('append', T, { row: 'a4', columns: [cell('f', 'a', 'x'), cell('f', 'a', 'y')] }),
  call('append', 'nope', { row: 'a4', columns: [cell('f', 'a', 'x')] }),
]

const mutations: readonly Listed[] = [
  named('put and deletes', [
    ...filled(T, 'm1'),
    call(
      'mutateRow',
      T,
      changes(
        'm1',
        { put: put('m1', [cell('f', 'a', '1')], { timestamp: 5n }) },
        { deleteSingle: { row: 'm1', columns: [column('f', 'b')] } },
        { deleteSingle: { row: 'm1', columns: [column('g')], deleteType: 2 } },
      ),
    ),
    reading(T, 'm1'),
  ]),
  named('put behind a delete of the row', [
    call(
      'mutateRow',
      T,
      changes(
        'm2',
        { deleteSingle: { row: 'm2', timestamp: 5n } },
        { put: put('m2', [cell('f', 'a', 'behind')], { timestamp: 5n }) },
        { put: put('m2', [cell('f', 'b', 'before')], { timestamp: 6n }) },
      ),
    ),
    reading(T, 'm2'),
  ]),
  named(
    'put to another row',
    call('mutateRow', T, changes('m3', { put: put('other', [cell('f', 'a', '1')]) })),
  ),
  named('nothing', call('mutateRow', T, changes('m3'))),
  named('nothing to an empty row', call('mutateRow', T, changes(''))),
  named('unknown family', call('mutateRow', T, changes('m3', { put: put('m3', [cell('nof', 'a', '1')]) }))),
  named('unknown family beside a known one', [
    call(
      'mutateRow',
      T,
      changes('m4', { put: put('m4', [cell('f', 'a', '2')]) }, { put: put('m4', [cell('nof', 'a', '1')]) }),
    ),
    reading(T, 'm4'),
  ]),
  named('put of nothing', call('mutateRow', T, changes('m5', { put: put('m5', []) }))),
  named('unknown table', call('mutateRow', 'nope', changed('m5'))),
  named('bad table name', call('mutateRow', 'bad name', changed('m5'))),
]

const STORED = [undefined, '', '5', '55', '\x80']
const OPERATORS = Object.entries(CompareOp).filter(([, code]) => code !== CompareOp.NO_OP)
const VALUES = ['', '4', '5', '55', '6', '\x7f', '\xff']

function checks(): NamedCase[] {
  return combinations(STORED, OPERATORS, VALUES).map(([stored, [operator, code], value], index) => {
    const row = `c${index}`
    const before =
      stored === undefined ? [] : [call('put', T, put(row, [cell('f', 'a', stored)], { timestamp: 5n }))]
    return named(
      `${operator} ${value || 'empty'} stored ${stored === '' ? 'empty' : (stored ?? 'nothing')}`,
      [
        ...before,
        call('checkAndMutate', T, row, 'f', 'a', code, value, changed(row)),
        call('exists', T, { row, columns: [column('f', 'z')] }),
      ],
    )
  })
}

function putsAndDeletes(): NamedCase[] {
  return combinations(STORED, [null, '', '4', '5', '\x80']).flatMap(([stored, value], index) =>
    (['checkAndPut', 'checkAndDelete'] as const).map((method) => {
      const row = `${method}${index}`
      const before =
        stored === undefined ? [] : [call('put', T, put(row, [cell('f', 'a', stored)], { timestamp: 5n }))]
      const change =
        method === 'checkAndPut'
          ? put(row, [cell('f', 'z', 'done')], { timestamp: 5n })
          : { row, timestamp: 6n }
      return named(`${method.slice('checkAnd'.length)} ${labelOf({ stored, asked: value })}`, [
        ...before,
        call(method, T, row, 'f', 'a', value, change),
        reading(T, row),
      ])
    }),
  )
}

const checking: readonly Listed[] = [
  named('mutate without value', [
    call('put', T, put('k1', [cell('f', 'a', '5')], { timestamp: 5n })),
    call('checkAndMutate', T, 'k1', 'f', 'a', 2, null, changed('k1')),
  ]),
  named('mutate another row', call('checkAndMutate', T, 'k1', 'f', 'a', 2, '5', changed('other'))),
  named('mutate nothing', call('checkAndMutate', T, 'k1', 'f', 'a', 2, '5', changes('k1'))),
  named(
    'mutate an unknown family',
    call(
      'checkAndMutate',
      T,
      'k1',
      'f',
      'a',
      2,
      '5',
      changes('k1', { put: put('k1', [cell('nof', 'a', '1')]) }),
    ),
  ),
  named('mutate if an unknown family', call('checkAndMutate', T, 'k1', 'nof', 'a', 2, '5', changed('k1'))),
  named('mutate by delete and put', [
    call(
      'checkAndMutate',
      T,
      'k1',
      'f',
      'a',
      2,
      '5',
      changes('k1', { deleteSingle: { row: 'k1' } }, done('k1')),
    ),
    reading(T, 'k1'),
  ]),
  named('mutate in an unknown table', call('checkAndMutate', 'nope', 'k1', 'f', 'a', 2, '5', changed('k1'))),
  named('mutate an empty row', call('checkAndMutate', T, '', 'f', 'a', 2, '5', changed(''))),
  call('checkAndPut', T, 'k2', 'f', 'a', '1', put('other', [cell('f', 'a', '1')])),
  call('checkAndPut', T, 'k2', 'nof', 'a', '5', put('k2', [cell('f', 'a', '5')])),
  call('checkAndPut', T, 'k2', 'f', 'a', null, put('k2', [cell('nof', 'a', '5')])),
  call('checkAndPut', T, 'k2', 'f', 'a', null, put('k2', [])),
  call('checkAndPut', T, '', 'f', 'a', '5', put('', [cell('f', 'a', '5')])),
  call('checkAndPut', 'nope', 'k2', 'f', 'a', '5', put('k2', [cell('f', 'a', '5')])),
  call('checkAndDelete', T, 'k2', 'f', 'a', '1', { row: 'other' }),
  call('checkAndDelete', T, 'k2', 'nof', 'a', '5', { row: 'k2' }),
  call('checkAndDelete', T, 'k2', 'f', 'a', null, { row: 'k2', columns: [column('nof', 'a')] }),
  call('checkAndDelete', 'nope', 'k2', 'f', 'a', '5', { row: 'k2' }),
]

const cases: Case[] = [
  ...listed('thrift2-increment', increments, { leaveOut: ['increment'] }),
  ...listed('thrift2-append', appends, { leaveOut: ['append'] }),
  ...listed('thrift2-mutate', mutations),
  ...listed('thrift2-check', checks()),
  ...listed('thrift2-check-change', putsAndDeletes()),
  ...listed('thrift2-checking', checking),
]

export const thrift2Changes: Scenario = {
  name: 'thrift2-changes',
  tables: [T],
  namespaces: [],
  setup: [call('createTable', table(T, [family('f', { maxVersions: 5 }), family('g')]))],
  cases,
}
