/** The filters of worked examples: hierarchical keys, many rows and columns, a time series' row keys. */

import { type Case, type Request, rest, type Scenario, thrift2 } from '../runner/case.ts'
import { listed, named } from '../runner/case-list.ts'
import { compare, regex } from './filter-protobuf.ts'
import { filtered, filteredScanner } from './filter-table.ts'
import { bytes, CompareOp, createTable, put, scan } from './thrift2-requests.ts'

const CAMPAIGNS = 'conf_PROD_COW_FILTER'
const MANY = 'conf_filter_many'
const SERIES = 'conf_filter_tsdb'

const IDS = [
  '1',
  '1,3',
  '1,3,6',
  '1,3,7',
  '1,4',
  '1,4,8',
  '10',
  '10,77',
  '100,1',
  '2',
  '2,5',
  '2,5,9',
  '1000117',
]

const ON_CAMPAIGNS = [
  "PrefixFilter('10,')",
  "PrefixFilter('10')",
  "PrefixFilter('1,3')",
  "ValueFilter(=, 'substring:VISIT_WEB')",
  "ValueFilter(=, 'substring:visit_web')",
  'KeyOnlyFilter()',
  "PrefixFilter('1,') AND KeyOnlyFilter()",
  "PrefixFilter('10') AND ValueFilter(=, 'substring:VISIT_WEB')",
  "RowFilter(=, 'regexstring:^[^,]+$')",
]

/** Row-1 to row-100; only a few of them have all hundred columns, as the examples are about rows. */
function manyRows(): Request[] {
  const numbers = Array.from({ length: 100 }, (_, index) => index + 1)
  const tputs = numbers.map((row) => ({
    row: bytes(`row-${row}`),
    columnValues: (row === 22 ? numbers : [1]).map((column) => ({
      family: bytes('d'),
      qualifier: bytes(`col-${column}`),
      value: bytes(`value-${column}`),
      timestamp: 7n,
    })),
  }))
  return [createTable(MANY, [{ name: bytes('d') }]), thrift2('putMultiple', { table: bytes(MANY), tputs })]
}

const ON_MANY = [
  "RowFilter(<=, 'binary:row-22')",
  "RowFilter(<=, 'binary:row-22') AND FirstKeyOnlyFilter()",
  "RowFilter(=, 'binary:row-22') AND ColumnPrefixFilter('col-2')",
  "RowFilter(=, 'binary:row-22') AND ColumnRangeFilter('col-10', true, 'col-12', true)",
  "RowFilter(=, 'binary:row-22') AND ColumnPaginationFilter(3, 5)",
  'PageFilter(3) AND KeyOnlyFilter()',
  "InclusiveStopFilter('row-11')",
]

/** Metric, hour, then pairs of a tag's name and value, each of 3 bytes; OpenTSDB puts no salt before them here. */
const METRIC = '\x00\x00\x01'
const HOUR = '\x5e\x0b\xe1\x00'
const KEYS = [
  [],
  [['\x00\x00\x01', '\x00\x00\x01']],
  [['\x00\x00\x01', '\x00\x00\x02']],
  [['\x00\x00\x01', '\x00\x00\x0a']],
  [['\x00\x00\x02', '\x00\x00\xff']],
  [
    ['\x00\x00\x01', '\x00\x00\x01'],
    ['\x00\x00\x02', '\xe9\x28\x29'],
  ],
  [
    ['\x00\x00\x01', '\x00\x00\x02'],
    ['\x00\x00\x02', '\x5c\x45\x2e'],
  ],
] as const

function seriesTable(): Request[] {
  return [
    createTable(SERIES, [{ name: bytes('t') }]),
    ...KEYS.map((tags) => put(SERIES, METRIC + HOUR + tags.flat().join(''), 't:\x00\x00', '\x2a', 7n)),
  ]
}

const SERIES_PATTERNS: Readonly<Record<string, string>> = {
  'tag with one value': '(?s)^.{7}(?:.{6})*\\Q\u0000\u0000\u0001\\E(?:\\Q\u0000\u0000\u0001\\E)(?:.{6})*$',
  'tag with either of two values':
    '(?s)^.{7}(?:.{6})*\\Q\u0000\u0000\u0001\\E(?:\\Q\u0000\u0000\u0001\\E|\\Q\u0000\u0000\u0002\\E)(?:.{6})*$',
  'tag with a newline': '(?s)^.{7}(?:.{6})*\\Q\u0000\u0000\u0001\\E(?:\\Q\u0000\u0000\n\\E)(?:.{6})*$',
  'tag with ff': '(?s)^.{7}(?:.{6})*\\Q\u0000\u0000\u0002\\E(?:\\Q\u0000\u0000\u00ff\\E)(?:.{6})*$',
  'value with parentheses': '(?s)^.{7}(?:.{6})*\\Q\u0000\u0000\u0002\\E(?:\\Q\u00e9()\\E)(?:.{6})*$',
  'value with a quote end': '(?s)^.{7}(?:.{6})*\\Q\u0000\u0000\u0002\\E(?:\\Q\\E\\\\E\\Q.\\E)(?:.{6})*$',
  'tag with any value': '(?s)^.{7}(?:.{6})*\\Q\u0000\u0000\u0001\\E(?:.{3})(?:.{6})*$',
  'no tag first': '(?s)^.{7}(?!\\Q\u0000\u0000\u0001\\E)(?:.{6})*$',
  'tag nowhere': '(?s)^.{7}(?!(?:.{6})*\\Q\u0000\u0000\u0001\\E).*$',
  'tag in no place': '(?s)^.{7}(?:(?!\\Q\u0000\u0000\u0002\\E).{6})*$',
}

/** Names the filter alone, and names capitals. */
function labelled(filter: string): string {
  return filter.replace('VISIT_WEB', 'upper case VISIT_WEB')
}

const restScan =
  (table: string) =>
  (filter: string): Request =>
    rest('GET', `/${table}/*?filter=${encodeURIComponent(filter)}`, { accept: 'application/json' })

function cases(): Case[] {
  return [
    ...listed(
      'filter-examples-hierarchy',
      ON_CAMPAIGNS.map((filter) => named(labelled(filter), filtered(CAMPAIGNS, filter))),
    ),
    ...listed(
      'filter-examples-hierarchy-thrift1',
      ON_CAMPAIGNS.map((filter) => named(labelled(filter), filteredScanner(CAMPAIGNS, filter))),
    ),
    ...listed(
      'filter-examples-hierarchy-rest',
      ON_CAMPAIGNS.map((filter) => named(labelled(filter), restScan(CAMPAIGNS)(filter))),
    ),
    ...listed(
      'filter-examples-many',
      ON_MANY.map((filter) => named(filter, filtered(MANY, filter))),
    ),
    ...listed(
      'filter-examples-many-rest',
      ON_MANY.map((filter) => named(filter, restScan(MANY)(filter))),
    ),
    ...listed('filter-examples-many-range', [
      scan(MANY, { startRow: bytes('row-10'), stopRow: bytes('row-20') }),
    ]),
    ...listed(
      'filter-examples-series',
      Object.entries(SERIES_PATTERNS).map(([label, pattern]) =>
        named(
          label,
          scan(SERIES, {
            filterBytes: compare('RowFilter', CompareOp.EQUAL, regex(pattern, 32, 'ISO-8859-1')),
          }),
        ),
      ),
    ),
  ]
}

export const filterExamples: Scenario = {
  name: 'filter-examples',
  tables: [CAMPAIGNS, MANY, SERIES],
  namespaces: [],
  setup: [
    createTable(CAMPAIGNS, [{ name: bytes('d'), maxVersions: 10 }]),
    ...IDS.map((id, index) => {
      const action = ['VISIT_WEB', 'visit_web', 'BUY'][index % 3]!
      return put(CAMPAIGNS, id, 'd:m', `{"id":"${id}","action":"${action}"}`, 7n)
    }),
    ...manyRows(),
    ...seriesTable(),
  ],
  cases: cases(),
}
