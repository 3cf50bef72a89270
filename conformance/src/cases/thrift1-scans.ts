/** Thrift 1: scanners. */

import { type Case, LAST_SCANNER, type Request, type Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, type NamedCase, named } from '../runner/case-list.ts'
import { type Argument, combinations, type Fields, MAX, MIN } from './thrift-caller.ts'
import { call, family, put } from './thrift1-words.ts'

const T = 'conf_t1_scans'
const SPLIT = 'conf_t1_scans_split'

const all = call('scannerGetList', LAST_SCANNER, 100)
const close = call('scannerClose', LAST_SCANNER)
const read = (method: string, ...args: readonly Argument[]) => [call(method, ...args), all, close]
const scan = (table: string, fields: Fields) => read('scannerOpenWithScan', table, fields, {})

const COLUMN_LISTS: readonly (readonly string[] | null)[] = [
  ['f:a'],
  ['g'],
  ['f', 'g:c'],
  ['f:none'],
  [],
  null,
]
const BOUNDS = [undefined, '', 's', 's2', 't1', '\xff']

function ranges(): Request[][] {
  return combinations(BOUNDS, BOUNDS, [undefined, true]).map(([startRow, stopRow, reversed]) =>
    scan(SPLIT, { startRow, stopRow, reversed, columns: ['f:a'] }),
  )
}

function options(): Listed[] {
  return [
    ...combinations([undefined, 0, 1, 2, 3, 4, -1], [undefined, ['f'], ['f:a', 'g']], [undefined, 1, 2]).map(
      ([batchSize, columns, caching]) => scan(T, { stopRow: 's3', batchSize, columns, caching }),
    ),
    ...combinations([undefined, true, false], [undefined, 1, 2], [undefined, ['f'], []]).map(
      ([sortColumns, batchSize, columns]) =>
        named(
          labelOf({ sort: sortColumns ?? 'unsaid', batchSize, columns: columns?.join(' ') }),
          scan(T, { stopRow: 's3', sortColumns, batchSize, columns }),
        ),
    ),
    ...combinations([0n, 1n, 4n, 5n, 6n, MAX], COLUMN_LISTS).map(([timestamp, columns]) =>
      scan(T, { stopRow: 's2', timestamp, columns }),
    ),
    ...[0, -5, 1, 2, 1000].map((caching) => scan(T, { caching, columns: ['g'] })),
    ...[true, false].map((cacheBlocks) => scan(T, { cacheBlocks, columns: ['g'] })),
    scan(T, { batchSize: 1, reversed: true, sortColumns: true }),
    scan(T, { batchSize: 2, reversed: true }),
    ...[-5n, MIN].map((timestamp) => scan(T, { timestamp })),
    ...["RowFilter(=, 'binary:s2')", 'KeyOnlyFilter()', '(', ''].map((filterString) =>
      scan(T, { filterString }),
    ),
    scan(T, { startRow: 'x'.repeat(40000) }),
    scan(T, { columns: ['nof'] }),
    scan(T, { columns: [''] }),
    scan(T, { columns: [':a'] }),
  ]
}

function opens(): Request[][] {
  return COLUMN_LISTS.flatMap((columns) => [
    ...['', 's', 's2', 's22', '\xff'].map((start) => read('scannerOpen', T, start, columns, {})),
    ...(
      [
        ['s', 's3'],
        ['s2', 's2'],
        ['s3', 's1'],
        ['', ''],
      ] as const
    ).map(([start, stop]) => read('scannerOpenWithStop', T, start, stop, columns, {})),
    ...['s', 't1', 'x', '', '\xff'].map((prefix) => read('scannerOpenWithPrefix', T, prefix, columns, {})),
    ...[0n, 5n, 6n].map((time) => read('scannerOpenTs', T, 's', columns, time, {})),
    ...[4n, 5n].map((time) => read('scannerOpenWithStopTs', T, 's', 't', columns, time, {})),
  ])
}

function pages(): NamedCase[] {
  return combinations([undefined, 1, 2, 100], [undefined, 1, 2], [1, 2, 3]).map(
    ([caching, batchSize, count]) =>
      named(labelOf({ caching, batchSize, count }), [
        call('scannerOpenWithScan', T, { caching, batchSize, columns: ['f'] }, {}),
        ...[1, 2, 3].map(() => call('scannerGetList', LAST_SCANNER, count)),
        call('scannerGet', LAST_SCANNER),
        all,
        all,
        close,
      ]),
  )
}

const life: readonly Listed[] = [
  named('read to its end', [
    call('scannerOpen', T, 's', ['f:a'], {}),
    call('scannerGet', LAST_SCANNER),
    call('scannerGetList', LAST_SCANNER, 2),
    call('scannerGetList', LAST_SCANNER, 0),
    all,
    all,
    call('scannerGet', LAST_SCANNER),
    close,
  ]),
  named('read of minus 1 rows', [
    call('scannerOpen', T, 's', ['f:a'], {}),
    call('scannerGetList', LAST_SCANNER, -1),
    close,
  ]),
  named('read after the end', [
    call('scannerOpen', T, 's', ['f:a'], {}),
    call('scannerGetList', LAST_SCANNER, 1000),
    all,
    all,
    call('scannerGet', LAST_SCANNER),
    call('scannerGetList', LAST_SCANNER, -1),
    close,
    close,
    all,
  ]),
  named('read after close', [
    call('scannerOpen', T, 's', [], {}),
    close,
    close,
    call('scannerGet', LAST_SCANNER),
    all,
  ]),
  call('scannerGetList', 999999, 1),
  call('scannerGet', 999999),
  call('scannerClose', 999999),
  call('scannerClose', -1),
  [call('scannerOpen', T, 's', ['nof:a'], {}), call('scannerGetList', LAST_SCANNER, 1), close],
  [call('scannerOpen', T, 's', ['f:a'], { some: 'thing' }), all, close],
  [call('scannerOpen', T, null, null, null), all, close],
  [
    call('scannerOpenWithScan', T, {}, {}),
    call('mutateRowTs', T, 'zz', [put('f:a', 'late')], 5n, {}),
    all,
    close,
    call('deleteAllRow', T, 'zz', {}),
  ],
  call('scannerOpen', T, 'x'.repeat(40000), [], {}),
  call('scannerOpenTs', T, 's', [], -5n, {}),
  call('scannerOpenWithStopTs', T, 's', 't', [], -5n, {}),
  named('without scan', call('scannerOpenWithScan', T, null, {})),
  ...['nope', 'nons:x', 'bad name', ''].flatMap((table) => [
    [call('scannerOpen', table, '', [], {}), call('scannerGetList', LAST_SCANNER, 1)],
    [call('scannerOpenWithStop', table, '', 's', [], {}), call('scannerGetList', LAST_SCANNER, 1)],
    [call('scannerOpenWithPrefix', table, 's', [], {}), call('scannerGetList', LAST_SCANNER, 1)],
    [call('scannerOpenTs', table, '', [], 5n, {}), call('scannerGetList', LAST_SCANNER, 1)],
    [call('scannerOpenWithStopTs', table, '', 's', [], 5n, {}), call('scannerGetList', LAST_SCANNER, 1)],
    [call('scannerOpenWithScan', table, {}, {}), call('scannerGetList', LAST_SCANNER, 1)],
  ]),
]

function filled(table: string): Request[] {
  return [
    ...['s1', 's2', 's3', 't1', '\xff'].map((row) =>
      call('mutateRowTs', table, row, [put('f:a', row), put('f:b', 'b'), put('g:c', 'c')], 5n, {}),
    ),
    call('mutateRowTs', table, 's1', [put('f:a', 'older')], 4n, {}),
  ]
}

const cases: Case[] = [
  ...listed('thrift1-scan-range', ranges()),
  ...listed('thrift1-scan', options()),
  ...listed('thrift1-scan-open', opens()),
  ...listed('thrift1-scan-page', pages()),
  ...listed('thrift1-scanner', life),
]

export const thrift1Scans: Scenario = {
  name: 'thrift1-scans',
  tables: [T, SPLIT],
  namespaces: [],
  setup: [
    call('createTable', T, [family('f', { maxVersions: 5 }), family('g')]),
    {
      door: 'thrift2',
      method: 'createTable',
      args: {
        desc: {
          tableName: { qualifier: Buffer.from(SPLIT) },
          columns: [{ name: Buffer.from('f') }, { name: Buffer.from('g') }],
        },
        splitKeys: [Buffer.from('s2'), Buffer.from('t')],
      },
    },
    ...filled(T),
    ...filled(SPLIT),
  ],
  cases,
}
