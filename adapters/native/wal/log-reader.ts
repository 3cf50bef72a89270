import { CellBlock } from '../../../src/model/cell-block.ts'
import { checkCellBlock, checkCellBlockInSteps } from '../../../src/model/check-cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { LoopTurns } from '../../../src/model/loop-turns.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import { markAt, syncedUpTo } from './log-mark.ts'
import {
  decodeLogHeader,
  isTornHeader,
  LOG_HEADER_BYTES,
  RECORD_CELLS_OFFSET,
  recordBytesAt,
  recordRegion,
  recordSequenceId,
} from './wal-format.ts'

/** Bytes that are read from the disk in a step: a slow disk has them in some milliseconds. */
const READ_STEP_BYTES = 1024 * 1024
/** Bytes of records that make a step. */
const STEP_BYTES = 32 * 1024

export interface WalRecord {
  readonly sequenceId: number
  readonly region: number
  /** Its memory is the log's, which does not change. */
  readonly cells: CellBlock
}

/** The work of one who reads a log. */
export interface LogReading {
  /** In which the log is read: it may be large. */
  readonly turns: LoopTurns
  /** Called with each record, and goes on in the steps that it returns before the next one. */
  readonly onRecord: (record: WalRecord) => Steps<void> | undefined
  /** Called behind the last record, also before damage. */
  readonly onRead?: (() => Steps<void>) | undefined
}

/** A log as the manifest has it, before it is read. */
export interface ExpectedLog {
  readonly number: number
  /** Its length; undefined for the log that was written when the store ended. */
  readonly bytes: number | undefined
  /** Whether a crash may have cut it, or a power loss kept parts of it. */
  readonly mayBeTorn: boolean
  /** Whether a crash may have cut its header. */
  readonly mayLackHeader: boolean
  /** The last sequence id of the logs before. */
  readonly lastSequenceId: number
}

/** The result of reading a log, for trimming it later. */
export interface LogContent {
  readonly bytes: number
  readonly records: number
  /** Bytes from the first bad record on, which have been cut off. */
  readonly tornBytes: number
  readonly lastSequenceId: number
}

/**
 * Reads a log from its beginning. The log that was written last ends at its first bad record, unless a mark shows that the disk had more. A
 * crash came in a write, or power was lost: then the disk may have later records and not that one. The rest of the log is cut off. Throws
 * CORRUPTION, with file and offset, for damage anywhere else.
 */
export async function readLog(
  fileSystem: FileSystem,
  path: string,
  expected: ExpectedLog,
  reading: LogReading,
): Promise<LogContent> {
  const file = fileSystem.open(path, 'append')
  try {
    const log = await reading.turns.run(readWhole(file, expected.bytes ?? file.size()))
    if (log.length < (expected.bytes ?? 0)) {
      throw corruptLog(path, log.length, `it ends here, and had ${expected.bytes} bytes`)
    }
    const end = await readRecords(log, path, expected, reading)
    if (end.bytes < log.length) file.truncate(end.bytes)
    // The log must be whole on disk before the next one is begun; after a crash it need not be.
    if (expected.mayBeTorn) await file.sync()
    return { ...end, tornBytes: log.length - end.bytes }
  } finally {
    file.close()
  }
}

function* readWhole(file: OpenFile, bytes: number): Steps<Buffer> {
  const log = Buffer.allocUnsafeSlow(bytes)
  for (let at = 0; at < bytes; yield) {
    const read = file.read(log, at, Math.min(READ_STEP_BYTES, bytes - at), at)
    if (read === 0) return log.subarray(0, at)
    at += read
  }
  return log
}

async function readRecords(
  log: Buffer,
  path: string,
  expected: ExpectedLog,
  { turns, onRecord, onRead }: LogReading,
): Promise<Omit<LogContent, 'tornBytes'>> {
  try {
    return await turns.run(readEachRecord(log, path, expected, onRecord))
  } finally {
    if (onRead !== undefined) await turns.run(onRead())
  }
}

/** The records of a log that is in memory. */
export function* readEachRecord(
  log: Buffer,
  path: string,
  expected: ExpectedLog,
  onRecord: LogReading['onRecord'],
): Steps<Omit<LogContent, 'tornBytes'>> {
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
  let synced = at
  let stepEnd = at + STEP_BYTES
  for (let bytes = 0; at < log.length; at += bytes) {
    if (at >= stepEnd) {
      stepEnd = at + STEP_BYTES
      yield
    }
    bytes = recordBytesAt(log, at)
    const sequenceId = bytes === 0 ? 0 : recordSequenceId(log, at)
    const mark = sequenceId > 0 || bytes === 0 ? undefined : markAt(log, at, at)
    if (mark?.kind === 'synced') synced = Math.max(synced, mark.upTo)
    else if (mark === undefined && sequenceId <= lastSequenceId) {
      const fault = bytes === 0 ? 'a bad record' : `sequence id ${sequenceId} comes after ${lastSequenceId}`
      yield* checkMayEnd(log, path, expected, { at, fault, synced })
      break
    } else if (mark === undefined) {
      const cells = new CellBlock(log, at + RECORD_CELLS_OFFSET, at + bytes)
      if (bytes <= STEP_BYTES) checkCellBlock(cells)
      else yield* checkCellBlockInSteps(cells)
      lastSequenceId = sequenceId
      const more = onRecord({ sequenceId, region: recordRegion(log, at), cells })
      if (more !== undefined) yield* more
      records++
    }
  }
  return { bytes: at, records, lastSequenceId }
}

/** Throws CORRUPTION unless the disk may not have had the log so far: a power loss leaves any part of what came later. */
function* checkMayEnd(
  log: Buffer,
  path: string,
  { mayBeTorn }: ExpectedLog,
  { at, fault, synced }: { at: number; fault: string; synced: number },
): Steps<void> {
  if (!mayBeTorn) throw corruptLog(path, at, `${fault} in a closed log`)
  const known = Math.max(synced, yield* syncedUpTo(log, at))
  if (known > at) throw corruptLog(path, at, `${fault}, and the disk has had the log up to byte ${known}`)
}

export function corruptLog(path: string, offset: number, fault: string): HBaseError {
  return new HBaseError('CORRUPTION', `write-ahead log ${path} is damaged at byte ${offset}: ${fault}`, {
    detail: { path, offset },
  })
}
