/** Thrift 2: scans, whole and by pages. */

import { type Case, LAST_SCANNER, type Request, type Scenario } from '../runner/case.ts'
import { type Listed, labelOf, listed, type NamedCase, named } from '../runner/case-list.ts'
import { requestWords } from '../runner/request-words.ts'
import { combinations, type Fields, MAX, MIN } from './thrift-caller.ts'
import { call, cell, column, family, put, range, table } from './thrift2-words.ts'

const T = 'conf_t2_scans'
const rows = (fields: Fields, count = 100) => call('getScannerResults', T, fields, count)
const ROWS = ['a', 'b', 'c', 'm', 'n', 't', 'z']
const BOUNDS = [undefined, '', 'b', 'bb', 'm', 'n', 'zz']

function ranges(): Request[] {
  return combinations(BOUNDS, BOUNDS, [undefined, true]).map(([startRow, stopRow, reversed]) =>
    rows({ startRow, stopRow, reversed, columns: [column('f', '1')] }),
  )
}

const COLUMNS: readonly (readonly Fields[] | undefined)[] = [
  undefined,
  [column('f', '1')],
  [column('g')],
  [column('f', '1'), column('g', '3')],
]

function options(): Listed[] {
  return [
    ...combinations([undefined, 0, 1, 2, 4, 7, -1], COLUMNS, [undefined, 1, 2]).map(
      ([batchSize, columns, limit]) => rows({ startRow: 'b', stopRow: 'n', batchSize, columns, limit }),
    ),
    ...combinations([undefined, 1, 2, 100], [undefined, 2, 4], [undefined, true]).map(
      ([caching, batchSize, reversed]) => rows({ caching, batchSize, reversed }),
    ),
    ...combinations(
      [undefined, range(0n, 5n), range(4n, 6n), range(5n, 6n), range(6n, MAX), range(0n, MAX)],
      [undefined, 1, 2, 3],
    ).map(([timeRange, maxVersions]) => rows({ stopRow: 'c', timeRange, maxVersions })),
    ...combinations(
      [undefined, { f: range(0n, 5n) }, { f: range(5n, 6n), g: range(0n, 1n) }, { nof: range(0n, 5n) }, {}],
      [undefined, range(5n, 6n)],
    ).map(([colFamTimeRangeMap, timeRange]) => {
      const request = rows({ stopRow: 'c', maxVersions: 3, colFamTimeRangeMap, timeRange })
      return named(`family ranges ${requestWords(request)}`, request)
    }),
    ...combinations([-1, 0, 1, 2, 3, 100], [undefined, true], [1, 2, 100]).map(([limit, reversed, count]) =>
      rows({ limit, reversed, columns: [column('f', '1')] }, count),
    ),
  ]
}

const FIELDS: readonly Fields[] = [
  {},
  { columns: [column('nof')] },
  { columns: [column('f', '9')] },
  { columns: [column('', '1')] },
  { columns: [] },
  { columns: [column('f', '1', 4n)] },
  { maxVersions: 0 },
  { maxVersions: -1 },
  { timeRange: range(6n, 5n) },
  { timeRange: range(-6n, 5n) },
  { timeRange: range(MIN, MAX) },
  { timeRange: range(5n, 5n) },
  { caching: 0 },
  { caching: -1 },
  ...[1, 2, 3].map((readType) => ({ readType, stopRow: 'c' })),
  ...[true, false].map((cacheBlocks) => ({ cacheBlocks, stopRow: 'c' })),
  ...[1, 2].map((consistency) => ({ consistency, stopRow: 'c' })),
  { attributes: { some: 'thing' }, stopRow: 'c' },
  { authorizations: { labels: ['a'] }, stopRow: 'c' },
  { reversed: false, stopRow: 'c' },
  { startRow: 'x'.repeat(40000) },
  { startRow: '\x00' },
  { startRow: '\xff' },
  { filterString: "RowFilter(=, 'binary:b')" },
  { filterString: 'PageFilter(2)' },
  { filterString: '(' },
  { filterString: '' },
  { filterBytes: '\n\x00' },
  { targetReplicaId: 0, stopRow: 'c' },
]

const counts: readonly Request[] = [
  ...[2, 0, -1, 7, 8, null].map((count) => call('getScannerResults', T, {}, count)),
  call('getScannerResults', T, { batchSize: 2, caching: 1 }, 3),
  ...['nope', 'bad name', '', 'nons:x', `default:${T}`].map((each) => call('getScannerResults', each, {}, 1)),
]

const page = (count?: number) => call('getScannerRows', LAST_SCANNER, count)
const close = call('closeScanner', LAST_SCANNER)

function pages(): NamedCase[] {
  return combinations([undefined, 1, 2, 100], [undefined, 2, 4], [undefined, true], [1, 2, 5]).map(
    ([caching, batchSize, reversed, count]) =>
      named(labelOf({ caching, batchSize, reversed, count }), [
        call('openScanner', T, { caching, batchSize, reversed, columns: [column('f')] }),
        page(count),
        page(count),
        page(100),
        page(100),
        close,
      ]),
  )
}

const life: readonly Listed[] = [
  [call('openScanner', 'nope', {}), page(1), close],
  [call('openScanner', 'nons:x', {}), page(1), close],
  call('openScanner', 'bad name', {}),
  call('openScanner', '', {}),
  [call('openScanner', T, { columns: [column('nof')] }), page(1), close],
  named('read to its end', [
    call('openScanner', T, {}),
    page(2),
    page(0),
    page(),
    page(100),
    page(100),
    close,
  ]),
  named('read of minus 1 rows', [call('openScanner', T, {}), page(-1), close]),
  named('read after close', [call('openScanner', T, {}), close, close, page(1)]),
  [call('openScanner', T, { limit: 3 }), page(2), page(2), page(2), close],
  [call('openScanner', T, { limit: 2, batchSize: 2 }), page(2), page(100), page(100), close],
  named('put while open', [
    call('openScanner', T, {}),
    call('put', T, put('zz', [cell('f', '1', 'late')], { timestamp: 5n })),
    page(100),
    close,
    call('deleteSingle', T, { row: 'zz' }),
  ]),
  ...[99999, -1, 99998].flatMap((id) => [call('getScannerRows', id, 1), call('closeScanner', id)]),
]

const cases: Case[] = [
  ...listed('thrift2-scan-range', ranges()),
  ...listed('thrift2-scan', options()),
  ...listed(
    'thrift2-scan-field',
    FIELDS.map((fields) => rows(fields)),
  ),
  ...listed('thrift2-scan-count', counts),
  ...listed('thrift2-scan-page', pages()),
  ...listed('thrift2-scanner', life),
]

export const thrift2Scans: Scenario = {
  name: 'thrift2-scans',
  tables: [T],
  namespaces: [],
  setup: [
    call('createTable', table(T, [family('f', { maxVersions: 3 }), family('g')]), ['m', 't']),
    call(
      'putMultiple',
      T,
      ROWS.map((row) =>
        put(
          row,
          ['1', '2', '3'].flatMap((q) => [cell('f', q, row + q), cell('g', q, 'g')]),
          { timestamp: 5n },
        ),
      ),
    ),
    call('put', T, put('a', [cell('f', '1', 'old')], { timestamp: 4n })),
  ],
  cases,
}
