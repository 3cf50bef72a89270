/**
 * 64-bit timestamps as two int32 halves: `high` signed, `low` its bits (also kept signed, compared unsigned).
 *
 * Cells carry timestamps as bytes and hot paths compare the halves. A bigint appears once per request at most, where a
 * client states a time.
 */

import { readInt32, writeInt32 } from './bytes.ts'

/** HConstants.LATEST_TIMESTAMP, Long.MAX_VALUE: on a put or delete "the server's present time". */
export const LATEST_TIMESTAMP: bigint = 0x7fff_ffff_ffff_ffffn
export const MIN_TIMESTAMP: bigint = -0x8000_0000_0000_0000n
export const LATEST_HIGH: number = 0x7fffffff
export const LATEST_LOW: number = -1

export function timestampHigh(timestamp: bigint): number {
  return Number(BigInt.asIntN(32, timestamp >> 32n))
}

export function timestampLow(timestamp: bigint): number {
  return Number(BigInt.asIntN(32, timestamp))
}

export function timestampOf(high: number, low: number): bigint {
  return (BigInt(high) << 32n) | BigInt(low >>> 0)
}

/** Milliseconds since 1970 (a safe integer, as the clock gives it) as the high half. */
export function millisHigh(millis: number): number {
  return Math.floor(millis / 0x1_0000_0000) | 0
}

export function millisLow(millis: number): number {
  return millis | 0
}

export function compareTimestamps(aHigh: number, aLow: number, bHigh: number, bLow: number): number {
  if (aHigh !== bHigh) return aHigh < bHigh ? -1 : 1
  if (aLow === bLow) return 0
  return aLow >>> 0 < bLow >>> 0 ? -1 : 1
}

export function readTimestamp(buffer: Buffer, offset: number): bigint {
  return timestampOf(readInt32(buffer, offset), readInt32(buffer, offset + 4))
}

export function writeTimestamp(buffer: Buffer, offset: number, timestamp: bigint): void {
  writeInt32(buffer, offset, timestampHigh(timestamp))
  writeInt32(buffer, offset + 4, timestampLow(timestamp))
}

/** Exact decimal digits. Real-world times take the fast way: they fit a double exactly. */
export function timestampText(high: number, low: number): string {
  if (high >= 0 && high < 0x200000) return String(high * 0x1_0000_0000 + (low >>> 0))
  return timestampOf(high, low).toString()
}
