/** Reads, adds and writes numbers in cells, as HBase's endpoints do. HBase: ColumnInterpreter and its three implementations. */

import { create, toBinary } from '@bufbuild/protobuf'
import { HBaseError } from '../../../model/errors.ts'
import { BigDecimalMsgSchema, DoubleMsgSchema, LongMsgSchema } from '../../../wire/rpc/gen/hbase_pb.ts'

export interface ColumnInterpreter<T> {
  /** The number in a cell's value; undefined where it is none. */
  read(value: Buffer): T | undefined
  add(a: T, b: T): T
  multiply(a: T, b: T): T
  compare(a: T, b: T): number
  readonly zero: T
  readonly least: T
  toMessage(number: T): Uint8Array
}

const EIGHT = 8

/** Longs of 64 bits. Sums wrap around, as in Java. */
const LONG: ColumnInterpreter<bigint> = {
  read: (value) => (value.length === EIGHT ? value.readBigInt64BE() : undefined),
  add: (a, b) => BigInt.asIntN(64, a + b),
  multiply: (a, b) => BigInt.asIntN(64, a * b),
  compare: compareNumbers,
  zero: 0n,
  least: -(2n ** 63n),
  toMessage: (longMsg) => toBinary(LongMsgSchema, create(LongMsgSchema, { longMsg })),
}

const DOUBLE: ColumnInterpreter<number> = {
  read: (value) => (value.length === EIGHT ? value.readDoubleBE() : undefined),
  add: (a, b) => a + b,
  multiply: (a, b) => a * b,
  compare: compareNumbers,
  zero: 0,
  least: Number.MIN_VALUE,
  toMessage: (doubleMsg) => toBinary(DoubleMsgSchema, create(DoubleMsgSchema, { doubleMsg })),
}

/** Decimal numbers, in hundredths: each value and product is rounded to two digits behind the point. */
const DECIMAL: ColumnInterpreter<bigint> = {
  read: readHundredths,
  add: (a, b) => a + b,
  multiply: (a, b) => dividedHalfEven(a * b, 100n),
  compare: compareNumbers,
  zero: 0n,
  least: 0n,
  toMessage: (number) =>
    toBinary(BigDecimalMsgSchema, create(BigDecimalMsgSchema, { bigdecimalMsg: decimalBytes(number) })),
}

function compareNumbers<T extends bigint | number>(a: T, b: T): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

const SCALE_BYTES = 4
const HUNDREDTHS_SCALE = 2
/** Limits of a decimal number. A few bytes must not become a number of many megabytes, nor a long value take many seconds. */
const SCALE_MAX = 1000
const DIGIT_BYTES_MAX = 1000

/** Reads a decimal number: its scale, then its digits as a number in two's complement. HBase: Bytes.toBigDecimal. */
function readHundredths(value: Buffer): bigint | undefined {
  if (value.length <= SCALE_BYTES) return undefined
  const scale = value.readInt32BE()
  if (Math.abs(scale) > SCALE_MAX) throw new HBaseError('DO_NOT_RETRY', `a decimal number of scale ${scale}`)
  const digits = value.subarray(SCALE_BYTES)
  if (digits.length > DIGIT_BYTES_MAX) {
    throw new HBaseError('DO_NOT_RETRY', `a decimal number of ${digits.length} bytes`)
  }
  const unscaled = BigInt.asIntN(digits.length * 8, BigInt(`0x${digits.toString('hex')}`))
  const shift = BigInt(HUNDREDTHS_SCALE - scale)
  return shift >= 0n ? unscaled * 10n ** shift : dividedHalfEven(unscaled, 10n ** -shift)
}

/** Divides, and rounds as Java's RoundingMode.HALF_EVEN. */
function dividedHalfEven(dividend: bigint, divisor: bigint): bigint {
  const [quotient, rest] = [dividend / divisor, dividend % divisor]
  const twice = 2n * (rest < 0n ? -rest : rest)
  const isUp = twice > divisor || (twice === divisor && quotient % 2n !== 0n)
  if (!isUp) return quotient
  return dividend < 0n ? quotient - 1n : quotient + 1n
}

function decimalBytes(hundredths: bigint): Buffer {
  let bytes = 1
  while (BigInt.asIntN(bytes * 8, hundredths) !== hundredths) bytes++
  const hex = BigInt.asUintN(bytes * 8, hundredths)
    .toString(16)
    .padStart(bytes * 2, '0')
  const buffer = Buffer.alloc(SCALE_BYTES + bytes)
  buffer.writeInt32BE(HUNDREDTHS_SCALE)
  buffer.write(hex, SCALE_BYTES, 'hex')
  return buffer
}

const PACKAGE = 'org.apache.hadoop.hbase.client.coprocessor.'

/** Calls `use` with the interpreter of the class. Throws DO_NOT_RETRY for a class that HBase does not ship. */
export function withInterpreter<R>(javaClass: string, use: <T>(of: ColumnInterpreter<T>) => R): R {
  switch (javaClass) {
    case `${PACKAGE}LongColumnInterpreter`:
      return use(LONG)
    case `${PACKAGE}DoubleColumnInterpreter`:
      return use(DOUBLE)
    case `${PACKAGE}BigDecimalColumnInterpreter`:
      return use(DECIMAL)
    default:
      throw new HBaseError('DO_NOT_RETRY', `java.lang.ClassNotFoundException: ${javaClass}`)
  }
}
