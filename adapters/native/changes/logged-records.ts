/**
 * Reads records of the log behind a sequence id, in pieces. Where a reader has got to is kept, so that going on costs no search. Only what the
 * disk has is read: a power loss takes nothing back that was handed out.
 */

import { CellBlock } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { manyATurn } from '../../../src/model/many-a-turn.ts'
import { isStepEnd, type Steps } from '../../../src/model/steps.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { ReadableLog } from '../wal/log-files.ts'
import { corruptLog } from '../wal/log-reader.ts'
import {
  LOG_HEADER_BYTES,
  RECORD_CELLS_OFFSET,
  recordBytesAt,
  recordRegion,
  recordSequenceId,
  statedRecordBytes,
} from '../wal/wal-format.ts'

const PIECE_BYTES = 256 * 1024
/** Places that are kept: one for each reader, and some for those who read a part again. */
const PLACES_MAX = 64

export interface LoggedRecord {
  readonly sequenceId: number
  readonly region: number
  readonly cells: CellBlock
  /** Where it ends in its log. */
  readonly end: number
}

/** Records that follow each other in one log. */
export interface Piece {
  readonly log: number
  readonly records: readonly LoggedRecord[]
  /** Where the piece ends in the log: behind its last record, and marks. */
  readonly end: number
  /** Bytes that were read for it, with what was passed over. */
  readonly bytes: number
}

interface Place {
  readonly log: number
  readonly offset: number
}

export interface LoggedRecordsParts {
  readonly fileSystem: FileSystem
  /** See LogFiles.readable. */
  readonly logs: () => readonly ReadableLog[]
}

export class LoggedRecords {
  readonly #parts: LoggedRecordsParts
  /** Where the records behind a sequence id begin; the one used last is the last. */
  readonly #places = new Map<number, Place>()

  constructor(parts: LoggedRecordsParts) {
    this.#parts = parts
  }

  /** The records behind the sequence id begin there. */
  remember(sequenceId: number, log: number, offset: number): void {
    this.#places.delete(sequenceId)
    this.#places.set(sequenceId, { log, offset })
    if (this.#places.size <= PLACES_MAX) return
    const [oldest] = this.#places.keys()
    if (oldest !== undefined) this.#places.delete(oldest)
  }

  /** Bytes of the logs behind the sequence id, about. */
  bytesBehind(sequenceId: number): number {
    const place = this.#places.get(sequenceId)
    let bytes = 0
    for (const log of this.#parts.logs()) {
      if (place !== undefined && log.number < place.log) continue
      if (log.lastSequenceId <= sequenceId) continue
      bytes += log.bytes - (log.number === place?.log ? place.offset : LOG_HEADER_BYTES)
    }
    return Math.max(0, bytes)
  }

  /** The next records, at least one; undefined: there is none. Throws CORRUPTION, and what the file system throws. */
  async read(sequenceId: number): Promise<Piece | undefined> {
    const logs = this.#parts.logs()
    const place = this.#places.get(sequenceId)
    const known = place && logs.find(({ number }) => number === place.log)
    let log = known ?? logs.find(({ lastSequenceId }) => lastSequenceId > sequenceId)
    let offset = known === undefined ? LOG_HEADER_BYTES : place!.offset
    for (let bytes = 0; log !== undefined; ) {
      if (offset >= log.bytes) {
        const before: ReadableLog = log
        log = logs.find(({ number, lastSequenceId }) => number > before.number && lastSequenceId > sequenceId)
        offset = LOG_HEADER_BYTES
        continue
      }
      const piece: Piece = await this.#readPiece(log, offset, sequenceId)
      bytes += piece.bytes
      if (piece.records.length > 0) return { ...piece, bytes }
      offset = piece.end
    }
    return undefined
  }

  async #readPiece(log: ReadableLog, offset: number, after: number): Promise<Piece> {
    const bytes = await this.#bytesAt(log, offset, PIECE_BYTES)
    const piece = await manyATurn(recordsIn(bytes, log, offset, after))
    if (piece.end > offset) return piece
    // A record that is longer than a piece.
    const length = bytes.length < RECORD_CELLS_OFFSET ? 0 : statedRecordBytes(bytes, 0)
    if (length === 0 || length > log.bytes - offset) throw corruptLog(log.path, offset, 'a bad record')
    return manyATurn(recordsIn(await this.#bytesAt(log, offset, length), log, offset, after))
  }

  async #bytesAt(log: ReadableLog, offset: number, most: number): Promise<Buffer> {
    const length = Math.min(most, log.bytes - offset)
    const bytes = await this.#parts.fileSystem.readAside(log.path, offset, length)
    if (bytes.length === length) return bytes
    throw corruptLog(log.path, offset + bytes.length, `it ends here, and had ${log.bytes} bytes`)
  }
}

/** The whole records with sequence ids above `after` in bytes that begin at `offset` of the log. Throws CORRUPTION. */
function* recordsIn(bytes: Buffer, log: ReadableLog, offset: number, after: number): Steps<Piece> {
  const records: LoggedRecord[] = []
  let at = 0
  for (let step = 0; bytes.length - at >= RECORD_CELLS_OFFSET; step++) {
    const length = statedRecordBytes(bytes, at)
    const sequenceId = recordSequenceId(bytes, at)
    if (sequenceId <= after) {
      // A mark, or a record that the reader has: its length may lead behind these bytes.
      if (length === 0) throw corruptLog(log.path, offset + at, 'a bad record')
      at += length
      continue
    }
    if (length > bytes.length - at) break
    if (recordBytesAt(bytes, at) === 0) throw corruptLog(log.path, offset + at, 'a bad record')
    const cells = new CellBlock(bytes, at + RECORD_CELLS_OFFSET, at + length)
    records.push({ sequenceId, region: recordRegion(bytes, at), cells, end: offset + at + length })
    at += length
    if (isStepEnd(step)) yield
  }
  return { log: log.number, records, end: offset + at, bytes: bytes.length }
}

export function outOfReach(position: number, from: number): HBaseError {
  const message = `the log no longer reaches back to the sequence id ${position}: it begins behind ${from}`
  return new HBaseError('DO_NOT_RETRY', message)
}
