/** Thrift 2: increments, appends, row mutations, and changes under a condition. */

import { type Case, numbered, type Request, type Scenario } from '../runner/case.ts'
import { type Argument, combinations, type Fields, MAX, MIN } from './thrift-caller.ts'
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

const increments: readonly (Request | readonly Request[])[] = [
  [
    call('increment', T, { row: 'i1', columns: [counting('f', 'n', 5n), counting('f', 'm')] }),
    call('increment', T, { row: 'i1', columns: [counting('f', 'm', MAX), counting('f', 'n', MIN)] }),
  ],
  ...[0n, 1n, -3n, MAX, MIN].map((amount, index) => [
    call('increment', T, { row: `i2${index}`, columns: [counting('g', '', amount)] }),
    call('increment', T, { row: `i2${index}`, columns: [counting('g', '', amount)], returnResults: true }),
  ]),
  call('increment', T, { row: 'i3', columns: [counting('f', 'n', -3n)], returnResults: false }),
  ...[0, 1, 2, 3, 4].map((durability) =>
    call('increment', T, { row: 'i4', columns: [counting('f', 'n', 1n)], durability }),
  ),
  call('increment', T, { row: 'i5', columns: [counting('f', 'n', 1n)], attributes: { some: 'thing' } }),
  call('increment', T, { row: 'i5', columns: [counting('f', 'l', 1n)], cellVisibility: { expression: 'a' } }),
  call('increment', T, { row: 'i6', columns: [] }),
  call('increment', T, { row: '', columns: [counting('f', 'n')] }),
  call('increment', T, { row: 'i6', columns: [counting('f', 'n', 1n), counting('f', 'n', 1n)] }),
  [...filled(T, 'i7'), call('increment', T, { row: 'i7', columns: [counting('f', 'b')] })],
  [
    call('put', T, put('i8', [cell('f', 'text', '8 bytes!')], { timestamp: 5n })),
    call('increment', T, { row: 'i8', columns: [counting('f', 'text')] }),
  ],
  call('increment', T, { row: 'i9', columns: [counting('nof', 'n')] }),
  call('increment', 'nope', { row: 'i9', columns: [counting('f', 'n')] }),
  call('increment', 'bad name', { row: 'i9', columns: [counting('f', 'n')] }),
]

const appends: readonly (Request | readonly Request[])[] = [
  [
    call('append', T, { row: 'a1', columns: [cell('f', 'b', 'x'), cell('f', 'a', 'y')] }),
    call('append', T, { row: 'a1', columns: [cell('f', 'a', 'z', { timestamp: 4n })] }),
    call('append', T, { row: 'a1', columns: [cell('f', 'a', '!')], returnResults: false }),
    reading(T, 'a1'),
  ],
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

const mutations: readonly (Request | readonly Request[])[] = [
  [
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
  ],
  [
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
  ],
  call('mutateRow', T, changes('m3', { put: put('other', [cell('f', 'a', '1')]) })),
  call('mutateRow', T, changes('m3')),
  call('mutateRow', T, changes('')),
  call('mutateRow', T, changes('m3', { put: put('m3', [cell('nof', 'a', '1')]) })),
  [
    call(
      'mutateRow',
      T,
      changes('m4', { put: put('m4', [cell('f', 'a', '2')]) }, { put: put('m4', [cell('nof', 'a', '1')]) }),
    ),
    reading(T, 'm4'),
  ],
  call('mutateRow', T, changes('m5', { put: put('m5', []) })),
  call('mutateRow', 'nope', changed('m5')),
  call('mutateRow', 'bad name', changed('m5')),
]

const STORED = [undefined, '', '5', '55', '\x80']
const VALUES = ['', '4', '5', '55', '6', '\x7f', '\xff']

function checks(): Request[][] {
  return combinations(STORED, [0, 1, 2, 3, 4, 5], VALUES).map(([stored, operator, value], index) => {
    const row = `c${index}`
    const before =
      stored === undefined ? [] : [call('put', T, put(row, [cell('f', 'a', stored)], { timestamp: 5n }))]
    return [
      ...before,
      call('checkAndMutate', T, row, 'f', 'a', operator, value, changed(row)),
      call('exists', T, { row, columns: [column('f', 'z')] }),
    ]
  })
}

function putsAndDeletes(): Request[][] {
  return combinations(STORED, [null, '', '4', '5', '\x80']).flatMap(([stored, value], index) =>
    (['checkAndPut', 'checkAndDelete'] as const).map((method) => {
      const row = `${method}${index}`
      const before =
        stored === undefined ? [] : [call('put', T, put(row, [cell('f', 'a', stored)], { timestamp: 5n }))]
      const change =
        method === 'checkAndPut'
          ? put(row, [cell('f', 'z', 'done')], { timestamp: 5n })
          : { row, timestamp: 6n }
      return [...before, call(method, T, row, 'f', 'a', value, change), reading(T, row)]
    }),
  )
}

const checking: readonly (Request | readonly Request[])[] = [
  [
    call('put', T, put('k1', [cell('f', 'a', '5')], { timestamp: 5n })),
    call('checkAndMutate', T, 'k1', 'f', 'a', 2, null, changed('k1')),
  ],
  call('checkAndMutate', T, 'k1', 'f', 'a', 2, '5', changed('other')),
  call('checkAndMutate', T, 'k1', 'f', 'a', 2, '5', changes('k1')),
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
  call('checkAndMutate', T, 'k1', 'nof', 'a', 2, '5', changed('k1')),
  [
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
  ],
  call('checkAndMutate', 'nope', 'k1', 'f', 'a', 2, '5', changed('k1')),
  call('checkAndMutate', T, '', 'f', 'a', 2, '5', changed('')),
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
  ...numbered('thrift2-increment', increments),
  ...numbered('thrift2-append', appends),
  ...numbered('thrift2-mutate', mutations),
  ...numbered('thrift2-check', checks()),
  ...numbered('thrift2-check-change', putsAndDeletes()),
  ...numbered('thrift2-checking', checking),
]

export const thrift2Changes: Scenario = {
  name: 'thrift2-changes',
  tables: [T],
  namespaces: [],
  setup: [call('createTable', table(T, [family('f', { maxVersions: 5 }), family('g')]))],
  cases,
}
