/** ClientService.Scan: how scanners are opened, asked, renewed and closed, and what their answers say beside rows. */

import { LAST_SCANNER, type RpcFields, type RpcRequest, rpc, type Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, named } from '../runner/case-list.ts'
import { columns, encodedRegion, region, scanAll } from './rpc-requests.ts'
import { combinations } from './thrift-caller.ts'
import { bytes, createTable, put } from './thrift2-requests.ts'

const TABLE = 'conf_rpc_scan'

const setup = [
  createTable(TABLE, [{ name: bytes('f'), maxVersions: 3 }, { name: bytes('g') }], ['m', 't']),
  ...'abcdefmnoptuv'.split('').map((row) => put(TABLE, row, 'f:a', `value of ${row}`, 5n)),
  ...['f:b', 'f:c', 'g:a', 'g:b'].map((name) => put(TABLE, 'c', name, `${name} of c`, 6n)),
  put(TABLE, 'd', 'f:a', 'younger', 8n),
]

const call = (message: RpcFields, withoutCodec = false): RpcRequest =>
  rpc('ClientService', 'Scan', message, { withoutCodec })

/** What Java's client of 2.x states in each call. */
const MODERN = { clientHandlesPartials: true, clientHandlesHeartbeats: true }

function open(scan: RpcFields, more: RpcFields = {}, row = ''): RpcRequest {
  return call({ region: region(TABLE, row), scan, ...more })
}
function next(numberOfRows: number, more: RpcFields = {}): RpcRequest {
  return call({ scannerId: LAST_SCANNER, numberOfRows, ...more })
}
const close = call({ scannerId: LAST_SCANNER, closeScanner: true, numberOfRows: 0 })

/** Openings: with or without rows, kept open or closed at once. */
function openings(): Listed[] {
  return combinations([undefined, 0, 1, 3, 100], [undefined, true], [{}, MODERN], [undefined, 2]).map(
    ([numberOfRows, closeScanner, modern, limitOfRows]) =>
      named(
        labelOf({
          open: numberOfRows ?? 'none',
          close: closeScanner,
          modern: modern === MODERN || undefined,
          limit: limitOfRows,
        }),
        [open({}, { numberOfRows, closeScanner, limitOfRows, ...modern }), next(2, modern), close],
      ),
  )
}

/** Pages of a scan to the end of its region and beyond. */
function pages(): Listed[] {
  return combinations([1, 2, 6, 7], [{}, MODERN], [false, true], ['', 'm', 't'] as const).map(
    ([rows, modern, reversed, start]) => {
      const scan = { startRow: bytes(start), reversed, stopRow: bytes('') }
      const calls = Array.from({ length: Math.min(5, Math.ceil(8 / rows)) }, () => next(rows, modern))
      return named(
        labelOf({
          pages: rows,
          modern: modern === MODERN || undefined,
          reversed: reversed || undefined,
          from: start,
        }),
        [open(scan, { numberOfRows: 0, ...modern }, start), ...calls, close],
      )
    },
  )
}

function limited(): Listed[] {
  return combinations([1, 2, 3, 5], [1, 2, 10], [{}, MODERN]).map(([limitOfRows, rows, modern]) =>
    named(labelOf({ 'limit of rows': limitOfRows, pages: rows, modern: modern === MODERN || undefined }), [
      open({}, { numberOfRows: rows, limitOfRows, ...modern }),
      next(rows, { ...modern, limitOfRows: Math.max(1, limitOfRows - rows) }),
    ]),
  )
}

/** Parts of rows: by batches, and by bytes. */
function partial(): Listed[] {
  return combinations([undefined, 1, 2, 3], [undefined, 1n, 60n, 200n], [{}, MODERN], [false, true]).map(
    ([batchSize, maxResultSize, modern, reversed]) =>
      named(
        labelOf({
          batch: batchSize,
          bytes: maxResultSize,
          modern: modern === MODERN || undefined,
          reversed: reversed || undefined,
        }),
        [
          open(
            {
              startRow: bytes(reversed ? 'd' : 'b'),
              stopRow: bytes(reversed ? 'a' : 'e'),
              reversed,
              batchSize,
              maxResultSize,
            },
            { numberOfRows: 100, ...modern },
            'b',
          ),
          next(100, modern),
          next(100, modern),
          close,
        ],
      ),
  )
}

function bounds(): Listed[] {
  const flags = [undefined, true, false]
  return combinations(['', 'b', 'bb', 'e'], ['', 'b', 'e', 'a'], flags, flags).map(
    ([from, to, includeStartRow, includeStopRow]) =>
      named(
        labelOf({ from, to, start: includeStartRow, stop: includeStopRow }),
        scanAll(TABLE, { startRow: bytes(from), stopRow: bytes(to), includeStartRow, includeStopRow }),
      ),
  )
}

function sequences(): Listed[] {
  const opened = open({}, { numberOfRows: 1 })
  return [
    named('sequence right', [opened, next(1, { nextCallSeq: 1n }), next(1, { nextCallSeq: 2n }), close]),
    named('sequence from zero', [
      open({}, { numberOfRows: 0 }),
      next(1, { nextCallSeq: 0n }),
      next(1, { nextCallSeq: 1n }),
      close,
    ]),
    named('sequence repeated', [opened, next(1, { nextCallSeq: 1n }), next(1, { nextCallSeq: 1n }), next(1)]),
    named('sequence ahead', [opened, next(1, { nextCallSeq: 9n }), next(1)]),
    named('renewed', [opened, next(0, { renew: true }), next(1), close]),
    named('renewed with a sequence', [
      opened,
      next(0, { renew: true, nextCallSeq: 1n }),
      next(1, { nextCallSeq: 1n }),
      close,
    ]),
    named('closed twice', [opened, close, close]),
    named('next after close', [opened, close, next(1)]),
    named('scanner of nobody', call({ scannerId: 1n, numberOfRows: 1 })),
    named('close of nobody', call({ scannerId: 1n, closeScanner: true })),
    named('renewal of nobody', call({ scannerId: 1n, renew: true })),
    named('no scanner and no scan', call({ region: region(TABLE), numberOfRows: 1 })),
    named('nothing at all', call({})),
    named('rows after the end', [open({ startRow: bytes('v') }, { numberOfRows: 5 }, 'v'), next(5), close]),
    named('rows after the end modern', [
      open({ startRow: bytes('v') }, { numberOfRows: 5, ...MODERN }, 'v'),
      next(5, MODERN),
      close,
    ]),
  ]
}

function regions(): Listed[] {
  return [
    named(
      'encoded region',
      call({ region: encodedRegion(TABLE, 'm'), scan: {}, numberOfRows: 2, closeScanner: true }),
    ),
    named('region of no table', call({ region: region('conf_rpc_none'), scan: {}, numberOfRows: 2 })),
    named(
      'start before the region',
      call({
        region: region(TABLE, 'm'),
        scan: { startRow: bytes('a') },
        numberOfRows: 9,
        closeScanner: true,
      }),
    ),
    named(
      'start behind the region',
      call({
        region: region(TABLE, 'a'),
        scan: { startRow: bytes('u') },
        numberOfRows: 9,
        closeScanner: true,
      }),
    ),
    named(
      'stop in the region',
      call({
        region: region(TABLE, 'm'),
        scan: { startRow: bytes('m'), stopRow: bytes('o') },
        numberOfRows: 9,
        closeScanner: true,
        ...MODERN,
      }),
    ),
    named(
      'stop at the end of the region',
      call({
        region: region(TABLE, 'm'),
        scan: { startRow: bytes('m'), stopRow: bytes('t') },
        numberOfRows: 9,
        closeScanner: true,
        ...MODERN,
      }),
    ),
    named(
      'stop behind the region',
      call({
        region: region(TABLE, 'm'),
        scan: { startRow: bytes('m'), stopRow: bytes('v') },
        numberOfRows: 9,
        ...MODERN,
      }),
    ),
    named(
      'reversed from behind the region',
      call({
        region: region(TABLE, 'm'),
        scan: { startRow: bytes('z'), reversed: true },
        numberOfRows: 9,
        closeScanner: true,
      }),
    ),
    named(
      'reversed of all',
      call({
        region: region(TABLE, 'z'),
        scan: { reversed: true },
        numberOfRows: 9,
        closeScanner: true,
        ...MODERN,
      }),
    ),
  ]
}

function fields(): Listed[] {
  const plain: readonly (readonly [string, RpcFields])[] = [
    ['caching', { caching: 3 }],
    ['cache blocks false', { cacheBlocks: false }],
    ['small', { small: true }],
    ['small reversed', { small: true, reversed: true, startRow: bytes('f') }],
    ['load families on demand', { loadColumnFamiliesOnDemand: true }],
    ['consistency timeline', { consistency: 1 }],
    ['allow partial', { allowPartialResults: true }],
    ['read type stream', { readType: 1 }],
    ['read type pread', { readType: 2 }],
    ['cursor', { needCursorResult: true }],
    ['versions', { maxVersions: 3 }],
    ['raw', { attribute: [{ name: '_raw_', value: bytes('\xff') }], maxVersions: 9 }],
    ['family', { column: columns('g') }],
    ['family nosuch', { column: columns('x') }],
    ['column', { column: columns('f:c') }],
    ['time', { timeRange: { from: 6n, to: 7n } }],
    ['time of a family', { cfTimeRange: [{ columnFamily: bytes('f'), timeRange: { from: 6n, to: 7n } }] }],
    ['offset', { storeOffset: 1 }],
    ['limit', { storeLimit: 1 }],
    [
      'filter broken',
      { filter: { name: 'org.apache.hadoop.hbase.filter.PrefixFilter', serializedFilter: bytes('\xff') } },
    ],
    ['filter unknown', { filter: { name: 'org.example.NoFilter' } }],
    [
      'filter page',
      { filter: { name: 'org.apache.hadoop.hbase.filter.PageFilter', serializedFilter: bytes('\x08\x02') } },
    ],
    [
      'filter that passes nothing',
      {
        filter: { name: 'org.apache.hadoop.hbase.filter.PrefixFilter', serializedFilter: bytes('\x0a\x01~') },
      },
    ],
  ]
  return plain.flatMap(([word, scan]) => [
    named(`field ${word}`, scanAll(TABLE, scan)),
    named(`field ${word} modern`, [open(scan, { numberOfRows: 3, ...MODERN }), next(100, MODERN), close]),
    named(`field ${word} without a codec`, { ...scanAll(TABLE, scan), withoutCodec: true }),
  ])
}

function metrics(): Listed[] {
  return [
    named('metrics are not asked', scanAll(TABLE)),
    named('filter reads on modern', [
      open(
        {
          filter: {
            name: 'org.apache.hadoop.hbase.filter.PrefixFilter',
            serializedFilter: bytes('\x0a\x01d'),
          },
        },
        { numberOfRows: 9, ...MODERN },
      ),
      close,
    ]),
    named(
      'meta by prefix',
      call({
        region: region('hbase:meta'),
        scan: { startRow: bytes('conf_rpc_none,'), stopRow: bytes('conf_rpc_none-') },
        numberOfRows: 9,
        closeScanner: true,
      }),
    ),
    named(
      'meta states of a table',
      call({
        region: region('hbase:meta'),
        scan: { startRow: bytes(TABLE), stopRow: bytes(`${TABLE},`), column: columns('table') },
        numberOfRows: 9,
        closeScanner: true,
      }),
    ),
    named(
      'meta reversed for a row',
      call({
        region: region('hbase:meta'),
        scan: {
          startRow: bytes(`${TABLE},b,99999999999999`),
          stopRow: bytes(`${TABLE},,`),
          reversed: true,
          column: columns('info:nosuch'),
        },
        numberOfRows: 1,
        closeScanner: true,
      }),
    ),
  ]
}

export const rpcScan: Scenario = {
  name: 'rpc-scan',
  tables: [TABLE],
  namespaces: [],
  setup,
  cases: [
    ...listed('rpc-scan-openings', openings()),
    ...listed('rpc-scan-pages', pages()),
    ...listed('rpc-scan-limited', limited()),
    ...listed('rpc-scan-partial', partial()),
    ...listed('rpc-scan-bounds', bounds()),
    ...listed('rpc-scan-sequences', sequences()),
    ...listed('rpc-scan-regions', regions()),
    ...listed('rpc-scan-fields', fields()),
    ...listed('rpc-scan-metrics', metrics()),
  ],
}
