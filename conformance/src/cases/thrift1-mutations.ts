/** Thrift 1: cells put and deleted, by row and by batch. */

import type { Case, Request, Scenario } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import { type Argument, combinations, MAX, MIN } from './thrift-caller.ts'
import { batch, call, family, gone, put } from './thrift1-words.ts'

const T = 'conf_t1_mutations'

const versions = (row: string, column: string) => call('getVer', T, row, column, 10, {})
const reading = (row: string) => call('getRow', T, row, {})

/** Three versions of f:a, f:b and g: in the row, at 1, 2 and 3. */
function filled(row: string): Request[] {
  return [1n, 2n, 3n].map((time) =>
    call(
      'mutateRowTs',
      T,
      row,
      [put('f:a', `a${time}`), put('f:b', `b${time}`), put('g:', `g${time}`)],
      time,
      {},
    ),
  )
}

const MUTATIONS: Readonly<Record<string, readonly Argument[]>> = {
  'bare family among columns': [put('f:a', '1'), put('f', 'bare'), put('f:', 'empty'), put('g:x:y', '3')],
  'bare family': [put('f', 'bare')],
  columns: [put('f:a', '1'), put('f:', 'empty'), put('g:x:y', '3')],
  nothing: [],
  'unknown family': [put('nof:a', '1')],
  'unknown family beside a known one': [put('f:a', 'kept?'), put('nof:a', '1')],
  'delete of an unknown family': [gone('nof:a')],
  'delete of an unknown bare family': [gone('nof')],
  'empty column': [put('', '1')],
  'column without family': [put(':q', '1')],
  'null value': [put('f:null', null)],
  'empty value': [put('f:empty', '')],
  'not to the log': [put('f:wal', '1', { writeToWAL: false })],
  'to the log': [put('f:wal', '1', { writeToWAL: true })],
  'one column twice': [put('f:a', 'one'), put('f:a', 'two')],
  bytes: [put('f:\x00\xff', '\x00\x01\xff')],
  'value of a delete': [{ column: 'f:a', value: 'gone', isDelete: true }],
  'without column': [{ value: 'no column' }],
  'without anything': [{}],
  'long value': [put('f:long', 'v'.repeat(5000))],
}

function mutations(): NamedCase[] {
  return Object.entries(MUTATIONS).map(([label, list], index) =>
    named(label, [call('mutateRow', T, `m${index}`, list, {}), reading(`m${index}`)]),
  )
}

const rows: readonly Listed[] = [
  call('mutateRow', T, '', [put('f:a', '1')], {}),
  call('mutateRow', T, null, [put('f:a', '1')], {}),
  call('mutateRow', T, 'r', null, {}),
  call('mutateRow', 'nope', 'r', [put('f:a', '1')], {}),
  call('mutateRow', 'bad name', 'r', [put('f:a', '1')], {}),
  call('mutateRow', '', 'r', [put('f:a', '1')], {}),
  [call('mutateRow', T, 'r\x00\xff', [put('f:a', 'b')], {}), reading('r\x00\xff')],
  [call('mutateRow', T, 'attributes', [put('f:a', 'b')], { some: 'thing' }), reading('attributes')],
  [call('mutateRow', T, 'no attributes', [put('f:a', 'b')], null), reading('no attributes')],
  named('row of 1000 bytes', [
    call('mutateRow', T, 'x'.repeat(1000), [put('f:a', 'long')], {}),
    call('get', T, 'x'.repeat(1000), 'f:a', {}),
  ]),
  named('row of 32768 bytes', call('mutateRow', T, 'x'.repeat(32768), [put('f:a', 'too long')], {})),
]

const TIMES = [0n, 1n, 9007199254740993n, 1579132800000000000n, MAX - 1n, MAX, -1n, MIN, -9007199254740993n]

function times(): NamedCase[] {
  const kinds = ['put', 'delete', 'put and delete', 'delete the family'] as const
  // MAX means the present time, which the put and the delete may each read on its own.
  const stable = combinations(TIMES, kinds).filter(
    ([time, kind]) => time !== MAX || kind !== 'put and delete',
  )
  return stable.map(([time, kind], index) => {
    const row = `t${index}`
    const list = {
      put: [put('f:t', 'v')],
      delete: [gone('f:t')],
      'put and delete': [put('f:t', 'hidden'), gone('f:t')],
      'delete the family': [gone('f')],
    }[kind]
    return named(`${kind} at ${time}`, [
      call('mutateRowTs', T, row, [put('f:t', 'at 1')], 1n, {}),
      call('mutateRowTs', T, row, list, time, {}),
      versions(row, 'f:t'),
    ])
  })
}

function timeOfBatches(): NamedCase[] {
  return TIMES.map((time, index) => {
    const row = `bt${index}`
    return named(`${time}`, [
      call('mutateRowsTs', T, [batch(row, put('f:t', 'v')), batch(`${row}x`, gone('f:t'))], time, {}),
      versions(row, 'f:t'),
    ])
  })
}

const batches: readonly Listed[] = [
  [
    call('mutateRows', T, [batch('b1', put('f:a', 'x'), put('f:b', 'y')), batch('b2', put('g:a', 'z'))], {}),
    call('getRows', T, ['b1', 'b2'], {}),
  ],
  [call('mutateRows', T, [batch('b3', put('f:a', 'x')), batch('b4', put('nof:a', 'x'))], {}), reading('b3')],
  call('mutateRows', T, [batch('b4', put('nof:a', 'x')), batch('b5', put('nof:a', 'x'))], {}),
  [
    call('mutateRows', T, [batch('b1', gone('f:a')), batch('b2', gone('g'))], {}),
    call('getRows', T, ['b1', 'b2'], {}),
  ],
  [call('mutateRows', T, [batch('b6', put('f:a', 'x'), gone('f:a'))], {}), reading('b6')],
  call('mutateRows', T, [batch('', put('f:a', 'x'))], {}),
  call('mutateRows', T, [batch('b', put('f', 'x'))], {}),
  call('mutateRows', T, [], {}),
  call('mutateRows', T, null, {}),
  [call('mutateRows', T, [batch('b8')], {}), reading('b8')],
  [call('mutateRows', T, [batch('b9', put('f:a', 'x')), batch('b9', put('f:b', 'y'))], {}), reading('b9')],
  [
    call('mutateRows', T, [batch('b10', put('f:a', 'x', { writeToWAL: false }))], { some: 'thing' }),
    reading('b10'),
  ],
  call('mutateRows', 'nope', [], {}),
  call('mutateRows', 'nope', [batch('b', put('f:a', 'x'))], {}),
  call('mutateRows', 'bad name', [batch('b', put('f:a', 'x'))], {}),
  call('mutateRowsTs', T, [], 5n, {}),
  call('mutateRowsTs', 'nope', [batch('b', put('f:a', 'x'))], 5n, {}),
  [
    call(
      'mutateRowsTs',
      T,
      [batch('b11', put('f:a', 'x'), gone('f:b')), batch('b12', put('g:', 'y'))],
      7n,
      {},
    ),
    call('getRows', T, ['b11', 'b12'], {}),
  ],
]

const COLUMNS = ['f:a', 'f', 'f:', 'g:', 'f:none']

/** A delete in a row of three versions, and the remaining cells. */
function shown(row: string, change: Request): Request[] {
  return [...filled(row), change, versions(row, 'f'), versions(row, 'g')]
}

function deletes(): NamedCase[] {
  const ofColumns = COLUMNS.map((column, index) => {
    const row = `d${index}`
    return named(`all of ${column}`, shown(row, call('deleteAll', T, row, column, {})))
  })
  const ofTimes = combinations(COLUMNS, [0n, 1n, 2n, 3n, 4n, MAX, -2n, MIN]).map(([column, time], index) => {
    const row = `dt${index}`
    return named(`all of ${column} at ${time}`, shown(row, call('deleteAllTs', T, row, column, time, {})))
  })
  const ofRows = [0n, 1n, 2n, 3n, MAX, -3n, MIN].map((time, index) => {
    const row = `dr${index}`
    return named(`row at ${time}`, shown(row, call('deleteAllRowTs', T, row, time, {})))
  })
  const ofBatches = COLUMNS.map((column, index) => {
    const row = `db${index}`
    return named(
      `mutation of ${column} at 2`,
      shown(row, call('mutateRowTs', T, row, [gone(column)], 2n, {})),
    )
  })
  return [...ofColumns, ...ofTimes, ...ofRows, ...ofBatches]
}

const deleteErrors: readonly Listed[] = [
  ...['nof:b', 'nof', '', ':x', null].map((column) => call('deleteAll', T, 'e', column, {})),
  call('deleteAll', T, '', 'f:b', {}),
  call('deleteAll', T, null, 'f:b', {}),
  call('deleteAll', 'nope', 'e', 'f:b', {}),
  call('deleteAll', 'bad name', 'e', 'f:b', {}),
  call('deleteAll', T, 'none', 'f:b', {}),
  call('deleteAllTs', T, 'e', 'nof:b', 2n, {}),
  call('deleteAllTs', 'nope', 'e', 'f:b', 2n, {}),
  call('deleteAllRow', T, '', {}),
  call('deleteAllRow', T, null, {}),
  call('deleteAllRow', 'nope', 'e', {}),
  call('deleteAllRowTs', 'nope', 'e', 2n, {}),
  call('deleteAllRow', T, 'none', { some: 'thing' }),
  named('row', [...filled('e1'), call('deleteAllRow', T, 'e1', {}), reading('e1')]),
  named('put behind a delete of the row', [
    call('mutateRow', T, 'e2', [put('f:t', 'now')], {}),
    call('deleteAllRow', T, 'e2', {}),
    call('mutateRowTs', T, 'e2', [put('f:t', 'behind')], 5n, {}),
    reading('e2'),
  ]),
  named('far future', [
    call('mutateRowTs', T, 'e3', [put('f:t', 'far')], 1579132800000000000n, {}),
    call('deleteAllRow', T, 'e3', {}),
    reading('e3'),
    call('deleteAllTs', T, 'e3', 'f:t', 1579132800000000000n, {}),
    reading('e3'),
    call('mutateRow', T, 'e3', [put('f:t', 'behind')], {}),
    reading('e3'),
  ]),
]

const cases: Case[] = [
  ...listed('thrift1-mutate', mutations()),
  ...listed('thrift1-mutate-row', rows, { leaveOut: ['mutateRow'] }),
  ...listed('thrift1-mutate-time', times()),
  ...listed('thrift1-batch-time', timeOfBatches()),
  ...listed('thrift1-batch', batches),
  ...listed('thrift1-delete', deletes()),
  ...listed('thrift1-delete-error', deleteErrors),
]

export const thrift1Mutations: Scenario = {
  name: 'thrift1-mutations',
  tables: [T],
  namespaces: [],
  setup: [call('createTable', T, [family('f:', { maxVersions: 5 }), family('g', { maxVersions: 5 })])],
  cases,
}
