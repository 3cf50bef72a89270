/** Filters in protobuf as HBase 2.6.1 writes them. */

import { describe, expect, test } from 'vitest'
import { parseFilterJson } from '../../../src/filter/json/parse-filter-json.ts'
import { parseFilterString } from '../../../src/filter/language/parse-filter-string.ts'
import { decodeFilter } from '../../../src/filter/protobuf/decode-filter.ts'
import { encodeFilter } from '../../../src/filter/protobuf/encode-filter.ts'
import type { Comparator, Filter } from '../../../src/model/filter.ts'
import { comparing, encoded, field, filter, named, PACKAGE, regex } from './filter-bytes.ts'

/** Filters in another form, and HBase's bytes for them, with @ for the package. */
const WRITTEN: readonly (readonly [text: string, bytes: string])[] = [
  ['ColumnCountGetFilter(5)', '\x0a3@ColumnCountGetFilter\x12\x02\x08\x05'],
  ['ColumnPaginationFilter(1, 2)', '\x0a5@ColumnPaginationFilter\x12\x04\x08\x01\x10\x02'],
  ["ColumnPrefixFilter('a')", '\x0a1@ColumnPrefixFilter\x12\x03\x0a\x01a'],
  ["ColumnRangeFilter('', true, 'b', false)", '\x0a0@ColumnRangeFilter\x12\x07\x10\x01\x1a\x01b \x00'],
  [
    "ColumnValueFilter('f', 'q', !=, 'binary:a')",
    '\x0a0@ColumnValueFilter\x12B\x0a\x01f\x12\x01q\x18\x03"8\x0a/@BinaryComparator\x12\x05\x0a\x03\x0a\x01a',
  ],
  [
    "DependentColumnFilter('f', 'q')",
    '\x0a4@DependentColumnFilter\x12\x0c\x0a\x02\x08\x06\x12\x01f\x1a\x01q \x00',
  ],
  [
    "DependentColumnFilter('f', 'q', true, >, 'binaryprefix:a')",
    '\x0a4@DependentColumnFilter\x12L\x0aB\x08\x05\x12>\x0a5@BinaryPrefixComparator\x12\x05\x0a\x03\x0a\x01a\x12\x01f\x1a\x01q \x01',
  ],
  [
    "FamilyFilter(<, 'binary:a')",
    '\x0a+@FamilyFilter\x12>\x0a<\x08\x00\x128\x0a/@BinaryComparator\x12\x05\x0a\x03\x0a\x01a',
  ],
  ['FirstKeyOnlyFilter()', '\x0a1@FirstKeyOnlyFilter\x12\x00'],
  [
    "KeyOnlyFilter(true) AND InclusiveStopFilter('a')",
    '\x0a)@FilterList\x12q\x08\x01\x122\x0a,@KeyOnlyFilter\x12\x02\x08\x01\x129\x0a2@InclusiveStopFilter\x12\x03\x0a\x01a',
  ],
  ["MultipleColumnPrefixFilter('a', 'b')", '\x0a9@MultipleColumnPrefixFilter\x12\x06\x0a\x01a\x0a\x01b'],
  [
    "PageFilter(9223372036854775807) OR PrefixFilter('a')",
    '\x0a)@FilterList\x12o\x08\x02\x127\x0a)@PageFilter\x12\x0a\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f\x122\x0a+@PrefixFilter\x12\x03\x0a\x01a',
  ],
  [
    "QualifierFilter(=, 'substring:A')",
    '\x0a.@QualifierFilter\x12?\x0a=\x08\x02\x129\x0a2@SubstringComparator\x12\x03\x0a\x01a',
  ],
  [
    "SingleColumnValueFilter('f', 'q', =, 'regexstring:a.', true, false)",
    '\x0a6@SingleColumnValueFilter\x12Y\x0a\x01f\x12\x01q\x18\x02"K\x0a4@RegexStringComparator\x12\x13\x0a\x02a.\x10 \x1a\x05UTF-8"\x04JAVA(\x010\x00',
  ],
  [
    "SingleColumnValueExcludeFilter('f', '', >=, 'binary:')",
    '\x0a=@SingleColumnValueExcludeFilter\x12F\x0aD\x0a\x01f\x12\x00\x18\x04"7\x0a/@BinaryComparator\x12\x04\x0a\x02\x0a\x00(\x000\x01',
  ],
  [
    "SKIP ValueFilter(!=, 'regexstringnocase:a')",
    '\x0a)@SkipFilter\x12\x80\x01\x0a~\x0a*@ValueFilter\x12P\x0aN\x08\x03\x12J\x0a4@RegexStringComparator\x12\x12\x0a\x01a\x10"\x1a\x05UTF-8"\x04JAVA',
  ],
  [
    'WHILE TimestampsFilter(0, 300)',
    '\x0a/@WhileMatchFilter\x12<\x0a:\x0a/@TimestampsFilter\x12\x07\x0a\x03\x00\xac\x02\x10\x00',
  ],
  ['{"type":"RandomRowFilter","chance":0.25}', '\x0a.@RandomRowFilter\x12\x05\x0d\x00\x00\x80>'],
  [
    '{"type":"FuzzyRowFilter","fuzzyKeys":[{"key":"YWI=","mask":"/wI="}]}',
    '\x0a-@FuzzyRowFilter\x12\x0c\x0a\x08\x0a\x02ab\x12\x02\xff\x02\x10\x01',
  ],
  [
    '{"type":"MultiRowRangeFilter","ranges":[{"startRow":"YQ==","stopRow":"Yg==","stopRowInclusive":true}]}',
    '\x0a2@MultiRowRangeFilter\x12\x0c\x0a\x0a\x0a\x01a\x10\x01\x1a\x01b \x01',
  ],
  [
    '{"type":"RowFilter","op":"NO_OP","comparator":{"type":"BitComparator","value":"YQ==","op":"XOR"}}',
    '\x0a(@RowFilter\x12=\x0a;\x08\x06\x127\x0a,@BitComparator\x12\x07\x0a\x03\x0a\x01a\x10\x03',
  ],
  [
    '{"type":"RowFilter","op":"LESS_OR_EQUAL","comparator":{"type":"NullComparator"}}',
    '\x0a(@RowFilter\x127\x0a5\x08\x01\x121\x0a-@NullComparator\x12\x00',
  ],
]

function sentComparator(comparator: object): Comparator {
  return (decodeFilter(comparing(comparator)) as Filter & { comparator: Comparator }).comparator
}

describe('a filter in protobuf', () => {
  test.each(WRITTEN)('is written as by HBase: %s', (text, written) => {
    const bytes = Buffer.from(written.replaceAll('@', PACKAGE), 'latin1')
    const tree = text.startsWith('{') ? parseFilterJson(text) : parseFilterString(Buffer.from(text))
    expect(Buffer.from(encodeFilter(tree))).toEqual(bytes)
    expect(decodeFilter(bytes)).toEqual(tree)
  })

  test('may have fields that are not known, groups among them', () => {
    const unknown = Buffer.from('4a0161530801545d000000006100000000000000007801', 'hex')
    const keyOnly = named(`${PACKAGE}KeyOnlyFilter`, Buffer.concat([unknown, Buffer.from([8, 1])]))
    expect(decodeFilter(keyOnly)).toEqual({ kind: 'KeyOnlyFilter', lengthAsValue: true })
  })

  test('may be wrapped, and is the wrapped one', () => {
    const wrapped = named(`${PACKAGE}FilterWrapper`, field(1, filter('FirstKeyOnlyFilter')))
    expect(decodeFilter(wrapped)).toEqual({ kind: 'FirstKeyOnlyFilter' })
  })

  test('passes nothing as a prefix that is missing', () => {
    expect(decodeFilter(filter('PrefixFilter'))).toEqual({ kind: 'FilterAllFilter' })
    expect(encoded({ kind: 'FilterAllFilter' })).toEqual(filter('PrefixFilter'))
  })

  test('is brought into the form that HBase keeps it in', () => {
    expect(sentComparator({ kind: 'LongComparator', value: Buffer.from('123456789') })).toEqual({
      kind: 'LongComparator',
      value: Buffer.from('12345678'),
    })
    expect(
      sentComparator({ kind: 'BigDecimalComparator', value: Buffer.from('00000001ffff80', 'hex') }),
    ).toEqual({
      kind: 'BigDecimalComparator',
      value: Buffer.from('0000000180', 'hex'),
    })
    expect(sentComparator({ kind: 'SubstringComparator', substring: 'ÀB' })).toMatchObject({
      substring: 'àb',
    })
    // A string that is no name of a charset means UTF-8; JONI ignores a name that it does not know.
    expect(sentComparator({ ...regex, charset: 'no such' })).toEqual(regex)
    expect(sentComparator({ ...regex, charset: 'nope', engine: 'JONI' })).toEqual({
      ...regex,
      engine: 'JONI',
    })
    // HBase hands only some flags on to JONI.
    const flagged = { ...regex, pattern: '(?m)^a', flags: (1 << 20) | 16, engine: 'JONI' }
    expect(sentComparator(flagged)).toEqual(flagged)
    const twice = named(`${PACKAGE}TimestampsFilter`, Buffer.from([8, 3, 8, 1, 0x0a, 2, 3, 2]))
    expect(decodeFilter(twice)).toEqual({
      kind: 'TimestampsFilter',
      timestamps: [1n, 2n, 3n],
      canHint: false,
    })
  })
})
