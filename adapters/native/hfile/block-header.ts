/**
 * The header of every block (HFile version 2 and later, with checksums). HBase: HFileBlock.
 *
 *     magic 8 | onDiskBytesWithoutHeader i32 | payloadBytes i32 | previousOffset i64
 *     | checksumType i8 | bytesPerChecksum i32 | onDiskDataBytesWithHeader i32
 *
 * On disk a block is header, data (the payload, compressed), checksums. onDiskBytesWithoutHeader counts data and checksums. payloadBytes
 * counts the data before compression. onDiskDataBytesWithHeader counts header and data. The field previousOffset is the offset of the
 * previous block of the same type, -1 for the first.
 */

import { writeInt32 } from '../../../src/model/bytes.ts'
import type { BlockType } from './block-type.ts'
import { writeLong } from './byte-output.ts'
import { BYTES_PER_CHECKSUM, ChecksumType, checksumsBytes } from './checksum.ts'

export const BLOCK_HEADER_BYTES = 33

/** Offsets in a block's header. PERSISTED: never renumber. */
export const HeaderField = {
  OnDiskBytesWithoutHeader: 8,
  PayloadBytes: 12,
  PreviousOffset: 16,
  ChecksumType: 24,
  BytesPerChecksum: 25,
  OnDiskDataBytesWithHeader: 29,
} as const

/** Writes the header of a block of `dataBytes` on disk at target[0..33); checksums are CRC32C. */
export function writeBlockHeader(
  target: Buffer,
  type: BlockType,
  dataBytes: number,
  payloadBytes: number,
  previousOffset: number,
): void {
  const dataEnd = BLOCK_HEADER_BYTES + dataBytes
  const sums = checksumsBytes(ChecksumType.Crc32c, dataEnd, BYTES_PER_CHECKSUM)
  target.write(type, 0, 'latin1')
  writeInt32(target, HeaderField.OnDiskBytesWithoutHeader, dataBytes + sums)
  writeInt32(target, HeaderField.PayloadBytes, payloadBytes)
  writeLong(target, HeaderField.PreviousOffset, previousOffset)
  target[HeaderField.ChecksumType] = ChecksumType.Crc32c
  writeInt32(target, HeaderField.BytesPerChecksum, BYTES_PER_CHECKSUM)
  writeInt32(target, HeaderField.OnDiskDataBytesWithHeader, dataEnd)
}
