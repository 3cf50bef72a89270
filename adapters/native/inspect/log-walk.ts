/** Walks the records of a log of any length, and goes on behind damage. */

import { readInt32 } from '../../../src/model/bytes.ts'
import { CellBlock } from '../../../src/model/cell-block.ts'
import { checkCellBlock } from '../../../src/model/check-cell-block.ts'
import { isHBaseError } from '../../../src/model/errors.ts'
import { SEQUENCE_ID_MAX } from '../memstore/cell-arena.ts'
import type { OpenFile } from '../platform/file-system.ts'
import { MARK_BYTES, type MarkKind, markAt } from '../wal/log-mark.ts'
import {
  decodeLogHeader,
  LOG_HEADER_BYTES,
  mayBeRecord,
  RECORD_CELLS_OFFSET,
  RECORD_HEADER_BYTES,
  recordBytesAt,
  recordRegion,
  recordSequenceId,
} from '../wal/wal-format.ts'
import { FileWindow } from './file-window.ts'

export type WalkedRecord =
  | { readonly kind: 'header'; readonly number: number }
  | {
      readonly kind: 'record'
      readonly offset: number
      readonly bytes: number
      readonly sequenceId: number
      readonly region: number
      /** Valid until the next step of the walk. */
      readonly cells: CellBlock
      /** The whole record, valid as long. */
      readonly raw: Buffer
    }
  /** See LogMark. */
  | {
      readonly kind: 'mark'
      readonly offset: number
      readonly bytes: number
      readonly mark: MarkKind
      readonly upTo: number
    }
  /** Bytes [offset, end) are no records. */
  | { readonly kind: 'damage'; readonly offset: number; readonly end: number; readonly message: string }

/** Bytes that are searched at a time for the next record. */
const SEARCH_BYTES = 1 << 20

/** `lastSequenceId`: of the logs before. `bytes`: where the log ends, by the manifest; else with the file. */
export function* walkLog(file: OpenFile, lastSequenceId: number, bytes?: number): Generator<WalkedRecord> {
  const window = new FileWindow(file)
  const end = Math.min(window.size, bytes ?? window.size)
  const number = decodeLogHeader(window.bytes(0, Math.min(LOG_HEADER_BYTES, end)))
  let at = 0
  let isLost = number === undefined
  if (number !== undefined) {
    yield { kind: 'header', number }
    at = LOG_HEADER_BYTES
  }
  if (end === 0) yield { kind: 'damage', offset: 0, end: 0, message: 'no log header' }
  let last = lastSequenceId
  while (at < end) {
    const record = isLost ? undefined : recordAt(window, at, end, last)
    if (record !== undefined && typeof record !== 'string') {
      yield record
      if (record.kind === 'record') last = record.sequenceId
      at += record.bytes
      continue
    }
    const next = nextRecord(window, at + 1, end, last)
    yield {
      kind: 'damage',
      offset: at,
      end: next,
      message: at === 0 ? 'no log header' : (record ?? 'a bad record'),
    }
    at = next
    isLost = false
  }
}

/** The record at `at`, or what is wrong with it. */
function recordAt(
  window: FileWindow,
  at: number,
  end: number,
  lastSequenceId: number,
): (WalkedRecord & { kind: 'record' | 'mark' }) | string {
  const head = window.bytes(at, Math.min(RECORD_CELLS_OFFSET, end - at))
  if (head.length < RECORD_CELLS_OFFSET) return 'an unfinished record'
  const length = RECORD_HEADER_BYTES + (readInt32(head, 0) >>> 0)
  if (length > end - at) return 'an unfinished record, or a record with a damaged length'
  const raw = window.bytes(at, length)
  if (recordBytesAt(raw, 0) !== raw.length) return 'the checksum of a record is wrong'
  const mark = markAt(raw, 0, at)
  if (mark !== undefined) return { kind: 'mark', offset: at, bytes: length, mark: mark.kind, upTo: mark.upTo }
  const cells = new CellBlock(raw, RECORD_CELLS_OFFSET, raw.length)
  try {
    checkCellBlock(cells)
  } catch (error) {
    if (isHBaseError(error)) return error.message
    throw error
  }
  const sequenceId = recordSequenceId(raw, 0)
  if (sequenceId <= lastSequenceId) return `sequence id ${sequenceId} comes after ${lastSequenceId}`
  return { kind: 'record', offset: at, bytes: length, sequenceId, region: recordRegion(raw, 0), cells, raw }
}

/** Offset of the next mark, or whole record with a greater sequence id, or `end`. */
function nextRecord(window: FileWindow, from: number, end: number, lastSequenceId: number): number {
  for (let start = from; end - start >= RECORD_CELLS_OFFSET; start += SEARCH_BYTES) {
    for (const candidate of candidates(window, start, end, lastSequenceId)) {
      if (typeof recordAt(window, candidate, end, lastSequenceId) !== 'string') return candidate
    }
  }
  return end
}

/** Places in one stretch of the search where the beginning of a record is sound. */
function candidates(window: FileWindow, start: number, end: number, lastSequenceId: number): number[] {
  const found: number[] = []
  const stretch = window.bytes(start, Math.min(SEARCH_BYTES + MARK_BYTES, end - start))
  // A record may reach past the stretch: only its beginning is looked at here.
  for (let at = 0; at < SEARCH_BYTES && stretch.length - at >= RECORD_CELLS_OFFSET; at++) {
    const sequenceId = recordSequenceId(stretch, at)
    if (sequenceId === 0 && markAt(stretch, at, start + at) !== undefined) found.push(start + at)
    if (sequenceId <= lastSequenceId || sequenceId > SEQUENCE_ID_MAX) continue
    const length = readInt32(stretch, at) >>> 0
    if (length <= end - start - at - RECORD_HEADER_BYTES && isSoundStart(stretch, at, length))
      found.push(start + at)
  }
  return found
}

function isSoundStart(stretch: Buffer, at: number, length: number): boolean {
  const isWhole = length <= stretch.length - at - RECORD_HEADER_BYTES
  return isWhole ? mayBeRecord(stretch, at) : true
}
