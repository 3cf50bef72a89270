/** The messages of HBase 2.6.1 for filters in protobuf that it refuses. */

import { describe, expect, test } from 'vitest'
import { decodeFilter } from '../../../src/filter/protobuf/decode-filter.ts'
import { comparing, encoded, field, filter, named, PACKAGE, refusalOf, regex } from './filter-bytes.ts'

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

describe('a filter in protobuf', () => {
  test.each(REFUSED)('is refused as by HBase: %s', (_, bytes, message) => {
    const error = refusalOf(bytes)
    expect(error.message).toBe(message)
    expect(error.code).toBe('DO_NOT_RETRY')
  })

  test('of which not even the name can be read is no filter', () => {
    expect(refusalOf(Buffer.alloc(0))).toMatchObject({
      code: 'REFUSED',
      message: 'Message missing required fields: name',
    })
    expect(refusalOf(Buffer.from([0x0a, 5, 0x61]))).toMatchObject({ code: 'REFUSED', message: ENDED })
  })

  test('tells no more than so many names of missing fields', () => {
    const empty = filter('FuzzyRowFilter', '0a00'.repeat(4_000))
    const names = 'fuzzy_keys_data[0].first, fuzzy_keys_data[0].second, fuzzy_keys_data[1].first'
    expect(() => decodeFilter(empty)).toThrow(`missing required fields: ${names}`)
    expect(() => decodeFilter(empty)).toThrow(/^.{20000,40000}, \.\.\.$/s)
    // A field with a value of another wire type than its own is listed once.
    expect(() => decodeFilter(filter('PageFilter', '0a00'.repeat(4_000)))).toThrow(/fields: page_size$/)
  })
})
