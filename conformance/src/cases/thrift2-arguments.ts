/** Thrift 2: every argument of the calls on rows, and every field of them, at its edges; and what became of the row. */

import { LAST_SCANNER, type Request, type Scenario, type ThriftRequest } from '../runner/case.ts'
import { listed, type NamedCase, named } from '../runner/case-list.ts'
import { atEdges } from './thrift-argument-edges.ts'
import type { Fields } from './thrift-caller.ts'
import { call, cell, column, put, range } from './thrift2-words.ts'

const T = 'conf_t2_arguments'

/** HBase's gateway does not answer these in time: it repeats for minutes what its region servers refuse. */
const UNANSWERED: readonly RegExp[] = [
  /columnValues of timestamp (?:-1|-9223372036854775808)$/,
  /^(?:deleteMultiple tdeletes|increment tincrement) (?:of )?columns of family empty$/,
  /of deleteSingle empty$/,
  /^checkAndMutate compareOp 6$/,
]
/** A number of rows at its greatest makes HBase reserve memory for them all. */
const TOO_MUCH = /numRows 2147483647$/
/** A missing id is 0, which may be the scanner of another client. */
const ANY_SCANNER = /scannerId (?:missing|mistyped|0)$/

/** The edges of a call that names a row of its own each time; `around` adds what happens before and after. */
function edgesOf(
  prefix: string,
  request: (row: string) => ThriftRequest,
  around: (row: string, odd: ThriftRequest) => readonly Request[],
): NamedCase[] {
  return atEdges(request('')).flatMap(({ label }, index) => {
    const row = `${prefix}${index}`
    const odd = atEdges(request(row))[index]!.value
    if (UNANSWERED.some((hanging) => hanging.test(label)) || TOO_MUCH.test(label) || ANY_SCANNER.test(label))
      return []
    return [named(label, around(row, odd))]
  })
}

const only = (_: string, odd: ThriftRequest): readonly Request[] => [odd]
const reading = (row: string): Request => call('get', T, { row, maxVersions: 9 })

const GET: Fields = {
  row: 'v',
  columns: [column('f', 'a')],
  timeRange: range(0n, 9n),
  maxVersions: 2,
  storeLimit: 5,
  storeOffset: 0,
}
const SCAN: Fields = {
  startRow: 'v',
  stopRow: 'w',
  columns: [column('f', 'a')],
  caching: 1,
  maxVersions: 2,
  timeRange: range(0n, 9n),
  limit: 5,
}

function reads(): NamedCase[] {
  return [
    call('get', T, GET),
    call('exists', T, { row: 'v', columns: [column('f', 'a')] }),
    call('existsAll', T, [{ row: 'v' }]),
    call('getMultiple', T, [{ row: 'v', columns: [column('f')] }]),
    call('getRegionLocation', T, 'v', true),
    call('getAllRegionLocations', T),
    call('getScannerResults', T, SCAN, 2),
  ].flatMap((request) => edgesOf('v', () => request, only))
}

const opening = (_: string, odd: ThriftRequest): readonly Request[] => [
  odd,
  call('getScannerRows', LAST_SCANNER, 9),
]

function scanners(): NamedCase[] {
  const open = call('openScanner', T, { startRow: 'v' })
  const used = (_: string, odd: ThriftRequest): readonly Request[] => [open, odd]
  const batched = { startRow: 'v', batchSize: 1, colFamTimeRangeMap: { f: range(0n, 9n) }, readType: 3 }
  return [
    ...edgesOf('v', () => call('openScanner', T, batched), opening),
    ...edgesOf('v', () => call('getScannerRows', LAST_SCANNER, 2), used),
    ...edgesOf('v', () => call('closeScanner', LAST_SCANNER), used),
  ]
}

const TPUT = (row: string): Fields => put(row, [cell('f', 'a', 'new', { timestamp: 5n })], { durability: 0 })
const TDELETE = (row: string): Fields => ({ row, columns: [column('f', 'a', 5n)], deleteType: 1 })

const filled = (row: string): Request =>
  call('put', T, put(row, [cell('f', 'a', 'old'), cell('f', 'b', 'old')], { timestamp: 1n }))
const afterFilled = (row: string, odd: ThriftRequest): readonly Request[] => [filled(row), odd, reading(row)]
const mutations = (row: string): Fields => ({ row, mutations: [{ put: TPUT(row) }] })
const deletion = (row: string): Fields => ({ row, mutations: [{ deleteSingle: TDELETE(row) }] })

/** Of a row that has f:a and f:b, what is left after the change. */
function writes(): NamedCase[] {
  const changes: Readonly<Record<string, (row: string) => ThriftRequest>> = {
    p: (row) => call('put', T, TPUT(row)),
    pm: (row) => call('putMultiple', T, [TPUT(row)]),
    d: (row) => call('deleteSingle', T, TDELETE(row)),
    dr: (row) => call('deleteSingle', T, { row, timestamp: 5n }),
    dm: (row) => call('deleteMultiple', T, [TDELETE(row)]),
    cp: (row) => call('checkAndPut', T, row, 'f', 'a', 'old', put(row, [cell('f', 'b', 'new')])),
    cd: (row) => call('checkAndDelete', T, row, 'f', 'a', 'old', { row }),
    mr: (row) => call('mutateRow', T, mutations(row)),
    md: (row) => call('mutateRow', T, deletion(row)),
    cm: (row) => call('checkAndMutate', T, row, 'f', 'a', 2, 'old', mutations(row)),
    ap: (row) => call('append', T, { row, columns: [cell('f', 'a', 'more')], durability: 0 }),
  }
  const kinds: Readonly<Record<string, string>> = { dr: 'row', md: 'delete by' }
  return Object.entries(changes).flatMap(([prefix, request]) =>
    edgesOf(prefix, request, afterFilled).map((each) => {
      const kind = kinds[prefix]
      return kind === undefined ? each : { ...each, label: `${kind} ${each.label}` }
    }),
  )
}

const counting = (row: string, amount: bigint): ThriftRequest =>
  call('increment', T, { row, columns: [{ family: 'f', qualifier: 'n', amount }], durability: 0 })

function counters(): NamedCase[] {
  return edgesOf(
    'in',
    (row) => counting(row, 2n),
    (row, odd) => [counting(row, 5n), odd, reading(row)],
  )
}

export const thrift2Arguments: Scenario = {
  name: 'thrift2-arguments',
  tables: [T],
  namespaces: [],
  setup: [
    call('createTable', {
      tableName: { qualifier: T },
      columns: [{ name: 'f', maxVersions: 5 }, { name: 'g' }],
    }),
    call('put', T, put('v', [cell('f', 'a', 'a1'), cell('f', 'b', 'b1')], { timestamp: 1n })),
    call('put', T, put('v', [cell('f', 'a', 'a2')], { timestamp: 2n })),
    call('put', T, put('v1', [cell('f', 'a', 'v1'), cell('g', '', 'g1')], { timestamp: 1n })),
  ],
  cases: listed('thrift2-argument', [...reads(), ...scanners(), ...writes(), ...counters()]),
}
