/**
 * Marks: records of a log without cells, which state what is known of its other bytes. Sequence ids begin at 1, so that 0 distinguishes a mark from
 * other records; the place that it states distinguishes it from bytes that a client has written as a value.
 *
 * PERSISTED: never renumber.
 */

import { readInt32, writeInt32 } from '../../../src/model/bytes.ts'
import type { Steps } from '../../../src/model/steps.ts'
import { crc32c } from '../../../src/wire/checksums/checksums.ts'
import { RECORD_HEADER_BYTES, readUInt53, recordBytesAt, writeUInt53 } from './wal-format.ts'

/** sequenceId, kind, and two offsets. */
const PAYLOAD_BYTES = 28
export const MARK_BYTES: number = RECORD_HEADER_BYTES + PAYLOAD_BYTES
/** Bytes that are searched for marks in a step. */
const SEARCHED_BYTES = 256 * 1024
const LENGTH: Buffer = Buffer.from([0, 0, 0, PAYLOAD_BYTES])

const Kind = { synced: 0, copied: 1 } as const
export type MarkKind = keyof typeof Kind

export interface LogMark {
  /** `synced`: the disk had the file up to `upTo`. `copied`: the records from the mark up to `upTo` are also in the log before. */
  readonly kind: MarkKind
  readonly upTo: number
}

/** The mark as it stands at byte `at` of its log. */
export function encodeMark({ kind, upTo }: LogMark, at: number): Buffer {
  const mark = Buffer.alloc(MARK_BYTES)
  LENGTH.copy(mark)
  writeInt32(mark, RECORD_HEADER_BYTES + 8, Kind[kind])
  writeUInt53(mark, RECORD_HEADER_BYTES + 12, at)
  writeUInt53(mark, RECORD_HEADER_BYTES + 20, upTo)
  writeInt32(mark, 4, crc32c(mark.subarray(RECORD_HEADER_BYTES)))
  return mark
}

/** The mark that begins at bytes[index], which is byte `at` of the log; undefined where none does. */
export function markAt(bytes: Buffer, index: number, at: number): LogMark | undefined {
  if (recordBytesAt(bytes, index) !== MARK_BYTES) return undefined
  const payload = index + RECORD_HEADER_BYTES
  if (readUInt53(bytes, payload) !== 0 || readUInt53(bytes, payload + 12) !== at) return undefined
  const upTo = readUInt53(bytes, payload + 20)
  switch (readInt32(bytes, payload + 8)) {
    case Kind.synced:
      return upTo <= at ? { kind: 'synced', upTo } : undefined
    case Kind.copied:
      return { kind: 'copied', upTo }
    default:
      return undefined
  }
}

/** Up to where the disk had the log, as the marks at or after `from` say; 0 where there is none. */
export function* syncedUpTo(log: Buffer, from: number): Steps<number> {
  let synced = 0
  for (let start = from; start < log.length; start += SEARCHED_BYTES) {
    yield
    const piece = log.subarray(start, start + SEARCHED_BYTES + LENGTH.length - 1)
    for (let at = piece.indexOf(LENGTH); at >= 0; at = piece.indexOf(LENGTH, at + 1)) {
      const mark = markAt(log, start + at, start + at)
      if (mark?.kind === 'synced') synced = Math.max(synced, mark.upTo)
    }
  }
  return synced
}
