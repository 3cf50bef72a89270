/**
 * Filters together, and with the other options of a scan: lists of many kinds, versions, limits, parts of rows,
 * direction, regions.
 */

import { type Case, LAST_SCANNER, type Request, rest, type Scenario, thrift2 } from '../runner/case.ts'
import { type Listed, listed, type NamedCase, named } from '../runner/case-list.ts'
import { filtered, filteredScanner, filterTable, regionsTable } from './filter-table.ts'
import { combinations } from './thrift-caller.ts'
import { call as call1 } from './thrift1-words.ts'
import { bytes, get } from './thrift2-requests.ts'
import { call as call2 } from './thrift2-words.ts'

const TABLE = 'conf_filter_merge'
const REGIONS = 'conf_filter_merge_regions'

/** One filter for each way to answer for a cell or a row. */
const KINDS: readonly string[] = [
  "RowFilter(!=, 'binary:b')",
  "PrefixFilter('ab')",
  "InclusiveStopFilter('b')",
  "FamilyFilter(=, 'binary:a')",
  "QualifierFilter(=, 'binary:1')",
  "ValueFilter(=, 'binary:two')",
  "ColumnPrefixFilter('1')",
  "MultipleColumnPrefixFilter('12', '2')",
  "ColumnRangeFilter('12', true, '3', false)",
  'TimestampsFilter(10, 20)',
  "SingleColumnValueFilter('a', '1', =, 'binary:uno', true, true)",
  "SingleColumnValueExcludeFilter('a', '2', =, 'binary:two')",
  "ColumnValueFilter('a', '1', !=, 'binary:one')",
  "DependentColumnFilter('a', '2')",
  'FirstKeyOnlyFilter()',
  'KeyOnlyFilter()',
  'PageFilter(2)',
  'ColumnCountGetFilter(2)',
  'ColumnPaginationFilter(2, 1)',
]

const PAIRS = combinations(KINDS, KINDS)
const TRIPLES = PAIRS.flatMap(([first, second], index) => {
  const third = KINDS[(index * 7 + 3) % KINDS.length]!
  return index % 3 === 0 ? [[first, second, third] as const] : []
})

const REGION_FILTERS: readonly string[] = [
  'PageFilter(1)',
  'PageFilter(3)',
  "PageFilter(2) AND ValueFilter(=, 'binary:odd')",
  "ValueFilter(=, 'binary:odd') AND PageFilter(2)",
  "WHILE RowFilter(!=, 'binary:r3')",
  "WHILE ValueFilter(!=, 'binary:6')",
  "SKIP ValueFilter(!=, 'binary:odd')",
  "InclusiveStopFilter('r3')",
  "InclusiveStopFilter('r4')",
  "PrefixFilter('r5')",
  "PrefixFilter('r')",
  "RowFilter(>=, 'binary:r6')",
  "RowFilter(=, 'regexstring:[37]$')",
  "SingleColumnValueFilter('a', '1', =, 'binary:even', true, true)",
  "SingleColumnValueExcludeFilter('a', '1', =, 'binary:even', true, true)",
  "SingleColumnValueFilter('a', 'n', >, 'binary:3')",
  'FirstKeyOnlyFilter()',
  'ColumnCountGetFilter(1)',
  'ColumnCountGetFilter(3)',
  'ColumnPaginationFilter(1, 1)',
  'ColumnPaginationFilter(3, 2)',
  "ColumnPrefixFilter('1')",
  "ColumnPrefixFilter('2')",
  "ColumnRangeFilter('11', true, '2', true)",
  "MultipleColumnPrefixFilter('11', '21', 'n')",
  'TimestampsFilter(2, 3)',
  'KeyOnlyFilter()',
  "DependentColumnFilter('a', '1', true)",
  "DependentColumnFilter('b', '2', false, =, 'binaryprefix:b:2@')",
  "ColumnValueFilter('a', '1', =, 'binary:odd')",
  "QualifierFilter(=, 'binary:n') OR FamilyFilter(=, 'binary:b')",
  "RowFilter(=, 'binary:r1') OR RowFilter(=, 'binary:r9')",
  "(PrefixFilter('r1') OR PrefixFilter('r8')) AND ColumnPrefixFilter('n')",
  "ValueFilter(=, 'regexstring:@2')",
]

/** Filters that leave a row as it is once they have let its cells pass: only with these does HBase give parts of rows. */
const IN_PARTS: readonly string[] = [
  "ColumnPrefixFilter('1')",
  "ColumnRangeFilter('11', true, '21', true)",
  "ValueFilter(!=, 'substring:@2')",
  "QualifierFilter(!=, 'binary:12')",
  'ColumnPaginationFilter(2, 2)',
  'ColumnCountGetFilter(4)',
  'KeyOnlyFilter()',
  'FirstKeyOnlyFilter()',
  'TimestampsFilter(1, 3)',
  "RowFilter(=, 'binary:r5wide')",
  "FamilyFilter(=, 'binary:b') OR ColumnPrefixFilter('11')",
]

function gets(): Request[] {
  return KINDS.flatMap((filter) => [
    get(TABLE, 'ab', { filterString: bytes(filter) }),
    get(TABLE, 'ab', { filterString: bytes(filter), maxVersions: 3 }),
    get(TABLE, 'b', { filterString: bytes(filter), storeLimit: 1, storeOffset: 1 }),
    get(TABLE, 'ab', {
      filterString: bytes(filter),
      columns: [{ family: bytes('a') }],
      timeRange: { minStamp: 5n, maxStamp: 25n },
    }),
    thrift2('exists', { table: bytes(TABLE), tget: { row: bytes('c'), filterString: bytes(filter) } }),
  ])
}

function manyGets(): NamedCase[] {
  return KINDS.flatMap((filterString) => {
    const asked = ['ab', 'none', 'b'].map((row) => ({ row, filterString }))
    return [
      named(`getMultiple ${filterString}`, call2('getMultiple', TABLE, asked)),
      named(`existsAll ${filterString}`, call2('existsAll', TABLE, asked)),
    ]
  })
}

/** Gets with unreadable filters, among gets with readable ones. */
const UNREAD: readonly Listed[] = [
  named('string', call2('get', TABLE, { row: 'ab', filterString: '(' })),
  named('empty string', call2('get', TABLE, { row: 'ab', filterString: '' })),
  named('exists unknown filter', call2('exists', TABLE, { row: 'ab', filterString: 'Nope()' })),
  named('getMultiple', call2('getMultiple', TABLE, [{ row: 'ab' }, { row: 'b', filterString: '(' }])),
  named('existsAll', call2('existsAll', TABLE, [{ row: 'ab' }, { row: 'b', filterString: '(' }])),
  named('bytes', call2('get', TABLE, { row: 'ab', filterBytes: '\xff' })),
  named('empty bytes', call2('get', TABLE, { row: 'ab', filterBytes: '' })),
  named(
    'bytes beside a string',
    call2('get', TABLE, { row: 'ab', filterString: 'KeyOnlyFilter()', filterBytes: '\xff' }),
  ),
  named('bytes and string', call2('get', TABLE, { row: 'ab', filterString: '(', filterBytes: '\xff' })),
  named('unknown table', call2('get', 'conf_filter_none', { row: 'ab', filterString: '(' })),
  named(
    'sound in an unknown table',
    call2('get', 'conf_filter_none', { row: 'ab', filterString: 'KeyOnlyFilter()' }),
  ),
  named('empty row', call2('get', TABLE, { row: '', filterString: '(' })),
  named('versions 0', call2('get', TABLE, { row: 'ab', filterString: '(', maxVersions: 0 })),
  named('openScanner', call2('openScanner', TABLE, { filterString: '(' })),
  named('openScanner bytes', call2('openScanner', TABLE, { filterBytes: '\xff' })),
  named('openScanner of an unknown table', call2('openScanner', 'conf_filter_none', { filterString: '(' })),
  named('scan of an unknown table', call2('getScannerResults', 'conf_filter_none', { filterString: '(' }, 5)),
  named('scan of minus 1 rows', call2('getScannerResults', TABLE, { filterString: '(' }, -1)),
  named('thrift1 unknown table', call1('scannerOpenWithScan', 'conf_filter_none', { filterString: '(' }, {})),
  named(
    'thrift1 unknown family',
    call1('scannerOpenWithScan', TABLE, { filterString: '(', columns: ['none:1'] }, {}),
  ),
]

function scanners(): NamedCase[] {
  return REGION_FILTERS.slice(0, 16).flatMap((filterString) => [
    named(`thrift2 ${filterString}`, [
      call2('openScanner', REGIONS, { filterString, caching: 2 }),
      call2('getScannerRows', LAST_SCANNER, 2),
      call2('getScannerRows', LAST_SCANNER, 100),
      call2('getScannerRows', LAST_SCANNER, 100),
      call2('closeScanner', LAST_SCANNER),
    ]),
    named(`thrift1 ${filterString}`, [
      call1('scannerOpenWithScan', REGIONS, { filterString, caching: 1 }, {}),
      call1('scannerGet', LAST_SCANNER),
      call1('scannerGetList', LAST_SCANNER, 3),
      call1('scannerGetList', LAST_SCANNER, 100),
      call1('scannerGetList', LAST_SCANNER, 100),
      call1('scannerClose', LAST_SCANNER),
    ]),
  ])
}

function regions(): NamedCase[] {
  return REGION_FILTERS.map((filter) =>
    named(filter, [
      filtered(REGIONS, filter),
      filtered(REGIONS, filter, { reversed: true }),
      filtered(REGIONS, filter, { limit: 3 }),
      filtered(REGIONS, filter, { maxVersions: 2, startRow: bytes('r5'), stopRow: bytes('r6') }),
      rest('GET', `/${REGIONS}/*?filter=${encodeURIComponent(filter)}`, { accept: 'application/json' }),
    ]),
  )
}

function parts(): NamedCase[] {
  const range = { startRow: bytes('r5wide'), stopRow: bytes('r5widf') }
  return combinations(IN_PARTS, [1, 2, 4]).map(([filter, batchSize]) =>
    named(`batch ${batchSize} ${filter}`, [
      filtered(REGIONS, filter, { ...range, batchSize }),
      filtered(REGIONS, filter, { ...range, batchSize, maxVersions: 3 }),
      ...filteredScanner(REGIONS, filter, { startRow: 'r5wide', stopRow: 'r6', batchSize }),
    ]),
  )
}

function pages(): NamedCase[] {
  return combinations(IN_PARTS, [1, 2, 5], [0, 1, 3]).map(([filter, storeLimit, storeOffset]) =>
    named(`limit ${storeLimit} offset ${storeOffset} ${filter}`, [
      get(REGIONS, 'r5wide', { filterString: bytes(filter), storeLimit, storeOffset }),
      get(REGIONS, 'r5wide', { filterString: bytes(filter), storeLimit, storeOffset, maxVersions: 3 }),
    ]),
  )
}

function cases(): Case[] {
  return [
    ...listed(
      'filter-merge-and',
      PAIRS.map((pair) => filtered(TABLE, pair.join(' AND '))),
    ),
    ...listed(
      'filter-merge-or',
      PAIRS.map((pair) => filtered(TABLE, pair.join(' OR '))),
    ),
    ...listed(
      'filter-merge-three',
      TRIPLES.flatMap(([a, b, c]) => [
        filtered(TABLE, `(${a} AND ${b}) OR ${c}`, { maxVersions: 2 }),
        filtered(TABLE, `(${a} OR ${b}) AND ${c}`, { maxVersions: 2 }),
      ]),
    ),
    ...listed(
      'filter-merge-wrapped',
      KINDS.flatMap((kind) => [
        filtered(TABLE, `SKIP ${kind}`),
        filtered(TABLE, `WHILE ${kind}`),
        filtered(TABLE, `SKIP ${kind} OR ${KINDS[1]}`),
        filtered(TABLE, `WHILE ${kind} OR ${KINDS[1]}`),
        filtered(TABLE, `SKIP (${kind} AND ${KINDS[3]})`, { maxVersions: 3 }),
        filtered(TABLE, `WHILE (${kind} AND ${KINDS[3]})`, { reversed: true }),
      ]),
    ),
    ...listed(
      'filter-options',
      KINDS.flatMap((kind) => [
        filtered(TABLE, kind, { maxVersions: 3 }),
        filtered(TABLE, kind, { reversed: true }),
        filtered(TABLE, kind, { limit: 2 }),
        filtered(TABLE, kind, {
          columns: [
            { family: bytes('a'), qualifier: bytes('1') },
            { family: bytes('a'), qualifier: bytes('2') },
          ],
        }),
        filtered(TABLE, kind, { timeRange: { minStamp: 5n, maxStamp: 25n }, maxVersions: 2 }),
        filtered(TABLE, kind, { columns: [{ family: bytes('b') }], maxVersions: 2, reversed: true }),
      ]),
    ),
    ...listed('filter-get', gets()),
    ...listed('filter-gets', manyGets()),
    ...listed('filter-unread', UNREAD),
    ...listed('filter-scanner', scanners()),
    ...listed('filter-regions', regions()),
    ...listed('filter-part', parts()),
    ...listed('filter-page', pages()),
  ]
}

export const filterMerge: Scenario = {
  name: 'filter-merge',
  tables: [TABLE, REGIONS],
  namespaces: [],
  setup: [...filterTable(TABLE), ...regionsTable(REGIONS)],
  cases: cases(),
}
