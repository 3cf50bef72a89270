/** Regular expressions of Java's kind: their meaning on text and on bytes, and invalid ones. */

import type { Case, Request, Scenario } from '../runner/case.ts'
import { digested, listed, named } from '../runner/case-list.ts'
import { PATTERNS } from './filter-patterns.ts'
import { BROKEN } from './filter-patterns-broken.ts'
import { compare, regex } from './filter-protobuf.ts'
import { filtered } from './filter-table.ts'
import { bytes, CompareOp, createTable, put, scan } from './thrift2-requests.ts'

const TABLE = 'conf_filter_regex'

/** Subjects: each a row with itself as value, so that a pattern's answer is the list of rows. */
const SUBJECTS: readonly string[] = [
  'a',
  'A',
  'aa',
  'aaa',
  'ab',
  'abc',
  'aXb',
  'a.b',
  'a+b',
  'foo bar',
  'FOO',
  'foobar',
  'barfoo',
  'foofoo',
  '123',
  '12.5',
  '-7',
  'a1b2',
  'one\ntwo',
  'one\r\ntwo',
  'tab\there',
  '\x00',
  '\x00\x00\x01\xff',
  'caf\xc3\xa9',
  'caf\xe9',
  'CAF\xc3\x89',
  '\xe2\x82\xac 5',
  '\xf0\x9f\x98\x80',
  '\xff\xfe',
  '{x}',
  '[x]',
  '(x)',
  '^x$',
  'back\\slash',
  "it's",
  '<a><b>',
  'x=1;y=2',
  '2024-01-31',
  'user@example.org',
  'aaaaaaaaaaaaaaaaaaaaab',
  '_under_score',
  'UPPER lower',
  '\x1bescape',
]

/** Patterns whose characters are bytes, as OpenTSDB states them. */
const ON_BYTES: readonly string[] = [
  '\u00ff',
  '^\u00ff\u00fe$',
  '\u00e9',
  '^caf\u00e9$',
  '^caf..$',
  '^.{4}$',
  '(?s)^.{1}(?:.{1})*\\Q\u0001\\E(?:\\Q\u00ff\\E)$',
  '(?s)^.{2}\\Q\u0001\u00ff\\E',
  '^(?!\\Q\u0000\\E)',
  '[\u0080-\u00ff]',
  '[^\u0000-\u007f]{2}',
  '\\xff',
  '\\u00ff',
  '\\p{L}',
  '(?i)\u00c9',
  '(?iu)\u00c9',
  '\\w\u00e9',
  '\\x00',
  '^\\x00{2}',
  '(?<!\u0000)\u0001',
]

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
    ...Object.entries(PATTERNS).flatMap(([about, patterns]) =>
      listed(
        `filter-regex-${about}`,
        patterns.map((pattern) => digested(pattern, pattern, rowMatches(pattern))),
      ),
    ),
    ...listed(
      'filter-regex-broken',
      BROKEN.map((pattern) => digested(pattern, pattern, [rowMatches(pattern), valueMatches(pattern)])),
    ),
    ...listed(
      'filter-regex-bytes',
      ON_BYTES.map((pattern) =>
        digested(pattern, pattern, [valueMatches(pattern, 32, LATIN), valueMatches(pattern, 32, 'UTF-8')]),
      ),
    ),
    ...listed(
      'filter-regex-flags',
      FLAGS.map(([pattern, flags]) => named(`${flags} ${pattern}`, valueMatches(pattern, flags))),
    ),
    ...listed(
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
      ].map((charset) => named(charset, valueMatches('^caf.$', 32, charset))),
    ),
    ...listed(
      'filter-regex-engine',
      ['a+', '^foo$', '\\d', '(?i)foo', '\u00e9', 'one.two', '^a{2}$'].map((pattern) =>
        named(`joni ${pattern}`, valueMatches(pattern, 32, 'UTF-8', 'JONI')),
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
