/**
 * Block checksums: one 32-bit sum, big-endian, for each `bytesPerChecksum` bytes of a block's header and data, behind
 * the data. HBase: ChecksumUtil, ChecksumType.
 */

import { readInt32, writeInt32 } from '../../../src/model/bytes.ts'
import { crc32, crc32c } from '../../../src/wire/checksums/checksums.ts'

/** PERSISTED: never renumber. */
export const ChecksumType = { Null: 0, Crc32: 1, Crc32c: 2 } as const
export type ChecksumType = (typeof ChecksumType)[keyof typeof ChecksumType]

/** HFile.DEFAULT_BYTES_PER_CHECKSUM. */
export const BYTES_PER_CHECKSUM: number = 16 * 1024

export const CHECKSUM_BYTES = 4

/** Bytes of the checksums of `dataBytes`. */
export function checksumsBytes(type: ChecksumType, dataBytes: number, bytesPerChecksum: number): number {
  return type === ChecksumType.Null ? 0 : Math.ceil(dataBytes / bytesPerChecksum) * CHECKSUM_BYTES
}

/** Writes the checksums of source[start..end) to target[at..]. */
export function writeChecksums(
  type: ChecksumType,
  source: Buffer,
  start: number,
  end: number,
  bytesPerChecksum: number,
  target: Buffer,
  at: number,
): void {
  if (type === ChecksumType.Null) return
  for (let chunk = start; chunk < end; chunk += bytesPerChecksum) {
    writeInt32(target, at, checksum(type, source, chunk, Math.min(chunk + bytesPerChecksum, end)))
    at += CHECKSUM_BYTES
  }
}

export interface ChecksumMismatch {
  /** Offset of the mismatching chunk in the buffer. */
  readonly chunk: number
  readonly expected: number
  readonly found: number
}

/** The first chunk of source[start..end) that does not match its checksum; the checksums begin at `end`. */
export function findChecksumMismatch(
  type: ChecksumType,
  source: Buffer,
  start: number,
  end: number,
  bytesPerChecksum: number,
): ChecksumMismatch | undefined {
  if (type === ChecksumType.Null) return undefined
  let at = end
  for (let chunk = start; chunk < end; chunk += bytesPerChecksum) {
    const expected = readInt32(source, at) >>> 0
    const found = checksum(type, source, chunk, Math.min(chunk + bytesPerChecksum, end))
    if (expected !== found) return { chunk, expected, found }
    at += CHECKSUM_BYTES
  }
  return undefined
}

function checksum(type: ChecksumType, source: Buffer, start: number, end: number): number {
  const chunk = source.subarray(start, end)
  return (type === ChecksumType.Crc32 ? crc32(chunk) : crc32c(chunk)) >>> 0
}
