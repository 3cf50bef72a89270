/** Regular expressions of Java's kind: what they mean on text and on bytes, and which of them are none. */

import { type Case, numbered, type Request, type Scenario } from '../runner/case.ts'
import { BROKEN, ON_BYTES, PATTERNS, SUBJECTS } from './filter-patterns.ts'
import { compare, regex } from './filter-protobuf.ts'
import { filtered } from './filter-table.ts'
import { bytes, CompareOp, createTable, put, scan } from './thrift2-requests.ts'

const TABLE = 'conf_filter_regex'

const LATIN = 'ISO-8859-1'

function valueMatches(pattern: string, flags?: number, charset?: string, engine?: string): Request {
  return scan(TABLE, {
    columns: [{ family: bytes('a'), qualifier: bytes('v') }],
    filterBytes: compare('ValueFilter', CompareOp.EQUAL, regex(pattern, flags, charset, engine)),
  })
}

function rowMatches(pattern: string): Request {
  const quoted = Buffer.from(pattern.replaceAll("'", "''")).toString('latin1')
  return filtered(TABLE, `RowFilter(=, 'regexstring:${quoted}') AND KeyOnlyFilter()`)
}

/** Bits of java.util.regex.Pattern, single and together. */
const FLAGS: readonly (readonly [pattern: string, flags: number])[] = [
  ...[0, 1, 2, 4, 8, 16, 32, 64, 128, 256].map((flags) => ['one.two', flags] as const),
  ...[0, 2, 64, 66, 256, 258].map((flags) => ['^CAF\u00c9$', flags] as const),
  ...[0, 8, 9, 32, 40].map((flags) => ['^two$', flags] as const),
  ...[0, 16, 18].map((flags) => ['A.B', flags] as const),
  ...[4, 6].map((flags) => [' F O O # x', flags] as const),
  ...[512, 1024, -1, 0x7fffffff].map((flags) => ['a', flags] as const),
  ...[128, 0].map((flags) => ['cafe\u0301', flags] as const),
  ...[256, 0].map((flags) => ['^\\w+$', flags] as const),
]

function cases(): Case[] {
  return [
    ...numbered('filter-regex', PATTERNS.map(rowMatches)),
    ...numbered(
      'filter-regex-broken',
      BROKEN.map((pattern) => [rowMatches(pattern), valueMatches(pattern)]),
    ),
    ...numbered(
      'filter-regex-bytes',
      ON_BYTES.map((pattern) => [valueMatches(pattern, 32, LATIN), valueMatches(pattern, 32, 'UTF-8')]),
    ),
    ...numbered(
      'filter-regex-flags',
      FLAGS.map(([pattern, flags]) => valueMatches(pattern, flags)),
    ),
    ...numbered(
      'filter-regex-charset',
      [
        'latin1',
        'iso-8859-1',
        'US-ASCII',
        'UTF8',
        'utf-8',
        'UTF-16',
        'UTF-16LE',
        'windows-1252',
        'Cp1252',
        'nope',
        ' ',
      ].map((charset) => valueMatches('^caf.$', 32, charset)),
    ),
    ...numbered(
      'filter-regex-engine',
      ['a+', '^foo$', '\\d', '(?i)foo', '\u00e9', 'one.two', '^a{2}$'].map((pattern) =>
        valueMatches(pattern, 32, 'UTF-8', 'JONI'),
      ),
    ),
  ]
}

export const filterRegex: Scenario = {
  name: 'filter-regex',
  tables: [TABLE],
  namespaces: [],
  setup: [
    createTable(TABLE, [{ name: bytes('a') }]),
    ...SUBJECTS.map((subject) => put(TABLE, subject, 'a:v', subject, 5n)),
  ],
  cases: cases(),
}
