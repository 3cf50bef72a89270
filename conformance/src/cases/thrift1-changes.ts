/** Thrift 1: increments, appends and conditional puts. */

import type { Case, Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, type NamedCase, named } from '../runner/case-list.ts'
import { combinations, MAX, MIN } from './thrift-caller.ts'
import { call, family, gone, put } from './thrift1-words.ts'

const T = 'conf_t1_changes'

const AMOUNTS = [0n, 1n, -1n, 5n, MAX, MIN]

function increments(): NamedCase[] {
  return combinations(AMOUNTS, AMOUNTS).map(([first, second], index) => {
    const row = `i${index}`
    return named(`${first} and ${second}`, [
      call('atomicIncrement', T, row, 'f:n', first),
      call('increment', { table: T, row, column: 'f:n', ammount: second }),
      call('get', T, row, 'f:n', {}),
    ])
  })
}

const incrementing: readonly Listed[] = [
  call('atomicIncrement', T, 'c', 'f', 5n),
  call('atomicIncrement', T, 'c', 'f:', 5n),
  call('atomicIncrement', T, 'c', 'nof:n', 5n),
  named('text', [
    call('mutateRow', T, 'text', [put('f:n', 'text')], {}),
    call('atomicIncrement', T, 'text', 'f:n', 5n),
  ]),
  named('text of eight bytes', [
    call('mutateRow', T, 'eight', [put('f:n', '8 bytes!')], {}),
    call('atomicIncrement', T, 'eight', 'f:n', 1n),
  ]),
  call('atomicIncrement', 'nope', 'c', 'f:n', 5n),
  call('atomicIncrement', 'bad name', 'c', 'f:n', 5n),
  call('increment', { table: T, row: '', column: 'f:n', ammount: 3n }),
  call('increment', { table: '', row: 'c', column: 'f:n', ammount: 3n }),
  call('increment', { table: T, row: 'c', column: 'nof:n', ammount: 3n }),
  call('increment', { table: 'nope', row: 'c', column: 'f:n', ammount: 3n }),
  named('without table', call('increment', { row: 'c', column: 'f:n', ammount: 3n })),
  named('without row', call('increment', { table: T, column: 'f:n', ammount: 3n })),
  named('several rows', [
    call('incrementRows', [
      { table: T, row: 'c1', column: 'f:n', ammount: 3n },
      { table: T, row: 'c2', column: 'f:n', ammount: -3n },
      { table: T, row: 'c1', column: 'f:m', ammount: MAX },
    ]),
    call('getRows', T, ['c1', 'c2'], {}),
  ]),
  named('several rows and an empty one', [
    call('incrementRows', [
      { table: T, row: 'c3', column: 'f:n', ammount: 3n },
      { table: T, row: '', column: 'f:n', ammount: -3n },
      { table: T, row: 'c4', column: 'f:n', ammount: -3n },
    ]),
    call('getRows', T, ['c3', 'c4'], {}),
  ]),
  call('incrementRows', []),
]

const appends: readonly Listed[] = [
  named('twice', [
    call('append', { table: T, row: 'a1', columns: ['f:a', 'f:b'], values: ['x', 'y'] }),
    call('append', { table: T, row: 'a1', columns: ['f:b', 'f:a'], values: ['2', '1'] }),
    call('getRow', T, 'a1', {}),
  ]),
  call('append', { table: T, row: 'a2', columns: ['f:a', 'f:b'], values: ['x'] }),
  call('append', { table: T, row: 'a2', columns: ['f:a'], values: ['x', 'y'] }),
  call('append', { table: T, row: 'a2', columns: ['f'], values: ['x'] }),
  call('append', { table: T, row: '', columns: ['f:a'], values: ['x'] }),
  call('append', { table: T, row: 'a2', columns: [], values: [] }),
  call('append', { table: T, row: 'a2', columns: ['nof:a'], values: ['x'] }),
  call('append', { table: 'nope', row: 'a2', columns: ['f:a'], values: ['x'] }),
  call('append', { table: '', row: 'a2', columns: ['f:a'], values: ['x'] }),
  call('append', { table: T, row: 'a2', columns: ['f:a', 'g:a'], values: ['x', 'y'] }),
  call('append', { table: T, row: 'a3', columns: ['f:a', 'f:a'], values: ['x', 'y'] }),
  call('append', { table: T, row: 'a4', columns: ['f:'], values: ['\x00\xff'] }),
  call('append', { table: T, row: 'a4', columns: ['f:'], values: [''] }),
  named('to an old version', [
    call('mutateRowTs', T, 'a5', [put('f:a', 'old')], 5n, {}),
    call('append', { table: T, row: 'a5', columns: ['f:a'], values: ['+'] }),
    call('getVer', T, 'a5', 'f:a', 9, {}),
  ]),
]

const STORED = [undefined, '', '1', '12', '\xff']
const EXPECTED = [null, '', '1', '12', '2', '\xff', '\x7f']

function checks(): NamedCase[] {
  return combinations(STORED, EXPECTED).map(([stored, expected], index) => {
    const row = `p${index}`
    const before = stored === undefined ? [] : [call('mutateRowTs', T, row, [put('f:a', stored)], 5n, {})]
    return named(labelOf({ stored, expected }), [
      ...before,
      call('checkAndPut', T, row, 'f:a', expected, put('f:b', 'done'), {}),
      call('get', T, row, 'f:b', {}),
    ])
  })
}

const checking: readonly Listed[] = [
  named('one after another', [
    call('checkAndPut', T, 'cp', 'f:a', null, put('f:a', '1'), {}),
    call('checkAndPut', T, 'cp', 'f:a', '1', put('f:a', '2'), {}),
    call('checkAndPut', T, 'cp', 'f:a', '1', put('f:a', '3'), {}),
    call('getRow', T, 'cp', {}),
  ]),
  call('checkAndPut', T, 'cp', 'f', '', put('f:z', '2'), {}),
  call('checkAndPut', T, 'cp', 'f:a', '', put('f', '2'), {}),
  call('checkAndPut', T, '', 'f:a', '', put('f:a', '2'), {}),
  call('checkAndPut', T, null, 'f:a', '', put('f:a', '2'), {}),
  call('checkAndPut', T, 'cp', 'nof:a', '1', put('f:a', '2'), {}),
  call('checkAndPut', T, 'cp', 'f:a', '2', put('nof:a', '2'), {}),
  call('checkAndPut', 'nope', 'cp', 'f:a', '2', put('f:a', '2'), {}),
  call('checkAndPut', 'bad name', 'cp', 'f:a', '2', put('f:a', '2'), {}),
  [call('checkAndPut', T, 'cq', 'f:a', null, gone('f:a'), {}), call('getRow', T, 'cq', {})],
  [
    call('checkAndPut', T, 'cr', 'f:a', null, put('f:a', '1', { writeToWAL: false }), { some: 'thing' }),
    call('getRow', T, 'cr', {}),
  ],
  [call('checkAndPut', T, 'cs', 'f:a', null, put('f:a', null), {}), call('getRow', T, 'cs', {})],
]

const cases: Case[] = [
  ...listed('thrift1-increment', increments()),
  ...listed('thrift1-incrementing', incrementing),
  ...listed('thrift1-append', appends, { leaveOut: ['append'] }),
  ...listed('thrift1-check', checks()),
  ...listed('thrift1-checking', checking, { leaveOut: ['checkAndPut'] }),
]

export const thrift1Changes: Scenario = {
  name: 'thrift1-changes',
  tables: [T],
  namespaces: [],
  setup: [call('createTable', T, [family('f', { maxVersions: 5 }), family('g')])],
  cases,
}
