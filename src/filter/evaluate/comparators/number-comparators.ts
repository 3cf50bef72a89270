/** Comparators of bytes that stand for numbers. */

import { readInt32 } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import { compareTimestamps } from '../../../model/timestamp.ts'
import type { ComparatorEvaluator } from './comparator-evaluator.ts'

const LONG_BYTES = 8
const SCALE_BYTES = 4
/** Comparing longer numbers takes milliseconds, and comparing megabytes takes seconds. HBase has no such limit. */
export const DECIMAL_BYTES_MAX: number = 16 * 1024

/** Signed 64-bit numbers. Throws ILLEGAL_ARGUMENT for bytes that are no such number. */
export class LongComparator implements ComparatorEvaluator {
  readonly #high: number
  readonly #low: number

  constructor(value: Buffer) {
    checkLong(value, 0, value.length)
    this.#high = readInt32(value, 0)
    this.#low = readInt32(value, 4)
  }

  compare(bytes: Buffer, offset: number, length: number): number {
    checkLong(bytes, offset, length)
    return compareTimestamps(this.#high, this.#low, readInt32(bytes, offset), readInt32(bytes, offset + 4))
  }
}

/** HBase: Bytes.explainWrongLengthOrOffset. */
function checkLong(bytes: Buffer, offset: number, length: number): void {
  if (length !== LONG_BYTES) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `Wrong length: ${length}, expected ${LONG_BYTES}`)
  }
  if (offset + length > bytes.length) {
    throw new HBaseError(
      'ILLEGAL_ARGUMENT',
      `offset (${offset}) + length (${length}) exceed the capacity of the array: ${bytes.length}`,
    )
  }
}

/**
 * Decimal numbers as Bytes.toBytes(BigDecimal) writes them, of any scale. Throws ILLEGAL_ARGUMENT for bytes that are no
 * such number.
 */
export class BigDecimalComparator implements ComparatorEvaluator {
  readonly #value: Decimal

  constructor(value: Buffer) {
    this.#value = readDecimal(value, 0, value.length)
  }

  compare(bytes: Buffer, offset: number, length: number): number {
    return compareDecimals(this.#value, readDecimal(bytes, offset, length))
  }
}

/** unscaled * 10 ** -scale */
interface Decimal {
  readonly scale: number
  readonly unscaled: bigint
}

function readDecimal(bytes: Buffer, offset: number, length: number): Decimal {
  if (length < SCALE_BYTES + 1) {
    throw new HBaseError('ILLEGAL_ARGUMENT', `a decimal number has at least 5 bytes, not ${length}`)
  }
  if (length > DECIMAL_BYTES_MAX) {
    const message = `a decimal number has at most ${DECIMAL_BYTES_MAX} bytes, not ${length}`
    throw new HBaseError('ILLEGAL_ARGUMENT', message)
  }
  const digits = bytes.toString('hex', offset + SCALE_BYTES, offset + length)
  const bits = (length - SCALE_BYTES) * 8
  return { scale: readInt32(bytes, offset), unscaled: BigInt.asIntN(bits, BigInt(`0x${digits}`)) }
}

function compareDecimals(a: Decimal, b: Decimal): number {
  const signs = decimalSign(a) - decimalSign(b)
  if (signs !== 0 || a.unscaled === 0n) return signs
  // Scales may be billions apart, so numbers are brought to one scale only if they have equally many digits before the
  // point.
  const aDigits = integerDigits(a)
  const bDigits = integerDigits(b)
  if (aDigits !== bDigits) return aDigits < bDigits ? -decimalSign(a) : decimalSign(a)
  const scale = Math.max(a.scale, b.scale)
  const left = a.unscaled * 10n ** BigInt(scale - a.scale)
  const right = b.unscaled * 10n ** BigInt(scale - b.scale)
  if (left === right) return 0
  return left < right ? -1 : 1
}

function decimalSign({ unscaled }: Decimal): number {
  if (unscaled === 0n) return 0
  return unscaled < 0n ? -1 : 1
}

function integerDigits({ scale, unscaled }: Decimal): number {
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().length
  return digits - scale
}
