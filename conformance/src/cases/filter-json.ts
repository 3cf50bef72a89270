/** Filters as a REST scanner's specification has them: JSON text inside JSON, XML or protobuf. */

import { type Case, type Request, rest, type Scenario } from '../runner/case.ts'
import { digested, listed, type NamedCase, named } from '../runner/case-list.ts'
import { jsonTextWords } from '../runner/rest-body-words.ts'
import { UNSOUND } from './filter-json-unsound.ts'
import { message } from './filter-protobuf.ts'
import { filterTable } from './filter-table.ts'
import { b64, get, JSON_TYPE, PROTOBUF, send, XML } from './rest-request.ts'
import { combinations } from './thrift-caller.ts'

const TABLE = 'conf_filter_json'

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }

const OPERATORS = ['LESS', 'LESS_OR_EQUAL', 'EQUAL', 'NOT_EQUAL', 'GREATER_OR_EQUAL', 'GREATER']

/** The whole life of a scanner with the filter; `text` goes out unchanged. */
function scanner(text: string): Request[] {
  return [
    send('PUT', `/${TABLE}/scanner`, JSON_TYPE, JSON.stringify({ batch: 100, maxVersions: 2, filter: text })),
    ...reading,
  ]
}

const reading: readonly Request[] = [get('{scanner}'), rest('DELETE', '{scanner}')]

const of = (type: string, fields: Readonly<Record<string, Json>> = {}): Json => ({ type, ...fields })

const jsonComparators = (text: string): readonly Json[] => [
  of('BinaryComparator', { value: b64(text) }),
  of('BinaryPrefixComparator', { value: b64(text.slice(0, 1)) }),
  ...['AND', 'OR', 'XOR'].map((op) => of('BitComparator', { value: b64(text), op })),
  of('NullComparator'),
  of('RegexStringComparator', { value: `^[${text}]` }),
  of('SubstringComparator', { value: text.slice(1) }),
]

const ROW_ONLY: readonly (readonly [string, string, readonly string[]])[] = [
  ['RowFilter', 'abc', [...OPERATORS, 'NO_OP']],
  ['FamilyFilter', 'a', [...OPERATORS, 'NO_OP']],
  ['QualifierFilter', '12', [...OPERATORS, 'NO_OP']],
  ['ValueFilter', 'two', [...OPERATORS, 'NO_OP']],
]

const COLUMN: Readonly<Record<string, Json>> = { family: b64('a'), qualifier: b64('1') }

function comparisons(): Json[] {
  const columns = ['SingleColumnValueFilter', 'SingleColumnValueExcludeFilter', 'DependentColumnFilter']
  return [
    ...ROW_ONLY.flatMap(([type, text, operators]) =>
      combinations(jsonComparators(text), operators).map(([comparator, op]) => of(type, { op, comparator })),
    ),
    ...combinations(columns, jsonComparators('ONE'), OPERATORS).map(([type, comparator, op]) =>
      of(type, {
        ...COLUMN,
        op,
        comparator,
        ...(type === 'DependentColumnFilter' && { dropDependentColumn: false }),
      }),
    ),
  ]
}

const UNO: Readonly<Record<string, Json>> = {
  ...COLUMN,
  op: 'EQUAL',
  comparator: of('BinaryComparator', { value: b64('uno') }),
}
const TWO = of('ValueFilter', { op: 'EQUAL', comparator: of('BinaryComparator', { value: b64('two') }) })
const NOT_ONE = of('QualifierFilter', {
  op: 'NOT_EQUAL',
  comparator: of('BinaryComparator', { value: b64('1') }),
})
const FLAGS = [
  {},
  { ifMissing: true },
  { ifMissing: false },
  { latestVersion: false },
  { latestVersion: true, ifMissing: true },
  { ifMissing: true, latestVersion: false },
  { latestVersion: null },
]

const FIELDS: readonly Json[] = [
  ...[0, 1, 2].map((limit) => of('ColumnCountGetFilter', { limit })),
  ...combinations([1, 2, 0], [0, 1]).map(([limit, offset]) =>
    of('ColumnPaginationFilter', { limit, offset }),
  ),
  of('ColumnPaginationFilter', { limit: 1 }),
  of('ColumnPaginationFilter', { offset: 1 }),
  of('ColumnPaginationFilter', { limit: -1, offset: 0 }),
  of('ColumnPaginationFilter', { limit: '2', offset: '1' }),
  ...['', '1', '12', 'x'].map((prefix) => of('ColumnPrefixFilter', { value: b64(prefix) })),
  ...combinations([true, false], [true, false]).map(([minColumnInclusive, maxColumnInclusive]) =>
    of('ColumnRangeFilter', {
      minColumn: b64('1'),
      minColumnInclusive,
      maxColumn: b64('2'),
      maxColumnInclusive,
    }),
  ),
  of('ColumnRangeFilter', {
    minColumn: '',
    minColumnInclusive: true,
    maxColumn: b64('2'),
    maxColumnInclusive: true,
  }),
  of('ColumnRangeFilter', { minColumn: b64('12'), minColumnInclusive: true }),
  of('ColumnRangeFilter', { minColumn: b64('1'), maxColumn: b64('2') }),
  of('DependentColumnFilter', { ...UNO, dropDependentColumn: true }),
  of('DependentColumnFilter', { ...UNO, dropDependentColumn: false, op: 'NO_OP' }),
  of('DependentColumnFilter', UNO),
  of('DependentColumnFilter', {
    family: b64('a'),
    qualifier: b64('1'),
    dropDependentColumn: true,
    op: 'NO_OP',
  }),
  of('FilterList', { op: 'MUST_PASS_ALL', filters: [TWO, NOT_ONE] }),
  of('FilterList', { op: 'MUST_PASS_ONE', filters: [TWO, NOT_ONE] }),
  of('FilterList', { op: 'MUST_PASS_ALL', filters: [] }),
  of('FilterList', { op: 'MUST_PASS_ONE', filters: [] }),
  of('FilterList', {
    op: 'MUST_PASS_ONE',
    filters: [
      of('FilterList', { op: 'MUST_PASS_ALL', filters: [TWO, NOT_ONE] }),
      of('PrefixFilter', { value: b64('b') }),
    ],
  }),
  of('FilterList', { filters: [TWO] }),
  of('FilterList', { op: 'EQUAL', filters: [TWO] }),
  of('FilterList', { op: 'MUST_PASS_ALL' }),
  of('FilterList', { op: 'MUST_PASS_ALL', filters: [null] }),
  of('FilterList', { op: 'MUST_PASS_ALL', filters: TWO }),
  of('FirstKeyOnlyFilter'),
  of('FirstKeyOnlyFilter', { limit: 3 }),
  ...['', 'ab', 'b', 'bb'].map((row) => of('InclusiveStopFilter', { value: b64(row) })),
  of('KeyOnlyFilter'),
  of('KeyOnlyFilter', { value: 'x' }),
  of('MultipleColumnPrefixFilter', { prefixes: [b64('1'), b64('3')] }),
  of('MultipleColumnPrefixFilter', { prefixes: [] }),
  of('MultipleColumnPrefixFilter'),
  of('MultiRowRangeFilter', { ranges: [{ startRow: b64('a'), stopRow: b64('b') }] }),
  of('MultiRowRangeFilter', {
    ranges: [{ startRow: b64('ab'), startRowInclusive: false, stopRow: b64('b'), stopRowInclusive: true }],
  }),
  of('MultiRowRangeFilter', {
    ranges: [
      { startRow: '', stopRow: b64('ab') },
      { startRow: b64('c'), stopRow: '' },
    ],
  }),
  of('MultiRowRangeFilter', { ranges: [] }),
  of('MultiRowRangeFilter', { ranges: [{ startRow: b64('b'), stopRow: b64('a') }] }),
  of('MultiRowRangeFilter', { ranges: [{ startRow: b64('b') }] }),
  of('MultiRowRangeFilter', { ranges: [{ stopRow: b64('b') }] }),
  of('MultiRowRangeFilter'),
  ...['0', '1', '3', 'x', '', '-1', '9223372036854775808'].map((value) => of('PageFilter', { value })),
  of('PageFilter', { value: 2 }),
  of('PageFilter', { limit: 2 }),
  ...['', 'ab', 'x', '\xff'].map((row) => of('PrefixFilter', { value: b64(row) })),
  ...[0, 1, -1, '1', 'x', null].map((chance) => of('RandomRowFilter', { chance })),
  ...FLAGS.map((flags) => of('SingleColumnValueFilter', { ...UNO, ...flags })),
  ...FLAGS.map((flags) => of('SingleColumnValueExcludeFilter', { ...UNO, ...flags })),
  of('SingleColumnValueFilter', {
    family: b64('a'),
    op: 'EQUAL',
    comparator: of('BinaryComparator', { value: b64('bare') }),
  }),
  of('SkipFilter', { filters: [NOT_ONE] }),
  of('SkipFilter', { filters: [] }),
  of('SkipFilter', { filters: [NOT_ONE, TWO] }),
  of('SkipFilter'),
  of('WhileMatchFilter', { filters: [NOT_ONE] }),
  of('WhileMatchFilter', { filters: [of('PageFilter', { value: '2' })] }),
  of('WhileMatchFilter', { filters: [] }),
  of('TimestampsFilter', { timestamps: [10, 30] }),
  of('TimestampsFilter', { timestamps: [] }),
  of('TimestampsFilter', { timestamps: ['10', '20'] }),
  of('TimestampsFilter', { timestamps: [1.5] }),
  of('TimestampsFilter', { timestamps: ['x'] }),
  of('TimestampsFilter'),
  of('FuzzyRowFilter', { fuzzyKeys: [{ key: b64('abx'), mask: b64('\x00\x00\x01') }] }),
  of('FuzzyRowFilter', {
    fuzzyKeys: [
      { key: b64('xb'), mask: b64('\x01\x00') },
      { key: b64('c'), mask: b64('\x00') },
    ],
  }),
  of('FuzzyRowFilter', { fuzzyKeys: [{ key: b64('xb'), mask: b64('\x02\xff') }] }),
  of('FuzzyRowFilter', { fuzzyKeys: [{ key: b64('ab'), mask: b64('\x00') }] }),
  of('FuzzyRowFilter', { fuzzyKeys: [] }),
  of('FuzzyRowFilter'),
  of('ColumnValueFilter', UNO),
  of('FirstKeyValueMatchingQualifiersFilter'),
  of('FilterAllFilter'),
]

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** The places of the text in the three forms of the specification. */
function forms(text: string): NamedCase[] {
  const label =
    text === '' || text.startsWith('{')
      ? jsonTextWords(text.replace(/^\{$/, 'brace')) || 'empty'
      : `language ${text}`
  return [
    named(`element ${label}`, [
      send(
        'PUT',
        `/${TABLE}/scanner`,
        XML,
        `<Scanner batch="100"><filter>${escaped(text)}</filter></Scanner>`,
      ),
      ...reading,
    ]),
    named(`attribute ${label}`, [
      send(
        'POST',
        `/${TABLE}/scanner`,
        XML,
        `<Scanner batch="100" filter="${escaped(text).replaceAll('"', '&quot;')}"/>`,
      ),
      ...reading,
    ]),
    named(`protobuf ${label}`, [
      send('PUT', `/${TABLE}/scanner`, PROTOBUF, message([4, 100], [8, Buffer.from(text)])),
      ...reading,
    ]),
    named(`batch 3 ${label}`, [
      send('POST', `/${TABLE}/scanner`, JSON_TYPE, JSON.stringify({ batch: 3, filter: text })),
      get('{scanner}'),
      ...reading,
    ]),
  ]
}

const OTHER_SPECS: readonly NamedCase[] = [
  ['object', '{"batch":100,"filter":{"type":"KeyOnlyFilter"}}'],
  ['null', '{"batch":100,"filter":null}'],
  ['number', '{"batch":100,"filter":5}'],
  ['list', '{"batch":100,"filter":["x"]}'],
  [
    'in a range of rows',
    `{"batch":100,"startRow":"${b64('ab')}","endRow":"${b64('c')}","filter":"{\\"type\\":\\"KeyOnlyFilter\\"}"}`,
  ],
  ['in a column', '{"batch":100,"column":["YToy"],"filter":"{\\"type\\":\\"FirstKeyOnlyFilter\\"}"}'],
].map(([label, body]) => named(label!, [send('PUT', `/${TABLE}/scanner`, JSON_TYPE, body!), ...reading]))

function sound(filter: Json): NamedCase {
  const text = JSON.stringify(filter)
  return named(jsonTextWords(text), scanner(text))
}

function cases(): Case[] {
  const inForms = [TWO, NOT_ONE, of('PageFilter', { value: '2' }), of('KeyOnlyFilter'), of('NoSuchFilter')]
  return [
    ...listed('filter-json-compare', comparisons().map(sound)),
    ...listed('filter-json-fields', FIELDS.map(sound)),
    ...listed(
      'filter-json-unsound',
      UNSOUND.map((text) => digested(jsonTextWords(text), text, scanner(text))),
    ),
    ...listed(
      'filter-json-forms',
      [...inForms.map((filter) => JSON.stringify(filter)), '', '{', 'KeyOnlyFilter()'].flatMap(forms),
    ),
    ...listed('filter-json-spec', OTHER_SPECS),
    ...listed('filter-json-missing', [
      named(
        'unsound of an unknown table',
        send('PUT', '/conf_filter_none/scanner', JSON_TYPE, '{"filter":"{"}'),
      ),
      named(
        'sound of an unknown table',
        send('PUT', '/conf_filter_none/scanner', JSON_TYPE, '{"filter":"{\\"type\\":\\"KeyOnlyFilter\\"}"}'),
      ),
      named('in the query', send('PUT', `/${TABLE}/scanner?filter=%28`, JSON_TYPE, '{"batch":100}')),
    ]),
  ]
}

export const filterJson: Scenario = {
  name: 'filter-json',
  tables: [TABLE],
  namespaces: [],
  setup: filterTable(TABLE),
  cases: cases(),
}
