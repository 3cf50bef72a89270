/** Thrift 1: every argument of every call, and every field of them, at its edges; and what became of the row. */

import type { Case, Request, Scenario, ThriftRequest } from '../runner/case.ts'
import { LAST_SCANNER } from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'
import { atEdges } from './thrift-argument-edges.ts'
import { batch, call, family, gone, put } from './thrift1-words.ts'

const T = 'conf_t1_arguments'
const MADE = 'conf_t1_arguments_made'
const STATE = 'conf_t1_arguments_state'

/** HBase's gateway does not answer these in time: it repeats for minutes what its region servers refuse. */
const UNANSWERED: ReadonlySet<string> = new Set([
  'mutateRowsTs rowBatches of mutations of column empty',
  'atomicIncrement row too long',
  'atomicIncrement row empty',
  'atomicIncrement column empty',
])
/** A number of rows at its greatest makes HBase reserve memory for them all. */
const TOO_MUCH = /nbRows 2147483647$/
/** A missing id is 0, which may be the scanner of another client. An empty row is in the last region of all tables of the server. */
const OF_THE_SERVER = /\bid (?:missing|mistyped|0)$|^getRegionInfo row empty$/

const reading = (row: string): Request => call('getVer', T, row, 'f', 9, {})

/** The edges of a call that names a row of its own each time; `around` adds what happens before and after. */
function edgesOf(
  prefix: string,
  request: (row: string) => ThriftRequest,
  around: (row: string, odd: ThriftRequest) => readonly Request[],
): NamedCase[] {
  return atEdges(request('')).flatMap(({ label }, index) => {
    const row = `${prefix}${index}`
    const odd = atEdges(request(row))[index]!.value
    if (UNANSWERED.has(label) || TOO_MUCH.test(label) || OF_THE_SERVER.test(label)) return []
    return [named(label, around(row, odd))]
  })
}

const only = (_: string, odd: ThriftRequest): readonly Request[] => [odd]

function reads(): NamedCase[] {
  return [
    call('get', T, 'v', 'f:a', {}),
    call('getVer', T, 'v', 'f:a', 2, {}),
    call('getVerTs', T, 'v', 'f:a', 3n, 2, {}),
    call('getRow', T, 'v', {}),
    call('getRowWithColumns', T, 'v', ['f:a'], {}),
    call('getRowTs', T, 'v', 3n, {}),
    call('getRowWithColumnsTs', T, 'v', ['f:a'], 3n, {}),
    call('getRows', T, ['v'], {}),
    call('getRowsWithColumns', T, ['v'], ['f:a'], {}),
    call('getRowsTs', T, ['v'], 3n, {}),
    call('getRowsWithColumnsTs', T, ['v'], ['f:a'], 3n, {}),
    call('getColumnDescriptors', T),
    call('getTableRegions', T),
    call('isTableEnabled', T),
  ].flatMap((request) => edgesOf('v', () => request, only))
}

const filled = (row: string): Request =>
  call('mutateRowTs', T, row, [put('f:a', 'old'), put('f:b', 'old')], 1n, {})
const afterFilled = (row: string, odd: ThriftRequest): readonly Request[] => [filled(row), odd, reading(row)]

/** Of a row that has f:a and f:b, what is left after the change. */
function writes(): NamedCase[] {
  const changes: Readonly<Record<string, (row: string) => ThriftRequest>> = {
    mr: (row) => call('mutateRow', T, row, [put('f:a', 'new')], {}),
    mrd: (row) => call('mutateRow', T, row, [gone('f:a')], {}),
    mrt: (row) => call('mutateRowTs', T, row, [put('f:a', 'new')], 5n, {}),
    ms: (row) => call('mutateRows', T, [batch(row, put('f:a', 'new'))], {}),
    mst: (row) => call('mutateRowsTs', T, [batch(row, gone('f:a'))], 5n, {}),
    da: (row) => call('deleteAll', T, row, 'f:a', {}),
    dat: (row) => call('deleteAllTs', T, row, 'f:a', 5n, {}),
    dr: (row) => call('deleteAllRow', T, row, {}),
    drt: (row) => call('deleteAllRowTs', T, row, 5n, {}),
    ap: (row) => call('append', { table: T, row, columns: ['f:a'], values: ['more'] }),
    cp: (row) => call('checkAndPut', T, row, 'f:a', 'old', put('f:b', 'new'), {}),
  }
  return Object.entries(changes).flatMap(([prefix, request]) => {
    const cases = edgesOf(prefix, request, afterFilled)
    return prefix === 'mrd' ? cases.map((each) => ({ ...each, label: `delete by ${each.label}` })) : cases
  })
}

const afterCounted = (row: string, odd: ThriftRequest): readonly Request[] => [
  call('atomicIncrement', T, row, 'f:n', 5n),
  odd,
  reading(row),
]

function counters(): NamedCase[] {
  return [
    ...edgesOf('ai', (row) => call('atomicIncrement', T, row, 'f:n', 2n), afterCounted),
    ...edgesOf('in', (row) => call('increment', { table: T, row, column: 'f:n', ammount: 2n }), afterCounted),
    ...edgesOf(
      'ir',
      (row) => call('incrementRows', [{ table: T, row, column: 'f:n', ammount: 2n }]),
      afterCounted,
    ),
  ]
}

const opening = (_: string, odd: ThriftRequest): readonly Request[] => [
  odd,
  call('scannerGetList', LAST_SCANNER, 9),
]

function scanners(): NamedCase[] {
  const opened: readonly ThriftRequest[] = [
    call('scannerOpen', T, 'v', ['f:a'], {}),
    call('scannerOpenTs', T, 'v', ['f:a'], 3n, {}),
    call('scannerOpenWithStop', T, 'v', 'w', ['f:a'], {}),
    call('scannerOpenWithStopTs', T, 'v', 'w', ['f:a'], 3n, {}),
    call('scannerOpenWithPrefix', T, 'v', ['f:a'], {}),
    call('scannerOpenWithScan', T, { startRow: 'v', stopRow: 'w', columns: ['f:a'] }, {}),
  ]
  const open = call('scannerOpenWithPrefix', T, 'v', [], {})
  const used = (_: string, odd: ThriftRequest): readonly Request[] => [open, odd]
  return [
    ...opened.flatMap((request) => edgesOf('v', () => request, opening)),
    ...edgesOf('v', () => call('scannerGet', LAST_SCANNER), used),
    ...edgesOf('v', () => call('scannerGetList', LAST_SCANNER, 2), used),
    ...edgesOf('v', () => call('scannerClose', LAST_SCANNER), used),
  ]
}

const looking = (_: string, odd: ThriftRequest): readonly Request[] => [
  odd,
  call('getColumnDescriptors', MADE),
  call('disableTable', MADE),
  call('deleteTable', MADE),
]

function tables(): NamedCase[] {
  const fields = {
    maxVersions: 3,
    compression: 'NONE',
    inMemory: false,
    bloomFilterType: 'NONE',
    bloomFilterVectorSize: 1,
    bloomFilterNbHashes: 1,
    blockCacheEnabled: true,
    timeToLive: 5,
  }
  return [
    ...edgesOf('c', () => call('createTable', MADE, [family('f', fields)]), looking),
    ...['disableTable', 'enableTable', 'compact', 'majorCompact', 'deleteTable'].flatMap((method) =>
      edgesOf('s', () => call(method, STATE), only),
    ),
    ...edgesOf('s', () => call('getRegionInfo', `${STATE},,`), only),
    named('create hbase meta', call('createTable', 'hbase:meta', [family('f')])),
    named('create hbase namespace', call('createTable', 'hbase:namespace', [family('f')])),
  ]
}

const cases: Case[] = listed('thrift1-argument', [
  ...reads(),
  ...writes(),
  ...counters(),
  ...scanners(),
  ...tables(),
])

export const thrift1Arguments: Scenario = {
  name: 'thrift1-arguments',
  tables: [T, MADE, STATE],
  namespaces: [],
  setup: [
    call('createTable', T, [family('f', { maxVersions: 5 }), family('g')]),
    call('createTable', STATE, [family('f')]),
    call('mutateRowTs', T, 'v', [put('f:a', 'a1'), put('f:b', 'b1')], 1n, {}),
    call('mutateRowTs', T, 'v', [put('f:a', 'a2')], 2n, {}),
    call('mutateRowTs', T, 'v1', [put('f:a', 'v1'), put('g:', 'g1')], 1n, {}),
  ],
  cases,
}
