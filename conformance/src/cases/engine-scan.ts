/** Scans: ranges, direction, limits, parts of rows, offsets; over rows whose order is not that of text or numbers. */

import { type Case, type Request, rest, type Scenario, type ThriftValue } from '../runner/case.ts'
import { listed } from '../runner/case-list.ts'
import { bytes, createTable, get, put, scan } from './thrift2-requests.ts'

const TABLE = 'conf_scan'

/** Hierarchical keys, numbers as text, and bytes that are no text. */
const ROWS = [
  ['1', '1,3', '1,3,6', '1,3,7', '1,4', '1,4,8', '10', '10,77', '100,1', '2', '2,5', '2,5,9'],
  ['36578', '999995', '1025301', '914954', '65986', '952259', '1000117'],
  ['\x00', '\x00\x00', '\x01', '\x7f', '\x80', '\xff', '\xff\xff'],
].flat()

const COLUMNS = ['a:', 'a:1', 'a:2', 'b:1', 'b:2', 'b:3']

function setup(): Request[] {
  const cells = ROWS.flatMap((row) => [put(TABLE, row, 'a:1', `a of ${row}`, 7n)])
  const wide = COLUMNS.flatMap((name) =>
    [1n, 2n, 3n].map((timestamp) => put(TABLE, 'wide', name, `${name}@${timestamp}`, timestamp)),
  )
  const wider = COLUMNS.map((name) => put(TABLE, 'wider', name, name, 5n))
  return [
    createTable(TABLE, [
      { name: bytes('a'), maxVersions: 3 },
      { name: bytes('b'), maxVersions: 3 },
    ]),
    ...cells,
    ...wide,
    ...wider,
  ]
}

type Options = Readonly<Record<string, ThriftValue>>

const BOUNDS: readonly string[] = [
  '',
  '1',
  '1,3',
  '10,',
  '10,78',
  '2',
  '3',
  '\x00',
  '\x00\x00',
  '\xff',
  '\xff\xff\xff',
  'wide',
]

function ranges(): Options[] {
  return BOUNDS.flatMap((start) =>
    BOUNDS.flatMap((stop) =>
      [false, true].map((reversed) => ({ startRow: bytes(start), stopRow: bytes(stop), reversed })),
    ),
  )
}

function wideRows(): Options[] {
  const range = { startRow: bytes('wide'), stopRow: bytes('wideS') }
  const bothRows = { startRow: bytes('wide'), stopRow: bytes('widez') }
  return [1, 2, 3, 5, 100].flatMap((batchSize) => [
    { ...range, batchSize },
    { ...range, batchSize, maxVersions: 3 },
    { ...bothRows, batchSize, limit: 1 },
    { ...bothRows, batchSize, limit: 2 },
    { ...bothRows, batchSize, reversed: true },
    { ...bothRows, batchSize, columns: [{ family: bytes('b') }], maxVersions: 2 },
  ])
}

function limits(): Options[] {
  return [0, 1, 2, 5, 1000].flatMap((limit) => [
    { limit },
    { limit, reversed: true },
    { limit, startRow: bytes('10'), caching: 1 },
    { limit, columns: [{ family: bytes('b') }] },
  ])
}

function selections(): Options[] {
  const a1 = { family: bytes('a'), qualifier: bytes('1') }
  const choices: readonly ThriftValue[] = [
    [{ family: bytes('a') }],
    [a1],
    [{ family: bytes('a'), qualifier: bytes('') }],
    [{ family: bytes('a') }, a1],
    [a1, { family: bytes('a') }],
    [{ family: bytes('b'), qualifier: bytes('3') }, a1, a1],
    [{ family: bytes('b'), qualifier: bytes('nosuch') }],
    [{ family: bytes('nosuch') }],
    [],
  ]
  return choices.flatMap((columns) => [
    { columns, startRow: bytes('wide') },
    { columns, startRow: bytes('wide'), maxVersions: 3 },
    { columns, startRow: bytes('wide'), timeRange: { minStamp: 2n, maxStamp: 3n }, maxVersions: 3 },
  ])
}

function pagedGets(): Options[] {
  return [0, 1, 2, 4, 9].flatMap((storeOffset) =>
    [0, 1, 2, 3, 9].flatMap((storeLimit) => [
      { storeLimit, storeOffset },
      { storeLimit, storeOffset, maxVersions: 3, columns: [{ family: bytes('b') }] },
    ]),
  )
}

function range(minStamp: bigint, maxStamp: bigint): ThriftValue {
  return { minStamp, maxStamp }
}

function familyRanges(): Options[] {
  const choices: readonly Options[] = [
    { colFamTimeRangeMap: new Map([[bytes('a'), range(1n, 2n)]]) },
    {
      colFamTimeRangeMap: new Map([
        [bytes('a'), range(2n, 9n)],
        [bytes('b'), range(0n, 2n)],
      ]),
      maxVersions: 3,
    },
    { colFamTimeRangeMap: new Map([[bytes('b'), range(2n, 3n)]]), timeRange: range(3n, 9n), maxVersions: 3 },
  ]
  return choices.map((options) => ({ ...options, startRow: bytes('wide'), stopRow: bytes('wideS') }))
}

function restScans(): Request[] {
  const accept = { accept: 'application/json' }
  return [
    rest('GET', `/${TABLE}/10%2C*`, accept),
    rest('GET', `/${TABLE}/10*`, accept),
    rest('GET', `/${TABLE}/10,77`, accept),
    rest('GET', `/${TABLE}/10,77/a:1`, accept),
    rest('GET', `/${TABLE}/10%2C77`, accept),
    rest('GET', `/${TABLE}/1,2/a:1`, accept),
    rest('GET', `/${TABLE}/*?startrow=10&endrow=2&limit=3`, accept),
    rest('GET', `/${TABLE}/*?startrow=wide&reversed=true&limit=2`, accept),
    rest('GET', `/${TABLE}/wide*?batchsize=2`, accept),
    rest('GET', `/${TABLE}/wide*?maxversions=3&column=b:1,a:2`, accept),
    rest('GET', `/${TABLE}/wide*?starttime=1&endtime=3&maxversions=3`, accept),
  ]
}

function cases(): Case[] {
  return [
    ...listed(
      'engine-scan-range',
      ranges().map((options) => scan(TABLE, options)),
    ),
    ...listed(
      'engine-scan-batch',
      wideRows().map((options) => scan(TABLE, options)),
    ),
    ...listed(
      'engine-scan-limit',
      limits().map((options) => scan(TABLE, options)),
    ),
    ...listed(
      'engine-scan-rows',
      [1, 2, 5].map((rows) => scan(TABLE, {}, rows)),
    ),
    ...listed(
      'engine-scan-columns',
      selections().map((options) => scan(TABLE, options)),
    ),
    ...listed(
      'engine-scan-family-range',
      familyRanges().map((options) => scan(TABLE, options)),
    ),
    ...listed(
      'engine-get-page',
      pagedGets().map((options) => get(TABLE, 'wide', options)),
      { leaveOut: ['get wide'] },
    ),
    ...listed('engine-scan-rest', restScans()),
  ]
}

export const engineScan: Scenario = {
  name: 'engine-scan',
  tables: [TABLE],
  namespaces: [],
  setup: setup(),
  cases: cases(),
}
