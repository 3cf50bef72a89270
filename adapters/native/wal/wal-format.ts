/**
 * The bytes of a write-ahead log: docs/formats.md has them with an example.
 *
 *     log     := magic "TIDEWAL1" | number u64 | record*
 *     record  := length u32 | crc u32 | payload            length and CRC32C of the payload
 *     payload := sequenceId u64 | region u32 | cell block   a record without a sequence id is a mark: log-mark.ts
 *
 * PERSISTED: never renumber.
 */

import { readInt32, writeInt32 } from '../../../src/model/bytes.ts'
import { crc32c } from '../../../src/wire/checksums/checksums.ts'
import { crc32cOf } from './short-crc32c.ts'

const MAGIC: Buffer = Buffer.from('TIDEWAL1', 'latin1')

export const LOG_HEADER_BYTES: number = MAGIC.length + 8
/** length and crc. */
export const RECORD_HEADER_BYTES = 8
/** A cell's length, and the lengths of its key and its value. */
const FIRST_CELL_BYTES = 12
/** sequenceId and region. */
const PAYLOAD_HEADER_BYTES = 12
/** From a record's beginning to its cells. */
export const RECORD_CELLS_OFFSET: number = RECORD_HEADER_BYTES + PAYLOAD_HEADER_BYTES

export function encodeLogHeader(number: number): Buffer {
  const header = Buffer.alloc(LOG_HEADER_BYTES)
  MAGIC.copy(header)
  writeUInt53(header, MAGIC.length, number)
  return header
}

/** The log's number, or undefined for bytes that are no log header. */
export function decodeLogHeader(bytes: Buffer): number | undefined {
  if (bytes.length < LOG_HEADER_BYTES || !bytes.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  return readUInt53(bytes, MAGIC.length)
}

/** Whether a crash just after the file's creation can have left these bytes: less than the header, or zeros in its place. */
export function isTornHeader(bytes: Buffer, number: number): boolean {
  const header = encodeLogHeader(number)
  return bytes.every((byte, index) => byte === 0 || byte === header[index])
}

/** Writes the headers before the cells, which are at target[record + RECORD_CELLS_OFFSET..end). */
export function sealRecord(
  target: Buffer,
  record: number,
  end: number,
  sequenceId: number,
  region: number,
): void {
  const payload = record + RECORD_HEADER_BYTES
  writeUInt53(target, payload, sequenceId)
  writeInt32(target, payload + 8, region)
  writeInt32(target, record, end - payload)
  writeInt32(target, record + 4, crc32cOf(target, payload, end))
}

/** The headers of a record whose cells stand elsewhere. */
export function sealRecordApart(cells: Buffer, sequenceId: number, region: number): Buffer {
  const header = Buffer.alloc(RECORD_CELLS_OFFSET)
  writeUInt53(header, RECORD_HEADER_BYTES, sequenceId)
  writeInt32(header, RECORD_HEADER_BYTES + 8, region)
  writeInt32(header, 0, PAYLOAD_HEADER_BYTES + cells.length)
  writeInt32(header, 4, crc32c(cells, crc32c(header.subarray(RECORD_HEADER_BYTES))))
  return header
}

/** Bytes of a record of so many bytes of cells. */
export function recordBytes(cellsBytes: number): number {
  return RECORD_CELLS_OFFSET + cellsBytes
}

/** Bytes of the whole record if a valid one begins at `record`, else 0. */
export function recordBytesAt(log: Buffer, record: number): number {
  if (log.length - record < RECORD_CELLS_OFFSET) return 0
  const length = readInt32(log, record) >>> 0
  const payload = record + RECORD_HEADER_BYTES
  if (length < PAYLOAD_HEADER_BYTES || length > log.length - payload) return 0
  const isIntact = crc32cOf(log, payload, payload + length) === readInt32(log, record + 4) >>> 0
  return isIntact ? RECORD_HEADER_BYTES + length : 0
}

/** Bytes of the record at `record`, as its header states them, whether they are there or not; 0: no record is so short. */
export function statedRecordBytes(log: Buffer, record: number): number {
  const length = readInt32(log, record) >>> 0
  return length < PAYLOAD_HEADER_BYTES ? 0 : RECORD_HEADER_BYTES + length
}

/** False where no record begins at `record`, as its lengths show; else the checksum decides. It must not end before RECORD_CELLS_OFFSET. */
export function mayBeRecord(log: Buffer, record: number): boolean {
  const length = readInt32(log, record) >>> 0
  const payload = record + RECORD_HEADER_BYTES
  if (length < PAYLOAD_HEADER_BYTES || length > log.length - payload) return false
  const cellsBytes = length - PAYLOAD_HEADER_BYTES
  if (cellsBytes === 0) return true
  // The first cell: its length, then the lengths of its key and its value.
  const cells = record + RECORD_CELLS_OFFSET
  if (cellsBytes < FIRST_CELL_BYTES) return false
  const cellBytes = readInt32(log, cells) >>> 0
  const keyBytes = readInt32(log, cells + 4) >>> 0
  const valueBytes = readInt32(log, cells + 8) >>> 0
  return cellBytes <= cellsBytes - 4 && 8 + keyBytes + valueBytes <= cellBytes
}

export function recordSequenceId(log: Buffer, record: number): number {
  return readUInt53(log, record + RECORD_HEADER_BYTES)
}

export function recordRegion(log: Buffer, record: number): number {
  return readInt32(log, record + RECORD_HEADER_BYTES + 8) >>> 0
}

export function writeUInt53(target: Buffer, offset: number, value: number): void {
  writeInt32(target, offset, Math.floor(value / 0x1_0000_0000))
  writeInt32(target, offset + 4, value | 0)
}

export function readUInt53(source: Buffer, offset: number): number {
  return (readInt32(source, offset) >>> 0) * 0x1_0000_0000 + (readInt32(source, offset + 4) >>> 0)
}
