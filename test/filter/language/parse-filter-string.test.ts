/** The strings that HBase 2.6.1's ParseFilter takes and refuses, as recorded from it. */

import { describe, expect, test } from 'vitest'
import { parseFilterString } from '../../../src/filter/language/parse-filter-string.ts'
import { printFilterString } from '../../../src/filter/language/print-filter-string.ts'
import { FILTER_DEPTH_MAX } from '../../../src/filter/schema/filter-depth.ts'
import { HBaseError } from '../../../src/model/errors.ts'

function canonical(text: string): string | undefined {
  return printFilterString(parseFilterString(Buffer.from(text)))?.toString()
}

function refusalOf(text: string): HBaseError {
  try {
    parseFilterString(Buffer.from(text))
  } catch (error) {
    if (error instanceof HBaseError) return error
    throw error
  }
  throw new Error(`taken: ${text}`)
}

const K = 'KeyOnlyFilter()'
const F = 'FirstKeyOnlyFilter()'
const P = "PrefixFilter('a')"

/** Accepted strings, and their meaning. */
const TAKEN: readonly (readonly [text: string, meaning: string])[] = [
  // Quotes.
  ["PrefixFilter('')", "PrefixFilter('')"],
  ["PrefixFilter('''')", "PrefixFilter('''')"],
  ["PrefixFilter('it''s')", "PrefixFilter('it''s')"],
  ["PrefixFilter('a)(b, c')", "PrefixFilter('a)(b, c')"],
  ["PrefixFilter('a AND b')", "PrefixFilter('a AND b')"],
  ["PrefixFilter(' a ')", "PrefixFilter(' a ')"],
  ["PrefixFilter('\té')", "PrefixFilter('\té')"],
  // The character after a closing quote is passed over.
  ["PrefixFilter('a'x)", P],
  ["ColumnRangeFilter('a'xtrue 'b'xfalse)", "ColumnRangeFilter('a', true, 'b', false)"],
  // Separators are spaces and commas, as many as there are.
  ["ColumnRangeFilter('a',true,'b',true)", "ColumnRangeFilter('a', true, 'b', true)"],
  ["ColumnRangeFilter(,,'a' true,,, 'b' true,)", "ColumnRangeFilter('a', true, 'b', true)"],
  ['KeyOnlyFilter ()', K],
  ['KeyOnlyFilter x()', K],
  ['KeyOnlyFilter( )', K],
  ['\tKeyOnlyFilter()\t', K],
  // An empty bound is no bound.
  ["ColumnRangeFilter('', true, '', false)", "ColumnRangeFilter('', true, '', false)"],
  // Booleans in any case.
  ['KeyOnlyFilter(tRuE)', 'KeyOnlyFilter(true)'],
  ['KeyOnlyFilter(FALSE)', K],
  // Numbers.
  ['PageFilter(007)', 'PageFilter(7)'],
  ['PageFilter(-)', 'PageFilter(0)'],
  ['PageFilter(-0)', 'PageFilter(0)'],
  ['PageFilter(9223372036854775807)', 'PageFilter(9223372036854775807)'],
  ['PageFilter(18446744073709551617)', 'PageFilter(1)'],
  ['ColumnCountGetFilter(2147483647)', 'ColumnCountGetFilter(2147483647)'],
  ['TimestampsFilter(3, 1, 3)', 'TimestampsFilter(1, 3)'],
  ['TimestampsFilter()', 'TimestampsFilter()'],
  ["MultipleColumnPrefixFilter('b', 'a')", "MultipleColumnPrefixFilter('a', 'b')"],
  ['MultipleColumnPrefixFilter()', 'MultipleColumnPrefixFilter()'],
  // Comparators.
  ["RowFilter(<=,'binary:a:b')", "RowFilter(<=, 'binary:a:b')"],
  ["ValueFilter(=, 'substring:VISIT')", "ValueFilter(=, 'substring:visit')"],
  ["ValueFilter(!=, 'regexstringnocase:^a')", "ValueFilter(!=, 'regexstringnocase:^a')"],
  ["DependentColumnFilter('f','q')", "DependentColumnFilter('f', 'q', false)"],
  [
    "DependentColumnFilter('f','q',true,<,'regexstring:a')",
    "DependentColumnFilter('f', 'q', true, <, 'regexstring:a')",
  ],
  [
    "SingleColumnValueFilter('f','q',>,'binary:a')",
    "SingleColumnValueFilter('f', 'q', >, 'binary:a', false, true)",
  ],
  // Operators, and how close they bind.
  [`${K} AND ${F} OR ${P}`, `(${K} AND ${F}) OR ${P}`],
  [`${K} OR ${F} AND ${P}`, `${K} OR (${F} AND ${P})`],
  [`${K} AND ${F} AND ${P}`, `${K} AND ${F} AND ${P}`],
  [`${K} AND (${F} AND ${P})`, `${K} AND (${F} AND ${P})`],
  [`SKIP ${K} AND ${F}`, `(SKIP ${K}) AND ${F}`],
  [`SKIP (${K} AND ${F})`, `SKIP (${K} AND ${F})`],
  [`WHILE SKIP ${K}`, `WHILE (SKIP ${K})`],
  [`${K} AND SKIP ${F} OR WHILE ${P}`, `(${K} AND (SKIP ${F})) OR (WHILE ${P})`],
  [`((${K}))`, K],
  [`SKIP(${K})`, `SKIP ${K}`],
  // An opened parenthesis need not be closed.
  [`(${K} AND (${F}`, `${K} AND ${F}`],
  ['()KeyOnlyFilter()()', K],
]

/** Refused strings, HBase's words, what Tidegate says was expected, and the character at which it was. */
const REFUSED: readonly (readonly [text: string, words: string, expected: string, character: number])[] = [
  ['', 'Incorrect Filter String', 'a filter', 1],
  ['   ', 'Incorrect Filter String', 'a filter', 1],
  [`${K} ${F}`, 'Incorrect Filter String', 'AND or OR before the filter', 17],
  [`${K} and ${F}`, 'Filter Name and not supported', 'one of KeyOnlyFilter, ', 17],
  [`${K} AND`, 'Incorrect Filter String', 'a parenthesis ")"', 20],
  [`${K} AND `, 'Incorrect input string - an AND needs two filters', 'a filter on each side of the AND', 17],
  [`OR ${K}`, 'Filter Name OR not supported', 'one of ', 1],
  ['(SKIP )', 'Incorrect input string - a SKIP wraps a filter', 'a filter', 6],
  ['WHILE ()', 'Incorrect input string - a WHILE wraps a filter', 'a filter', 6],
  [`${K})`, 'Mismatched parenthesis', 'an opening parenthesis', 16],
  // Where two operators are left in parentheses, the first is lost.
  [`((${K} OR SKIP ${F})`, 'Incorrect Filter String', 'AND or OR before the filter', 27],
  [`(${K} OR SKIP ${F})`, 'Mismatched parenthesis', 'an opening parenthesis', 46],
  ['KeyOnlyFilter', 'Incorrect Filter String', 'a parenthesis ")"', 14],
  ['KeyOnlyFilter)', 'Incorrect Filter Name', 'a parenthesis "("', 14],
  ['KeyOnlyFilter x)', 'Incorrect argument list', 'a parenthesis "("', 16],
  ['\nKeyOnlyFilter()', 'Filter Name \nKeyOnlyFilter not supported', 'one of ', 1],
  ['KeyOnlyFilter\t()', 'Filter Name KeyOnlyFilter\t not supported', 'one of ', 1],
  ['keyonlyfilter()', 'Filter Name keyonlyfilter not supported', 'one of ', 1],
  ['FuzzyRowFilter()', 'Filter Name FuzzyRowFilter not supported', 'one of ', 1],
  ["PrefixFilter('a)", 'Incorrect Filter String', 'a closing quote', 17],
  ["PrefixFilter(x'a'')y')", 'Incorrect filter string ', 'one argument for PrefixFilter', 14],
  ['PrefixFilter(a)', 'Incorrect filter string PrefixFilter(a)', 'an argument in single quotes', 14],
  ['PrefixFilter()', 'Incorrect filter string PrefixFilter()', 'one argument for PrefixFilter, not 0,', 14],
  ["PrefixFilter('é', 'b')", "Incorrect filter string PrefixFilter('é', 'b')", 'one argument', 14],
  ["PrefixFilter('é') AND PageFilter(x)", 'Incorrect filter string PageFilter(x)', 'a digit', 34],
  ['PageFilter(-1)', 'Incorrect filter string PageFilter(-1)', 'a number that is not negative', 12],
  ['PageFilter(+1)', 'Incorrect filter string PageFilter(+1)', 'a digit', 12],
  ['PageFilter(9223372036854775808)', 'Incorrect filter string ', 'a number of 64 bits', 12],
  ['ColumnCountGetFilter(2147483648)', 'Incorrect filter string ', 'a number up to 2147483647', 22],
  ['ColumnPaginationFilter(1)', 'Incorrect filter string ', 'two arguments', 24],
  ["KeyOnlyFilter('true')", 'Incorrect filter string ', 'true or false', 15],
  ["MultipleColumnPrefixFilter('a', 'a')", 'Incorrect filter string ', 'a prefix other than', 33],
  ["RowFilter(==, 'binary:a')", 'Incorrect filter string ', 'an operator (<, <=', 11],
  ["RowFilter('=', 'binary:a')", 'Incorrect filter string ', 'an operator', 11],
  ["RowFilter(=, 'a')", 'Incorrect filter string ', 'a comparator "type:value"', 14],
  ["RowFilter(=, 'Binary:a')", 'Incorrect filter string ', 'a comparator of type binary,', 14],
  ["RowFilter(=, 'long:1')", 'Incorrect filter string ', 'a comparator of type', 14],
  ["RowFilter(<, 'substring:a')", 'Incorrect filter string ', '= or != before', 11],
  ["RowFilter(<, 'regexstring:a')", 'Incorrect filter string ', '= or != before', 11],
  ["RowFilter(=, 'regexstring:(')", 'Incorrect filter string ', 'a regular expression (Unclosed group', 14],
  ["SingleColumnValueFilter('f', 'q', =, 'binary:a', true)", 'Incorrect filter string ', 'four or six', 25],
]

describe('the filter language', () => {
  test.each(TAKEN)('takes %j', (text, meaning) => {
    expect(canonical(text)).toBe(meaning)
  })

  test.each(REFUSED)('refuses %j', (text, words, expected, character) => {
    const error = refusalOf(text)
    expect(error.code).toBe('ILLEGAL_ARGUMENT')
    expect(error.message.startsWith(words)).toBe(true)
    expect(error.message).toContain(`: expected ${expected}`)
    expect(error.message.endsWith(` at character ${character}`)).toBe(true)
    expect(error.detail?.['character']).toBe(character)
  })

  test('keeps bytes that are no text', () => {
    const bytes = Buffer.from([0x27, 0, 0xff, 0xfe, 0x27])
    const text = Buffer.concat([Buffer.from('PrefixFilter('), bytes, Buffer.from(')')])
    expect(parseFilterString(text)).toEqual({ kind: 'PrefixFilter', prefix: bytes.subarray(1, -1) })
  })

  test(`takes ${FILTER_DEPTH_MAX} filters within each other and no more`, () => {
    const nested = (depth: number) => `${'SKIP '.repeat(depth - 1)}${K}`
    expect(canonical(nested(FILTER_DEPTH_MAX))).toMatch(/^SKIP \(SKIP/)
    expect(refusalOf(nested(FILTER_DEPTH_MAX + 1)).message).toBe(
      `filters lie more than ${FILTER_DEPTH_MAX} deep within each other`,
    )
    expect(canonical(`${'('.repeat(100_000)}${K}`)).toBe(K)
  })
})
