/** Fields of scans, regions that they name, and scans of hbase:meta: parts of the scenario `rpc-scan`. */

import type { RpcFields } from '../runner/case.ts'
import { type Listed, named } from '../runner/case-list.ts'
import { columns, encodedRegion, region, scanAll } from './rpc-requests.ts'
import { call, close, MODERN, next, open, TABLE } from './rpc-scan-calls.ts'
import { bytes } from './thrift2-requests.ts'

export function regions(): Listed[] {
  return [
    named(
      'encoded region',
      call({ region: encodedRegion(TABLE, 'm'), scan: {}, numberOfRows: 2, closeScanner: true }),
    ),
    named('region of no table', call({ region: region('conf_rpc_none'), scan: {}, numberOfRows: 2 })),
  ]
}

export function boundsOfRegions(): Listed[] {
  return [
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

export function fields(): Listed[] {
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

export function metrics(): Listed[] {
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
    ...metaRanges(),
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

/** The texts behind the table's name at the start and at the end of the range. */
const META_RANGES: readonly (readonly [name: string, from: string, to: string])[] = [
  ['its regions', ',,', ';'],
  ['one comma on', ',', ';'],
  ['its state', '', ',,'],
  ['all of it', '', ';'],
  ['one comma to two', ',', ',,'],
  ['a key to a region of it', ',b', ',b,'],
  ['the first region to the second', ',,', ',b,'],
  ['an id to another', ',,9', ',,99999999999999'],
]

function metaRanges(): Listed[] {
  return META_RANGES.flatMap(([name, from, to]) =>
    [false, true].map((reversed) =>
      named(
        `meta from ${name}${reversed ? ' reversed' : ''}`,
        call({
          region: region('hbase:meta'),
          scan: {
            startRow: bytes(`${TABLE}${reversed ? to : from}`),
            stopRow: bytes(`${TABLE}${reversed ? from : to}`),
            reversed,
            column: [...columns('table:state'), ...columns('info:state')],
          },
          numberOfRows: 9,
          closeScanner: true,
        }),
      ),
    ),
  )
}
