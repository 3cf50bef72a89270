/** The filter language itself: its grammar, the arguments of each filter, and dozens of strings that break either. */

import { type Case, type Request, rest, type Scenario } from '../runner/case.ts'
import { digested, listed, named } from '../runner/case-list.ts'
import { ARGUMENTS } from './filter-arguments.ts'
import { filtered, filteredScanner, filterTable } from './filter-table.ts'

const TABLE = 'conf_filter_words'

const P = "PrefixFilter('ab')"
const Q = "QualifierFilter(=, 'binary:1')"
const R = "RowFilter(!=, 'binary:b')"
const V = "ValueFilter(=, 'binary:two')"

const GRAMMAR: readonly string[] = [
  `${P} AND ${Q}`,
  `${P} OR ${Q}`,
  `${P} AND ${Q} AND ${V}`,
  `${P} OR ${Q} AND ${V}`,
  `${P} AND ${Q} OR ${V}`,
  `(${P} OR ${Q}) AND ${V}`,
  `${P} AND (${Q} OR ${V})`,
  `${V} OR ${Q} OR ${P}`,
  `SKIP ${Q}`,
  `WHILE ${R}`,
  `SKIP ${Q} AND ${P}`,
  `SKIP (${Q} OR ${V})`,
  `WHILE (${R} AND ${Q})`,
  `SKIP WHILE ${R}`,
  `WHILE SKIP ${R}`,
  `SKIP SKIP ${R}`,
  `${P} AND SKIP ${Q}`,
  `${P} OR WHILE ${R}`,
  `((${P}))`,
  `(((${P}) AND (${Q})))`,
  `  ${P}  `,
  `\t${P}\t`,
  `${P}AND ${Q}`,
  `${P} AND${Q}`,
  `${P} AND(${Q})`,
  `(${P})AND(${Q})`,
  `(${P})OR(${Q})`,
  `SKIP(${Q})`,
  `WHILE(${R})`,
  `${P}\tAND\t${Q}`,
  `${P}\nAND\n${Q}`,
  `${P} and ${Q}`,
  `${P} && ${Q}`,
  `${P}, ${Q}`,
  `${P} ${Q}`,
  `${P} ${Q} AND`,
  `${P} AND AND ${Q}`,
  `${P} AND OR ${Q}`,
  `AND ${P}`,
  `${P} AND`,
  `OR`,
  `AND`,
  `SKIP`,
  `SKIP `,
  `WHILE`,
  `NOT ${P}`,
  `skip ${P}`,
  `(`,
  `)`,
  `()`,
  `(())`,
  `(${P}`,
  `${P})`,
  `((${P})`,
  `(${P}))`,
  `(${P} AND) ${Q}`,
  `() ${P}`,
  `${P} ()`,
  `(AND)`,
  `(SKIP ${P}) OR ${Q}`,
  '',
  ' ',
  '\t',
  '\n',
  "'",
  "''",
  'x',
  'KeyOnlyFilter',
  'KeyOnlyFilter(',
  'KeyOnlyFilter)',
  'KeyOnlyFilter ()',
  'KeyOnlyFilter( )',
  'KeyOnlyFilter(,)',
  'KeyOnlyFilter(,,)',
  'KeyOnlyFilter())',
  'keyonlyfilter()',
  'KEYONLYFILTER()',
  'Key OnlyFilter()',
  ' KeyOnlyFilter ( ) ',
  'org.apache.hadoop.hbase.filter.KeyOnlyFilter()',
  'NoSuchFilter()',
  'FuzzyRowFilter()',
  'MultiRowRangeFilter()',
  'RandomRowFilter(1)',
  'FilterList()',
  'SkipFilter()',
  'WhileMatchFilter()',
  'FirstKeyValueMatchingQualifiersFilter()',
  "FirstKeyValueMatchingQualifiersFilter('1')",
  'FilterAllFilter()',
  "('x')",
  "PrefixFilter('ab'",
  "PrefixFilter('ab)",
  "PrefixFilter(ab')",
  "PrefixFilter('ab'')",
  "PrefixFilter('a''b')",
  "PrefixFilter('''')",
  "PrefixFilter('')",
  "PrefixFilter('ab' 'c')",
  "PrefixFilter('ab'x)",
  'PrefixFilter(ab)',
  'PrefixFilter("ab")',
  "PrefixFilter('a)b')",
  "PrefixFilter('a(b')",
  "PrefixFilter('ab AND c')",
  "PrefixFilter( 'ab' )",
  "PrefixFilter(\t'ab')",
  "PrefixFilter('\\x00')",
  "PrefixFilter('\x00')",
  "PrefixFilter('\xff')",
  "PrefixFilter('\xc3\xbf')",
  "RowFilter (=,'binary:ab')",
  "RowFilter(= 'binary:ab')",
  "RowFilter(=,,'binary:ab')",
  "RowFilter('=','binary:ab')",
  "RowFilter(==, 'binary:ab')",
  "RowFilter(<>, 'binary:ab')",
  "RowFilter(EQUAL, 'binary:ab')",
  "RowFilter(=<, 'binary:ab')",
  "RowFilter(!, 'binary:ab')",
  "RowFilter(=, 'binary')",
  "RowFilter(=, 'binary:')",
  "RowFilter(=, ':ab')",
  "RowFilter(=, '')",
  "RowFilter(=, 'BINARY:ab')",
  "RowFilter(=, ' binary:ab')",
  "RowFilter(=, 'binary :ab')",
  "RowFilter(=, 'binary: ab')",
  'RowFilter(=, binary:ab)',
  "RowFilter(=, 'null:')",
  "RowFilter(=, 'bit:ab')",
  "RowFilter(=, 'long:1')",
  "RowFilter(=, 'regexstring:(')",
  "RowFilter(=, 'regexstring:[')",
  "RowFilter(=, 'regexstring:*')",
  "RowFilter(=, 'regexstring:a{2,1}')",
  "RowFilter(<, 'regexstring:a')",
  "RowFilter(>=, 'substring:a')",
  "RowFilter('binary:ab', =)",
]

/** Every place that takes the language: each reports the error in its own way. */
function everywhere(filter: string): Request[] {
  const encoded = encodeURIComponent(Buffer.from(filter, 'latin1').toString())
  return [
    filtered(TABLE, filter),
    ...filteredScanner(TABLE, filter),
    rest('GET', `/${TABLE}/*?filter=${encoded}`, { accept: 'application/json' }),
  ]
}

/** Names a number or a word in quotes where the filter wants none. */
function withQuotes(filter: string): string {
  return filter.replace(/'([\d=<]+|true|false)'/g, "'quoted $1'").replace('TRUE', 'upper case true')
}

function cases(): Case[] {
  const filters = Object.entries(ARGUMENTS).flatMap(([name, lists]) =>
    lists.map((list) => `${name}(${list})`),
  )
  return [
    ...listed(
      'filter-grammar',
      GRAMMAR.map((filter) => digested(filter, filter, everywhere(filter))),
    ),
    ...listed(
      'filter-arguments',
      filters.map((filter) => named(withQuotes(filter), filtered(TABLE, filter))),
    ),
    ...listed(
      'filter-arguments-versions',
      filters.map((filter) =>
        named(
          withQuotes(filter),
          filtered(TABLE, filter, { maxVersions: 3, startRow: Buffer.from('ab'), stopRow: Buffer.from('d') }),
        ),
      ),
    ),
  ]
}

export const filterWords: Scenario = {
  name: 'filter-words',
  tables: [TABLE],
  namespaces: [],
  setup: filterTable(TABLE),
  cases: cases(),
}
