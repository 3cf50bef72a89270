/** The log that is written, and what of it the disk has. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import type { OpenFile } from '../platform/file-system.ts'
import { CoalescedSync } from './coalesced-sync.ts'
import { encodeMark, MARK_BYTES } from './log-mark.ts'
import type { TakenRecords } from './pending-records.ts'
import { recordBytesAt, recordRegion, recordSequenceId } from './wal-format.ts'

/** Written at a stretch: some milliseconds' work. */
const STEP_BYTES = 2 * 1024 * 1024

/** Room that a log needs to go on after a failed append. Zeros, which a start after a kill takes for no record. */
const PROBE = Buffer.alloc(4096)

/** A file of the log. */
export interface LogFile {
  readonly number: number
  readonly path: string
  bytes: number
  /** Whether the disk may not have all of it: the registry then does not get its length. */
  readonly isOpenEnded?: boolean
  /** Each region's greatest sequence id in the file. */
  readonly regions: Map<number, number>
  /** Sequence ids of its first and its last record; 0: it has none. */
  firstSequenceId: number
  lastSequenceId: number
}

export interface CurrentLog {
  readonly log: LogFile
  readonly file: OpenFile
  readonly syncer: CoalescedSync
  /** Up to where a sync has begun. */
  syncBegunBytes: number
  /** Up to where a mark of the log says that the disk has it. */
  markedBytes: number
}

/** A log that has its header only, on disk. */
export function currentLog(log: LogFile, file: OpenFile): CurrentLog {
  const syncer = new CoalescedSync(file, () => log.bytes)
  syncer.syncedBytes = log.bytes
  return { log, file, syncer, syncBegunBytes: log.bytes, markedBytes: log.bytes }
}

/** Notes that the file has cells of the region up to the sequence id. */
export function raise(regions: Map<number, number>, region: number, sequenceId: number): void {
  if (sequenceId > (regions.get(region) ?? 0)) regions.set(region, sequenceId)
}

/** A log without records. */
export function emptyLog(number: number, path: string, bytes: number): LogFile {
  return { number, path, bytes, regions: new Map(), firstSequenceId: 0, lastSequenceId: 0 }
}

/** Notes records that the log has from now on. */
export function noteRecords(log: LogFile, first: number, last: number): void {
  if (log.firstSequenceId === 0) log.firstSequenceId = first
  log.lastSequenceId = last
}

/** Appends records, behind a mark where the disk has got more of the log since the last one. Throws what the file system throws. */
export function appendRecords(current: CurrentLog, records: TakenRecords): void {
  const { syncedBytes } = current.syncer
  current.file.append([...markDue(current), ...records.buffers])
  appended(current, records, syncedBytes)
}

/** As appendRecords, some megabytes a turn. Until the last are written, the log ends where it has ended; false: it has failed meanwhile. */
export async function appendInTurns(
  current: CurrentLog,
  records: TakenRecords,
  hasFailed: () => boolean,
): Promise<boolean> {
  const { file, syncer } = current
  const { syncedBytes } = syncer
  const mark = markDue(current)
  if (mark.length > 0) file.append(mark)
  for (const buffer of records.buffers) {
    for (let at = 0; at < buffer.length; at += STEP_BYTES) {
      file.append([buffer.subarray(at, at + STEP_BYTES)])
      if (buffer.length < STEP_BYTES) continue
      await nextTurn()
      if (hasFailed()) return false
    }
  }
  appended(current, records, syncedBytes)
  return true
}

/** The mark that the next records follow, if any. */
function markDue({ log, syncer, markedBytes }: CurrentLog): Buffer[] {
  const upTo = syncer.syncedBytes
  return upTo > markedBytes ? [encodeMark({ kind: 'synced', upTo }, log.bytes)] : []
}

function appended(
  current: CurrentLog,
  { bytes, regions, first, last }: TakenRecords,
  syncedBytes: number,
): void {
  const { log } = current
  if (syncedBytes > current.markedBytes) {
    current.markedBytes = syncedBytes
    log.bytes += MARK_BYTES
  }
  log.bytes += bytes
  for (const [region, sequenceId] of regions) raise(log.regions, region, sequenceId)
  noteRecords(log, first, last)
}

/**
 * After a failed append that was taken back: whether the log can be written, once the disk knows where it ends, since a power loss must not
 * bring back what was refused. Throws where the disk has no room.
 */
export async function canGoOn({ log, file, syncer }: CurrentLog): Promise<boolean> {
  try {
    file.append([PROBE])
  } finally {
    file.truncate(log.bytes)
  }
  await syncer.sync().catch(() => undefined)
  return !syncer.hasFailed && file.size() === log.bytes
}

/**
 * The whole records that the disk may not have, after a sync that failed. Undefined where there are none, or where they cannot be had: the
 * file has been changed by another program. Throws what the file system throws.
 */
export function unsyncedTail({ log, file, syncer }: CurrentLog): Buffer | undefined {
  const from = syncer.syncedBytes
  if (from >= log.bytes) return undefined
  const tail = Buffer.allocUnsafeSlow(log.bytes - from)
  if (file.read(tail, 0, tail.length, from) < tail.length) return undefined
  for (let at = 0; at < tail.length; ) {
    const bytes = recordBytesAt(tail, at)
    if (bytes === 0) return undefined
    at += bytes
  }
  return tail
}

/** The sequence id of the first record in the tail; undefined: it has marks alone. */
export function firstIdOf(tail: Buffer): number | undefined {
  for (let at = 0; at < tail.length; at += recordBytesAt(tail, at)) {
    const sequenceId = recordSequenceId(tail, at)
    if (sequenceId > 0) return sequenceId
  }
  return undefined
}

/** Begins a new log with the records of another one's tail; resolves once they are on disk. */
export async function takeCopy(next: CurrentLog, tail: Buffer): Promise<void> {
  const { log, file, syncer } = next
  const start = log.bytes
  const records: Buffer[] = []
  for (let at = 0, bytes = 0; at < tail.length; at += bytes) {
    bytes = recordBytesAt(tail, at)
    // The other log's marks say nothing of this one.
    if (recordSequenceId(tail, at) === 0) continue
    records.push(tail.subarray(at, at + bytes))
    const sequenceId = recordSequenceId(tail, at)
    raise(log.regions, recordRegion(tail, at), sequenceId)
    noteRecords(log, sequenceId, sequenceId)
  }
  const copy = Buffer.concat(records)
  file.append([encodeMark({ kind: 'copied', upTo: start + MARK_BYTES + copy.length }, start), copy])
  log.bytes += MARK_BYTES + copy.length
  await syncer.sync()
}
