/** Filters in protobuf as HBase 2.6.1 writes them, and what it says of those that it does not take. */

import { describe, expect, test } from 'vitest'
import { parseFilterJson } from '../../../src/filter/json/parse-filter-json.ts'
import { parseFilterString } from '../../../src/filter/language/parse-filter-string.ts'
import { decodeFilter } from '../../../src/filter/protobuf/decode-filter.ts'
import { encodeFilter } from '../../../src/filter/protobuf/encode-filter.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { Comparator, Filter } from '../../../src/model/filter.ts'

const PACKAGE = 'org.apache.hadoop.hbase.filter.'

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

/** A length-delimited field of less than 16 KiB. */
function field(number: number, value: Buffer | string): Buffer {
  const bytes = Buffer.from(value)
  const { length } = bytes
  const size = length < 0x80 ? [length] : [(length & 0x7f) | 0x80, length >> 7]
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...size]), bytes])
}

function named(name: string, serialized: Buffer | string = ''): Buffer {
  return Buffer.concat([field(1, name), field(2, Buffer.from(serialized))])
}

function filter(name: string, hex = ''): Buffer {
  return named(PACKAGE + name, Buffer.from(hex, 'hex'))
}

function encoded(tree: Filter): Buffer {
  return Buffer.from(encodeFilter(tree))
}

function comparing(comparator: object): Buffer {
  return encoded({ kind: 'RowFilter', operator: 'EQUAL', comparator: comparator as Comparator })
}

const regex = { kind: 'RegexStringComparator', pattern: 'a', flags: 32, charset: 'UTF-8', engine: 'JAVA' }
const DESERIALIZATION = 'org.apache.hadoop.hbase.exceptions.DeserializationException'
const PROTOBUF = 'org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException'
const OF_COMPARATOR = `${DESERIALIZATION}: java.io.IOException`
const OF_FILTER = `${DESERIALIZATION}: org.apache.hadoop.hbase.DoNotRetryIOException`
const ENDED =
  'While parsing a protocol message, the input ended unexpectedly in the middle of a field.  This could mean either ' +
  'that the input has been truncated or that an embedded message misreported its own length.'
const illegal = (message: string): string => `java.lang.IllegalArgumentException: ${message}`

/** HBase's messages, as Thrift 2 hands them on. */
const REFUSED: readonly (readonly [name: string, bytes: Buffer, message: string])[] = [
  ['another class', named('X'), 'java.lang.ClassNotFoundException: X'],
  ['no class', named(''), 'java.lang.ClassNotFoundException: '],
  ['no filter', filter('Nope'), `java.lang.ClassNotFoundException: ${PACKAGE}Nope`],
  [
    'one of its tests',
    filter('FilterAllFilter'),
    `java.lang.ClassNotFoundException: ${PACKAGE}FilterAllFilter`,
  ],
  [
    'the base',
    filter('Filter'),
    `${DESERIALIZATION}: parseFrom called on base Filter, but should be called on derived type`,
  ],
  ['another base', filter('FilterBase'), 'java.lang.reflect.InvocationTargetException'],
  [
    'a comparator',
    filter('NullComparator'),
    `java.lang.ClassCastException: class ${PACKAGE}NullComparator cannot be cast to class ${PACKAGE}Filter (${PACKAGE}NullComparator and ${PACKAGE}Filter are in unnamed module of loader 'app')`,
  ],
  [
    'no field',
    filter('PageFilter'),
    `${DESERIALIZATION}: ${PROTOBUF}: Message missing required fields: page_size`,
  ],
  [
    'no fields',
    filter('ColumnValueFilter'),
    `${DESERIALIZATION}: ${PROTOBUF}: Message missing required fields: family, qualifier, compare_op, comparator`,
  ],
  [
    'no field within',
    filter('RowFilter', '0a020809'),
    `${DESERIALIZATION}: ${PROTOBUF}: Message missing required fields: compare_filter.compare_op`,
  ],
  [
    'a text for a number',
    filter('KeyOnlyFilter', '0a0161'),
    `${DESERIALIZATION}: ${PROTOBUF}: Message missing required fields: len_as_val`,
  ],
  ['half a field', filter('PageFilter', '08'), `${DESERIALIZATION}: ${PROTOBUF}: ${ENDED}`],
  ['a length beyond the end', filter('FamilyFilter', '0a7f'), `${DESERIALIZATION}: ${PROTOBUF}: ${ENDED}`],
  [
    'field 0',
    filter('PageFilter', '00'),
    `${DESERIALIZATION}: ${PROTOBUF}: Protocol message contained an invalid tag (zero).`,
  ],
  [
    'wire type 7',
    filter('PageFilter', '0f'),
    `${DESERIALIZATION}: ${PROTOBUF}$InvalidWireTypeException: Protocol message tag had invalid wire type.`,
  ],
  [
    'the end of no group',
    filter('PageFilter', '0c'),
    `${DESERIALIZATION}: ${PROTOBUF}: Protocol message end-group tag did not match expected tag.`,
  ],
  [
    'a number of eleven bytes',
    filter('PageFilter', `08${'ff'.repeat(10)}01`),
    `${DESERIALIZATION}: ${PROTOBUF}: CodedInputStream encountered a malformed varint.`,
  ],
  ['a limit below 0', encoded({ kind: 'ColumnCountGetFilter', limit: -1 }), illegal('limit be positive -1')],
  [
    'one within a list',
    encoded({
      kind: 'FilterList',
      operator: 'MUST_PASS_ONE',
      filters: [{ kind: 'PageFilter', pageSize: -1n }],
    }),
    `${OF_FILTER}: ${illegal('must be positive -1')}`,
  ],
  ['no ranges', encoded({ kind: 'MultiRowRangeFilter', ranges: [] }), illegal('No ranges found.')],
  [
    'no fuzzy keys',
    encoded({ kind: 'FuzzyRowFilter', keys: [], isMaskV2: true }),
    'java.lang.IllegalArgumentException',
  ],
  [
    'a pattern',
    comparing({ ...regex, pattern: '(' }),
    `${OF_COMPARATOR}: java.util.regex.PatternSyntaxException: Unclosed group near index 1\n(`,
  ],
  [
    'a flag',
    comparing({ ...regex, flags: 1 << 20 }),
    `${OF_COMPARATOR}: ${illegal('Unknown flag 0x100000')}`,
  ],
  [
    'an engine',
    comparing({ ...regex, engine: 'X' }),
    `${OF_COMPARATOR}: ${illegal(`No enum constant ${PACKAGE}RegexStringComparator.EngineType.X`)}`,
  ],
  [
    'a pattern for JONI',
    comparing({ ...regex, pattern: '(', engine: 'JONI' }),
    `${OF_COMPARATOR}: java.util.regex.PatternSyntaxException: Unclosed group near index 1\n(`,
  ],
  [
    'a charset',
    comparing({ ...regex, charset: 'nope' }),
    `${OF_COMPARATOR}: java.nio.charset.UnsupportedCharsetException: nope`,
  ],
  [
    'a short long',
    comparing({ kind: 'LongComparator', value: Buffer.from('abc') }),
    `${OF_COMPARATOR}: ${illegal('offset (0) + length (8) exceed the capacity of the array: 3')}`,
  ],
  [
    'a short decimal',
    comparing({ kind: 'BigDecimalComparator', value: Buffer.from('abcd') }),
    `${OF_COMPARATOR}: java.lang.NullPointerException: Cannot invoke "java.math.BigDecimal.unscaledValue()" because "val" is null`,
  ],
  [
    'a comparator without its own',
    named(
      `${PACKAGE}RowFilter`,
      field(1, Buffer.concat([Buffer.from([8, 2]), field(2, filter('BinaryComponentComparator', '0a0161'))])),
    ),
    `${OF_COMPARATOR}: ${DESERIALIZATION}: com.google.protobuf.InvalidProtocolBufferException: Message missing required fields: offset`,
  ],
]

function refusalOf(bytes: Buffer): HBaseError {
  try {
    decodeFilter(bytes)
  } catch (error) {
    if (error instanceof HBaseError) return error
    throw error
  }
  throw new Error('taken')
}

function comparatorOf(comparator: object): Comparator {
  return (decodeFilter(comparing(comparator)) as Filter & { comparator: Comparator }).comparator
}

describe('a filter in protobuf', () => {
  test.each(WRITTEN)('is written as by HBase: %s', (text, written) => {
    const bytes = Buffer.from(written.replaceAll('@', PACKAGE), 'latin1')
    const tree = text.startsWith('{') ? parseFilterJson(text) : parseFilterString(Buffer.from(text))
    expect(Buffer.from(encodeFilter(tree))).toEqual(bytes)
    expect(decodeFilter(bytes)).toEqual(tree)
  })

  test.each(REFUSED)('is refused as by HBase: %s', (_, bytes, message) => {
    const error = refusalOf(bytes)
    expect(error.message).toBe(message)
    expect(error.code).toBe('DO_NOT_RETRY')
  })

  test('of which not even the name can be read is no filter', () => {
    expect(refusalOf(Buffer.alloc(0))).toMatchObject({
      code: 'IO',
      message: 'Message missing required fields: name',
    })
    expect(refusalOf(Buffer.from([0x0a, 5, 0x61]))).toMatchObject({ code: 'IO', message: ENDED })
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

  test('tells no more than so many names of missing fields', () => {
    const empty = filter('FuzzyRowFilter', '0a00'.repeat(4_000))
    const names = 'fuzzy_keys_data[0].first, fuzzy_keys_data[0].second, fuzzy_keys_data[1].first'
    expect(() => decodeFilter(empty)).toThrow(`missing required fields: ${names}`)
    expect(() => decodeFilter(empty)).toThrow(/^.{20000,40000}, \.\.\.$/s)
    // A field with a value of another wire type than its own is told once.
    expect(() => decodeFilter(filter('PageFilter', '0a00'.repeat(4_000)))).toThrow(/fields: page_size$/)
  })

  test('is brought into the form that HBase keeps it in', () => {
    expect(comparatorOf({ kind: 'LongComparator', value: Buffer.from('123456789') })).toEqual({
      kind: 'LongComparator',
      value: Buffer.from('12345678'),
    })
    expect(
      comparatorOf({ kind: 'BigDecimalComparator', value: Buffer.from('00000001ffff80', 'hex') }),
    ).toEqual({
      kind: 'BigDecimalComparator',
      value: Buffer.from('0000000180', 'hex'),
    })
    expect(comparatorOf({ kind: 'SubstringComparator', substring: 'ÀB' })).toMatchObject({ substring: 'àb' })
    // No name of a charset is none; JONI goes without one that it does not know.
    expect(comparatorOf({ ...regex, charset: 'no such' })).toEqual(regex)
    expect(comparatorOf({ ...regex, charset: 'nope', engine: 'JONI' })).toEqual({ ...regex, engine: 'JONI' })
    // HBase hands only some flags on to JONI.
    const flagged = { ...regex, pattern: '(?m)^a', flags: (1 << 20) | 16, engine: 'JONI' }
    expect(comparatorOf(flagged)).toEqual(flagged)
    const twice = named(`${PACKAGE}TimestampsFilter`, Buffer.from([8, 3, 8, 1, 0x0a, 2, 3, 2]))
    expect(decodeFilter(twice)).toEqual({
      kind: 'TimestampsFilter',
      timestamps: [1n, 2n, 3n],
      canHint: false,
    })
  })
})
