/** Every filter that compares, with every operator and comparator of the filter language, through both Thrift services and REST. */

import { type Case, type Request, rest, type Scenario } from '../runner/case.ts'
import { listed } from '../runner/case-list.ts'
import { filtered, filteredScanner, filterTable } from './filter-table.ts'
import { combinations } from './thrift-caller.ts'

const TABLE = 'conf_filter_compare'

const OPERATORS = ['<', '<=', '=', '!=', '>=', '>']

/** Filters up to their operator, and the data of the table that their comparators meet. */
const COMPARING: readonly (readonly [name: string, comparators: readonly string[]])[] = [
  ['RowFilter(', ['binary:abc', 'binaryprefix:ab', 'regexstring:^.$', 'substring:B']],
  ['FamilyFilter(', ['binary:a', 'binaryprefix:b', 'regexstring:[b-z]', 'substring:A']],
  ['QualifierFilter(', ['binary:12', 'binaryprefix:1', 'regexstring:^[12]$', 'substring:1']],
  ['ValueFilter(', ['binary:two', 'binaryprefix:t', 'regexstring:^(?i)one', 'substring:ONE']],
  ["SingleColumnValueFilter('a', '1', ", ['binary:one', 'binaryprefix:o', 'regexstring:n', 'substring:ONE']],
  [
    "SingleColumnValueExcludeFilter('a', '2', ",
    ['binary:two', 'binaryprefix:z', 'regexstring:w', 'substring:TW'],
  ],
  ["ColumnValueFilter('a', '2', ", ['binary:two', 'binaryprefix:z', 'regexstring:w', 'substring:TW']],
  [
    "DependentColumnFilter('a', '2', false, ",
    ['binary:two', 'binaryprefix:t', 'regexstring:o$', 'substring:W'],
  ],
]

const FILTERS: readonly string[] = COMPARING.flatMap(([name, comparators]) =>
  combinations(OPERATORS, comparators).map(
    ([operator, comparator]) => `${name}${operator}, '${comparator}')`,
  ),
)

/** Comparators that meet nothing, everything, or bytes that are no text. */
const EDGES = [
  'binary:',
  'binaryprefix:',
  'regexstring:',
  'substring:',
  'binary:\x00',
  'binary:\xff\xff',
  'binary:a:b',
  'substring:\xc3\xa9',
  'binary:it\x27\x27s',
]

const AT_EDGES: readonly string[] = COMPARING.flatMap(([name]) =>
  EDGES.flatMap((comparator) => ['=', '!='].map((operator) => `${name}${operator}, '${comparator}')`)),
)

function restScan(filter: string): Request {
  return rest('GET', `/${TABLE}/*?filter=${encodeURIComponent(filter)}`, { accept: 'application/json' })
}

function cases(): Case[] {
  return [
    ...listed(
      'filter-compare-thrift2',
      FILTERS.map((filter) => filtered(TABLE, filter)),
    ),
    ...listed(
      'filter-compare-thrift1',
      FILTERS.map((filter) => filteredScanner(TABLE, filter)),
    ),
    ...listed('filter-compare-rest', FILTERS.map(restScan)),
    ...listed(
      'filter-compare-versions',
      FILTERS.filter((_, index) => index % 5 === 0).map((filter) =>
        filtered(TABLE, filter, { maxVersions: 3 }),
      ),
    ),
    ...listed(
      'filter-compare-edge',
      AT_EDGES.map((filter) => filteredScanner(TABLE, filter, { columns: ['a'] })),
    ),
  ]
}

export const filterCompare: Scenario = {
  name: 'filter-compare',
  tables: [TABLE],
  namespaces: [],
  setup: filterTable(TABLE),
  cases: cases(),
}
