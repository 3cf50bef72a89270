/** Thrift 1: rows and cells read. */

import type { Case, Request, Scenario } from '../runner/case.ts'
import { listed } from '../runner/case-list.ts'
import { combinations, MAX, MAX_INT, MIN, MIN_INT } from './thrift-caller.ts'
import { call, family, put } from './thrift1-words.ts'

const T = 'conf_t1_reads'

const COLUMNS = ['f:a', 'f:b', 'f', 'f:', 'g:', 'g', 'f:none', 'g:x:y']
const TIMES = [0n, 1n, 2n, 3n, 4n, MAX, -1n, MIN]
const COLUMN_LISTS: readonly (readonly string[] | null)[] = [
  ['f:a'],
  ['f'],
  ['f:'],
  ['g:', 'f:b'],
  [],
  null,
  ['f', 'f:a'],
  ['f:a', 'f'],
  ['f:a', 'f:a'],
  ['f:missing'],
  ['g', 'f:b', 'f:a'],
]
const ROW_LISTS: readonly (readonly string[])[] = [['v', 'none', 'w'], ['w', 'v'], ['v', 'v'], ['none'], []]

function cells(): Request[] {
  return [
    ...combinations(['v', 'w', 'none'], COLUMNS).map(([row, column]) => call('get', T, row, column, {})),
    ...combinations(COLUMNS, [0, 1, 2, 9, MAX_INT, -1, MIN_INT]).map(([column, count]) =>
      call('getVer', T, 'v', column, count, {}),
    ),
    ...combinations(['f:a', 'f', 'g:'], TIMES, [0, 1, 2, 9]).map(([column, time, count]) =>
      call('getVerTs', T, 'v', column, time, count, {}),
    ),
  ]
}

function rows(): Request[] {
  return [
    ...['v', 'w', 'none', '\x00\xff'].map((row) => call('getRow', T, row, {})),
    ...COLUMN_LISTS.map((columns) => call('getRowWithColumns', T, 'v', columns, {})),
    ...TIMES.map((time) => call('getRowTs', T, 'v', time, {})),
    ...combinations(COLUMN_LISTS, [1n, 2n, 3n, MAX]).map(([columns, time]) =>
      call('getRowWithColumnsTs', T, 'v', columns, time, {}),
    ),
    ...ROW_LISTS.map((list) => call('getRows', T, list, {})),
    ...combinations(ROW_LISTS, COLUMN_LISTS).map(([list, columns]) =>
      call('getRowsWithColumns', T, list, columns, {}),
    ),
    ...combinations(ROW_LISTS, TIMES).map(([list, time]) => call('getRowsTs', T, list, time, {})),
    ...combinations([['v', 'w']], COLUMN_LISTS, [2n, 3n]).map(([list, columns, time]) =>
      call('getRowsWithColumnsTs', T, list, columns, time, {}),
    ),
  ]
}

const errors: readonly Request[] = [
  ...['', ':a', 'nof:a', 'nof', null].map((column) => call('get', T, 'v', column, {})),
  ...['', ':a', 'nof:a', null].map((column) => call('getVer', T, 'v', column, 1, {})),
  ...['', ':a', 'nof:a'].map((column) => call('getVerTs', T, 'v', column, 3n, 1, {})),
  ...['', ':a', 'nof:a'].map((column) => call('getRowWithColumns', T, 'v', [column], {})),
  ...['', ':a', 'nof:a'].map((column) => call('getRowWithColumnsTs', T, 'v', [column], 3n, {})),
  ...['', ':a', 'nof:a'].map((column) => call('getRowsWithColumns', T, ['v'], [column], {})),
  ...['', ':a', 'nof:a'].map((column) => call('getRowsWithColumnsTs', T, ['v'], [column], 3n, {})),
  ...['nope', 'bad name', '', 'nons:x', null].flatMap((table) => [
    call('get', table, 'v', 'f:a', {}),
    call('getVer', table, 'v', 'f:a', 1, {}),
    call('getVerTs', table, 'v', 'f:a', 1n, 1, {}),
    call('getRow', table, 'v', {}),
    call('getRowWithColumns', table, 'v', ['f'], {}),
    call('getRowTs', table, 'v', 1n, {}),
    call('getRowWithColumnsTs', table, 'v', ['f'], 1n, {}),
    call('getRows', table, ['v'], {}),
    call('getRows', table, [], {}),
    call('getRowsWithColumns', table, ['v'], ['f'], {}),
    call('getRowsTs', table, ['v'], 1n, {}),
    call('getRowsWithColumnsTs', table, ['v'], ['f'], 1n, {}),
  ]),
  ...['', null].flatMap((row) => [
    call('get', T, row, 'f:a', {}),
    call('getVer', T, row, 'f:a', 1, {}),
    call('getVerTs', T, row, 'f:a', 1n, 1, {}),
    call('getRow', T, row, {}),
    call('getRowWithColumns', T, row, ['f'], {}),
    call('getRowTs', T, row, 1n, {}),
    call('getRowWithColumnsTs', T, row, ['f'], 1n, {}),
  ]),
  call('getRows', T, ['v', ''], {}),
  call('getRowsWithColumns', T, ['v', ''], ['f'], {}),
  call('getRowsTs', T, ['v', ''], 2n, {}),
  call('getRows', T, null, {}),
  call('getRow', T, 'v', null),
  call('getRow', T, 'v', { ignored: 'attribute' }),
  call('get', T, 'v', 'f:a', null),
  call('get', T, 'v', 'f:a', { ignored: 'attribute' }),
]

const cases: Case[] = [
  ...listed('thrift1-get', cells(), { leaveOut: ['get'] }),
  ...listed('thrift1-row', rows()),
  ...listed('thrift1-read-error', errors),
]

export const thrift1Reads: Scenario = {
  name: 'thrift1-reads',
  tables: [T],
  namespaces: [],
  setup: [
    call('createTable', T, [family('f', { maxVersions: 5 }), family('g')]),
    ...[1n, 2n, 3n].map((time) =>
      call(
        'mutateRowTs',
        T,
        'v',
        [put('f:a', `a${time}`), put('f:b', `b${time}`), put('g:', `g${time}`)],
        time,
        {},
      ),
    ),
    call('mutateRowTs', T, 'w', [put('f:', 'empty'), put('f:a', ''), put('g:x:y', '\x00\xff')], 2n, {}),
    call('mutateRowTs', T, '\x00\xff', [put('f:\x00', '\x00')], 2n, {}),
  ],
  cases,
}
