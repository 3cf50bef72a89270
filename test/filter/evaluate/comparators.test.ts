import { expect, test } from 'vitest'
import { createComparator } from '../../../src/filter/evaluate/comparators/create-comparator.ts'
import { DECIMAL_BYTES_MAX } from '../../../src/filter/evaluate/comparators/number-comparators.ts'
import type { Comparator } from '../../../src/model/filter.ts'

const hex = (text: string): Buffer => Buffer.from(text, 'hex')
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1')

/** The value lies between other bytes, which the comparator must not look at. */
function sign(comparator: Comparator, value: Buffer): number {
  const bytes = Buffer.concat([hex('ff00'), value, hex('00ff')])
  return Math.sign(createComparator(comparator).compare(bytes, 2, value.length))
}

const long = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

test.each<[bigint, bigint, number]>([
  [-1n, 0n, -1],
  [2n ** 53n + 1n, 2n ** 53n, 1],
  [-(2n ** 63n), 2n ** 63n - 1n, -1],
  [1n << 32n, 0xffffffffn, 1],
  [7n, 7n, 0],
])('long %d against %d', (a, b, order) => {
  expect(sign({ kind: 'LongComparator', value: long(a) }, long(b))).toBe(order)
})

test('a long has 8 bytes', () => {
  expect(() => sign({ kind: 'LongComparator', value: long(1n) }, hex('01'))).toThrow(
    'Wrong length: 1, expected 8',
  )
})

/** Scale in 4 bytes, then the unscaled number. */
test.each([
  ['1.50', '0000000296', '1.5', '000000010f', 0],
  ['-1', '00000000ff', '0.1', '0000000101', -1],
  ['10', 'ffffffff01', '9.9', '0000000163', 1],
  ['1e2147483647', '8000000101', '1e-2147483647', '7fffffff01', 1],
  ['-1e2147483647', '80000001ff', '-1e-2147483647', '7fffffffff', -1],
  ['0', '7fffffff00', '0.0', '0000000100', 0],
])('decimal %s against %s', (_a, a, _b, b, order) => {
  // 1.50 is 150, two bytes: 0096.
  const value = hex(a === '0000000296' ? '000000020096' : a)
  expect(sign({ kind: 'BigDecimalComparator', value }, hex(b))).toBe(order)
})

test('a decimal number has no more bytes than a limit', () => {
  const [least, greatest] = [hex('0000000001'), Buffer.alloc(DECIMAL_BYTES_MAX)]
  const one: Comparator = { kind: 'BigDecimalComparator', value: least }
  expect(sign(one, greatest)).toBe(1)
  expect(() => sign(one, Buffer.alloc(DECIMAL_BYTES_MAX + 1))).toThrow(
    'a decimal number has at most 16384 bytes, not 16385',
  )
})

test.each<[Comparator, string, number]>([
  [{ kind: 'BinaryComparator', value: latin1('b') }, 'a', 1],
  [{ kind: 'BinaryComparator', value: latin1('b') }, 'b\0', -1],
  [{ kind: 'BinaryPrefixComparator', value: latin1('ab') }, 'abc', 0],
  [{ kind: 'BinaryPrefixComparator', value: latin1('ab') }, 'a', 1],
  [{ kind: 'BinaryComponentComparator', value: latin1('bc'), offset: 1 }, 'abcd', 0],
  [{ kind: 'BinaryComponentComparator', value: latin1('bc'), offset: 1 }, 'ab', 1],
  [{ kind: 'BinaryComponentComparator', value: latin1('bc'), offset: 9 }, 'ab', 1],
  [{ kind: 'NullComparator' }, '', 1],
  [{ kind: 'BitComparator', value: hex('0f01'), operator: 'AND' }, '\xf0\x01', 0],
  [{ kind: 'BitComparator', value: hex('0f01'), operator: 'AND' }, '\xf0\x02', 1],
  [{ kind: 'BitComparator', value: hex('0f'), operator: 'XOR' }, '\x0f', 1],
  [{ kind: 'BitComparator', value: hex('00'), operator: 'OR' }, '\x00', 1],
  [{ kind: 'BitComparator', value: hex('0f'), operator: 'OR' }, '\x00\x00', 1],
  [{ kind: 'SubstringComparator', substring: 'MiD' }, 'aMIDb', 0],
  [{ kind: 'SubstringComparator', substring: 'x' }, 'abc', 1],
  [
    {
      kind: 'RegexStringComparator',
      pattern: '^\\Qa.\\E.$',
      flags: 32,
      charset: 'ISO-8859-1',
      engine: 'JAVA',
    },
    'a.\n',
    0,
  ],
])('%o against %o', (comparator, value, order) => {
  expect(sign(comparator, latin1(value))).toBe(order)
})
