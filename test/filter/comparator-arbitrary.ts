/** Random comparators, as the constructors of HBase would accept them. */

import fc from 'fast-check'
import type { Comparator } from '../../src/model/filter.ts'

/** Any bytes, among them the bytes with a meaning in the filter language. */
export const anyBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 12 }).map((array) => Buffer.from(array)),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => Buffer.from(text)),
  fc.constantFrom("it's", '', '(a) AND b', 'binary:x', '\0').map((text) => Buffer.from(text)),
)

const flags = fc.constantFrom(32, 0, 2, 34, 8, 40)
const charset = fc.constantFrom('UTF-8', 'ISO-8859-1', 'US-ASCII')
const PATTERNS = [
  '',
  'a',
  '^a',
  'b$',
  'a.*b',
  '[a-c]+',
  '(a|b)\\d?',
  '\\Qa.b\\E',
  "it's",
  '.{1,3}',
  '\\x00|é',
]

/** Comparators that answer for any bytes; their own bytes come from `values`. */
export function totalComparators(
  values: fc.Arbitrary<Buffer>,
  patterns: readonly string[] = PATTERNS,
): fc.Arbitrary<Comparator> {
  return fc.oneof(
    fc.record({ kind: fc.constant('BinaryComparator' as const), value: values }),
    fc.record({ kind: fc.constant('BinaryPrefixComparator' as const), value: values }),
    fc.record({
      kind: fc.constant('BitComparator' as const),
      value: values,
      operator: fc.constantFrom('AND', 'OR', 'XOR'),
    }),
    fc.constant({ kind: 'NullComparator' as const }),
    fc.record({
      kind: fc.constant('RegexStringComparator' as const),
      pattern: fc.constantFrom(...patterns),
      flags,
      charset,
      engine: fc.constantFrom('JAVA', 'JONI'),
    }),
    fc.record({
      kind: fc.constant('SubstringComparator' as const),
      substring: values.map((value) => value.toString('latin1').toLowerCase()),
    }),
  )
}

/** Every comparator. Some of them fail on bytes that are too short for them. */
export const comparators: fc.Arbitrary<Comparator> = fc.oneof(
  { weight: 6, arbitrary: totalComparators(anyBytes) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('BinaryComponentComparator' as const),
      value: anyBytes,
      offset: fc.nat({ max: 10 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('LongComparator' as const), value: fixedBytes(8, 8) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('BigDecimalComparator' as const),
      value: fc
        .tuple(fc.integer({ min: -20, max: 20 }), fc.bigInt({ min: -(1n << 70n), max: 1n << 70n }))
        .map(([scale, unscaled]) => bigDecimal(scale, unscaled)),
    }),
  },
)

function fixedBytes(minLength: number, maxLength: number): fc.Arbitrary<Buffer> {
  return fc.uint8Array({ minLength, maxLength }).map((array) => Buffer.from(array))
}

/** As Bytes.toBytes(BigDecimal): the scale, then the unscaled number in as few two's complement bytes as it needs. */
function bigDecimal(scale: number, unscaled: bigint): Buffer {
  let length = 1
  while (BigInt.asIntN(8 * length, unscaled) !== unscaled) length++
  const hex = BigInt.asUintN(8 * length, unscaled)
    .toString(16)
    .padStart(2 * length, '0')
  const head = Buffer.alloc(4)
  head.writeInt32BE(scale)
  return Buffer.concat([head, Buffer.from(hex, 'hex')])
}
