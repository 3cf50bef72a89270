import { CellBlock, checkCellBlock } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import {
  decodeLogHeader,
  LOG_HEADER_BYTES,
  RECORD_CELLS_OFFSET,
  recordBytesAt,
  recordRegion,
  recordSequenceId,
} from './wal-format.ts'

/** Far more than a log of any size has records. */
const SEQUENCE_IDS_AHEAD: number = 2 ** 31

export interface WalRecord {
  readonly sequenceId: number
  readonly region: number
  /** Valid only until the callback returns. */
  readonly cells: CellBlock
}

/** The result of reading a log, for trimming it later. */
export interface LogContent {
  readonly bytes: number
  readonly records: number
  /** Bytes of an unfinished record at the end, which have been cut off. */
  readonly tornBytes: number
}

/**
 * Reads a log from its beginning. An unfinished record at the end of the last log is cut off: the crash came before its
 * acknowledgement. Throws CORRUPTION, with file and offset, for damage anywhere else: valid records behind it would be
 * lost in silence.
 */
export async function readLog(
  fileSystem: FileSystem,
  path: string,
  isLast: boolean,
  onRecord: (record: WalRecord) => void,
): Promise<LogContent> {
  const file = fileSystem.open(path, 'append')
  try {
    const log = readWhole(file)
    const end = readRecords(log, path, isLast, onRecord)
    if (end.offset < log.length) file.truncate(end.offset)
    // The log must be whole on disk before the next one is begun; after a crash it need not be.
    if (isLast) await file.sync()
    return { bytes: end.offset, records: end.records, tornBytes: log.length - end.offset }
  } finally {
    file.close()
  }
}

function readWhole(file: OpenFile): Buffer {
  const log = Buffer.allocUnsafeSlow(file.size())
  const read = file.read(log, 0, log.length, 0)
  return read === log.length ? log : log.subarray(0, read)
}

function readRecords(
  log: Buffer,
  path: string,
  isLast: boolean,
  onRecord: (record: WalRecord) => void,
): { offset: number; records: number } {
  if (decodeLogHeader(log) === undefined) {
    // A crash just after the file's creation leaves less than a header, or zeros.
    if (isLast && findRecord(log, 0) < 0) return { offset: 0, records: 0 }
    throw corruption(path, 0, 'no log header')
  }
  let at = LOG_HEADER_BYTES
  let records = 0
  let sequenceId = 0
  while (at < log.length) {
    const bytes = recordBytesAt(log, at)
    if (bytes === 0) {
      checkNothingFollows(log, path, isLast, at, sequenceId)
      break
    }
    const cells = new CellBlock(log, at + RECORD_CELLS_OFFSET, at + bytes)
    checkCellBlock(cells)
    sequenceId = recordSequenceId(log, at)
    onRecord({ sequenceId, region: recordRegion(log, at), cells })
    at += bytes
    records++
  }
  return { offset: at, records }
}

function checkNothingFollows(
  log: Buffer,
  path: string,
  isLast: boolean,
  at: number,
  sequenceId: number,
): void {
  if (!isLast) throw corruption(path, at, 'a bad record, and later logs follow')
  const valid = findRecord(log, at + 1, sequenceId + 1, sequenceId + SEQUENCE_IDS_AHEAD)
  if (valid >= 0) throw corruption(path, at, `a bad record, and a valid one follows at byte ${valid}`)
}

/**
 * Offset of the first valid record at or after `from`, or -1. Sequence ids grow along the log, so bytes that give none in
 * the expected range need no checksum.
 */
function findRecord(log: Buffer, from: number, leastId = 0, greatestId = Number.MAX_SAFE_INTEGER): number {
  for (let at = from; log.length - at >= RECORD_CELLS_OFFSET; at++) {
    const sequenceId = recordSequenceId(log, at)
    if (sequenceId < leastId || sequenceId > greatestId) continue
    if (recordBytesAt(log, at) > 0) return at
  }
  return -1
}

function corruption(path: string, offset: number, fault: string): HBaseError {
  return new HBaseError('CORRUPTION', `write-ahead log ${path} is damaged at byte ${offset}: ${fault}`, {
    detail: { path, offset },
  })
}
