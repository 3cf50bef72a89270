/** The new values of increments and appends, from a column's present value and the change. */

import { HBaseError } from '../model/errors.ts'

const LONG_BYTES = 8

/** The sum modulo 2^64, as in Java. Throws DO_NOT_RETRY for a value or a change that is not 8 bytes. */
export function incrementedValue(present: Buffer | undefined, change: Buffer): Buffer {
  const sum = Buffer.allocUnsafe(LONG_BYTES)
  sum.writeBigInt64BE(BigInt.asIntN(64, readLong(change) + (present === undefined ? 0n : readLong(present))))
  return sum
}

export function appendedValue(present: Buffer | undefined, change: Buffer): Buffer {
  return present === undefined ? change : Buffer.concat([present, change])
}

function readLong(value: Buffer): bigint {
  if (value.length !== LONG_BYTES) {
    throw new HBaseError('DO_NOT_RETRY', `Field is not a long, it's ${value.length} bytes wide`)
  }
  return value.readBigInt64BE()
}
