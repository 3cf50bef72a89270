import { CellBlock } from '../../../src/model/cell-block.ts'
import { checkCellBlock } from '../../../src/model/check-cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { SEQUENCE_ID_MAX } from '../memstore/cell-arena.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import {
  decodeLogHeader,
  isTornHeader,
  LOG_HEADER_BYTES,
  mayBeRecord,
  RECORD_CELLS_OFFSET,
  recordBytesAt,
  recordRegion,
  recordSequenceId,
} from './wal-format.ts'

export interface WalRecord {
  readonly sequenceId: number
  readonly region: number
  /** Valid only until the callback returns. */
  readonly cells: CellBlock
}

/** What is known of a log before it is read. */
export interface ExpectedLog {
  readonly number: number
  /** Its length; undefined for the log that was written when the store ended. */
  readonly bytes: number | undefined
  /** Whether a crash may have cut its last record. */
  readonly mayBeTorn: boolean
  /** Whether a crash may have cut its header. */
  readonly mayLackHeader: boolean
  /** Of the logs before. */
  readonly lastSequenceId: number
}

/** The result of reading a log, for trimming it later. */
export interface LogContent {
  readonly bytes: number
  readonly records: number
  /** Bytes at the end that are no whole record, which have been cut off. */
  readonly tornBytes: number
  readonly lastSequenceId: number
}

/**
 * Reads a log from its beginning. An unfinished record at the end of the log that was written last is cut off: the crash
 * came before its acknowledgement. Throws CORRUPTION, with file and offset, for damage anywhere else: valid records behind
 * it would be lost in silence.
 */
export async function readLog(
  fileSystem: FileSystem,
  path: string,
  expected: ExpectedLog,
  onRecord: (record: WalRecord) => void,
): Promise<LogContent> {
  const file = fileSystem.open(path, 'append')
  try {
    const log = readWhole(file, expected.bytes ?? file.size())
    if (log.length < (expected.bytes ?? 0)) {
      throw corruptLog(path, log.length, `it ends here, and had ${expected.bytes} bytes`)
    }
    const end = readRecords(log, path, expected, onRecord)
    if (end.bytes < log.length) file.truncate(end.bytes)
    // The log must be whole on disk before the next one is begun; after a crash it need not be.
    if (expected.mayBeTorn) await file.sync()
    return { ...end, tornBytes: log.length - end.bytes }
  } finally {
    file.close()
  }
}

function readWhole(file: OpenFile, bytes: number): Buffer {
  const log = Buffer.allocUnsafeSlow(bytes)
  const read = file.read(log, 0, log.length, 0)
  return read === log.length ? log : log.subarray(0, read)
}

function readRecords(
  log: Buffer,
  path: string,
  expected: ExpectedLog,
  onRecord: (record: WalRecord) => void,
): Omit<LogContent, 'tornBytes'> {
  let { lastSequenceId } = expected
  const number = decodeLogHeader(log)
  if (number === undefined) {
    if (expected.mayLackHeader && isTornHeader(log, expected.number))
      return { bytes: 0, records: 0, lastSequenceId }
    throw corruptLog(path, 0, 'no log header')
  }
  if (number !== expected.number) throw corruptLog(path, 0, `it is the log ${number}`)
  let at = LOG_HEADER_BYTES
  let records = 0
  while (at < log.length) {
    const bytes = recordBytesAt(log, at)
    if (bytes === 0) {
      checkNothingFollows(log, path, expected, at, lastSequenceId)
      break
    }
    const cells = new CellBlock(log, at + RECORD_CELLS_OFFSET, at + bytes)
    checkCellBlock(cells)
    const sequenceId = recordSequenceId(log, at)
    if (sequenceId <= lastSequenceId) {
      throw corruptLog(path, at, `sequence id ${sequenceId} comes after ${lastSequenceId}`)
    }
    lastSequenceId = sequenceId
    onRecord({ sequenceId, region: recordRegion(log, at), cells })
    at += bytes
    records++
  }
  return { bytes: at, records, lastSequenceId }
}

function checkNothingFollows(
  log: Buffer,
  path: string,
  { mayBeTorn }: ExpectedLog,
  at: number,
  lastSequenceId: number,
): void {
  if (!mayBeTorn) throw corruptLog(path, at, 'a bad record in a closed log')
  const valid = findRecord(log, at + 1, lastSequenceId)
  if (valid >= 0) throw corruptLog(path, at, `a bad record, and a valid one follows at byte ${valid}`)
}

/**
 * Offset of the first valid record at or after `from`, or -1. Sequence ids grow along the log; a record without sound
 * beginnings needs no checksum.
 */
function findRecord(log: Buffer, from: number, lastSequenceId: number): number {
  for (let at = from; log.length - at >= RECORD_CELLS_OFFSET; at++) {
    const sequenceId = recordSequenceId(log, at)
    if (sequenceId <= lastSequenceId || sequenceId > SEQUENCE_ID_MAX || !mayBeRecord(log, at)) continue
    if (recordBytesAt(log, at) > 0) return at
  }
  return -1
}

export function corruptLog(path: string, offset: number, fault: string): HBaseError {
  return new HBaseError('CORRUPTION', `write-ahead log ${path} is damaged at byte ${offset}: ${fault}`, {
    detail: { path, offset },
  })
}
