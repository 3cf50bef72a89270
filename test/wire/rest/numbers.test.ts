import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { timestampHigh, timestampLow } from '../../../src/model/timestamp.ts'
import { varint64Bytes, varintBytes, writeVarint, writeVarint64 } from '../../../src/wire/rpc/varint.ts'
import { TIMESTAMP_DIGITS_MAX, writeTimestampText } from '../../../src/wire/text/decimal.ts'
import { int64OfJsonNumber, parseInt32, parseInt64 } from '../../../src/wire/text/int64-text.ts'

const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.bigInt({ min: 0n, max: 2n ** 54n }),
  fc.nat(20).map((exponent) => 10n ** BigInt(Math.min(exponent, 18))),
  fc.nat(18).map((exponent) => 10n ** BigInt(exponent) - 1n),
  fc.nat(62).map((exponent) => 2n ** BigInt(exponent)),
)

describe('timestamps as digits', () => {
  test('are exact', () => {
    fc.assert(
      fc.property(int64, fc.nat(3), (value, at) => {
        const target = Buffer.alloc(at + TIMESTAMP_DIGITS_MAX)
        const end = writeTimestampText(target, at, timestampHigh(value), timestampLow(value))
        expect(target.toString('latin1', at, end)).toBe(value.toString())
        expect(parseInt64(value.toString())).toBe(value)
      }),
      { numRuns: 1000 },
    )
  })

  test('are read as Jackson reads longs', () => {
    expect(int64OfJsonNumber('9007199254740993')).toBe(9007199254740993n)
    expect(int64OfJsonNumber('-9223372036854775808')).toBe(-(2n ** 63n))
    expect(int64OfJsonNumber('7.9')).toBe(7n)
    expect(int64OfJsonNumber('-7.9')).toBe(-7n)
    expect(int64OfJsonNumber('1e3')).toBe(1000n)
    expect(int64OfJsonNumber('1.5E+2')).toBe(150n)
    for (const text of ['9223372036854775808', '1e400', '1e19', '-9223372036854775809']) {
      expect(() => int64OfJsonNumber(text)).toThrow(expect.objectContaining({ code: 'ILLEGAL_ARGUMENT' }))
    }
  })

  test('are integers of their range', () => {
    expect(parseInt64('+5')).toBe(5n)
    expect(parseInt32('-2147483648')).toBe(-2147483648)
    for (const text of ['', ' 5', '5 ', '0x5', '1e3', '5.0', '-', '9223372036854775808', '9'.repeat(1000)]) {
      expect(() => parseInt64(text)).toThrow(expect.objectContaining({ code: 'ILLEGAL_ARGUMENT' }))
    }
    expect(() => parseInt32('2147483648')).toThrow(expect.objectContaining({ code: 'ILLEGAL_ARGUMENT' }))
  })
})

function encoded(value: bigint): Buffer {
  const bytes: number[] = []
  for (let rest = BigInt.asUintN(64, value); ; rest >>= 7n) {
    bytes.push(Number(rest & 0x7fn) | (rest > 0x7fn ? 0x80 : 0))
    if (rest <= 0x7fn) return Buffer.from(bytes)
  }
}

describe('varints', () => {
  test('of 64 bits have the shortest form', () => {
    fc.assert(
      fc.property(int64, (value) => {
        const target = Buffer.alloc(10)
        const [high, low] = [timestampHigh(value), timestampLow(value)]
        const end = writeVarint64(target, 0, high, low)
        expect(target.subarray(0, end)).toEqual(encoded(value))
        expect(varint64Bytes(high, low)).toBe(end)
      }),
      { numRuns: 1000 },
    )
  })

  test('of 32 bits have the shortest form', () => {
    fc.assert(
      fc.property(fc.nat(0x7fffffff), (value) => {
        const target = Buffer.alloc(5)
        const end = writeVarint(target, 0, value)
        expect(target.subarray(0, end)).toEqual(encoded(BigInt(value)))
        expect(varintBytes(value)).toBe(end)
      }),
    )
  })
})
