/**
 * One log for all regions of the server, in files of a limited size. One append at the end of a turn of the event loop
 * writes all records of that turn (group commit); then their writers are answered.
 *
 * Each file is on disk to its last byte before the next one is begun, so that only the last file can be torn.
 */

import { assert, type InvariantError } from '../../../src/model/assert.ts'
import { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import { SafeDirectories } from '../platform/safe-directories.ts'
import { CoalescedSync } from './coalesced-sync.ts'
import { CommitGroup } from './commit-group.ts'
import { ClosedLogs, type LogFile, raise } from './log-files.ts'
import { readLog, type WalRecord } from './log-reader.ts'
import { encodeLogHeader, LOG_HEADER_BYTES, RECORD_CELLS_OFFSET, sealRecord } from './wal-format.ts'

export interface WalOptions {
  /** A file of this size is closed and the next one begun. */
  readonly logBytesMax: number
  /** Bytes after which a sync in the background begins, so that a roll never waits long. */
  readonly syncEveryBytes: number
}

export const DEFAULT_WAL_OPTIONS: WalOptions = {
  logBytesMax: 64 * 1024 * 1024,
  syncEveryBytes: 8 * 1024 * 1024,
}

export interface WalEvents {
  /** At each commit, before its writers are answered. */
  onCommit(): void
  /** After the log has gone on to the next file. */
  onRoll(): void
}

const PENDING_BYTES = 1024 * 1024
/** Pending bytes above which a commit does not wait for the end of the turn. */
const PENDING_BYTES_MAX = 4 * 1024 * 1024

interface Current {
  readonly log: LogFile
  readonly file: OpenFile
  readonly syncer: CoalescedSync
  syncedBytes: number
}

export class WriteAheadLog {
  readonly #fileSystem: FileSystem
  readonly #directory: string
  readonly #options: WalOptions
  readonly #events: WalEvents
  readonly #closed: ClosedLogs
  #current: Current | undefined
  #nextNumber = 1
  #pending = new CellBlockBuilder(PENDING_BYTES)
  /** Sequence id of the last record. */
  #lastSequenceId = 0
  /** Each region's greatest sequence id among the pending records. */
  readonly #pendingRegions = new Map<number, number>()
  #group: CommitGroup | undefined
  #scheduled = false
  /** While a roll waits for the disk, commits wait for the roll. */
  #rolling: Promise<void> | undefined
  #failure: HBaseError | undefined
  #isRecovering = false

  constructor(
    fileSystem: FileSystem,
    directory: string,
    events: WalEvents,
    options: WalOptions = DEFAULT_WAL_OPTIONS,
  ) {
    this.#fileSystem = fileSystem
    this.#directory = directory
    this.#events = events
    this.#options = options
    this.#closed = new ClosedLogs(fileSystem)
  }

  /** The error that ended all writes, if one has. */
  get failure(): HBaseError | undefined {
    return this.#failure
  }

  get bytes(): number {
    return this.#closed.bytes + (this.#current?.log.bytes ?? 0)
  }

  get fileCount(): number {
    return this.#closed.count + (this.#current === undefined ? 0 : 1)
  }

  /**
   * Passes all records of the existing logs to `onRecord`, oldest first, and begins a new log. `afterLog` may make room
   * before the next log is read. Returns the number of bytes cut off as an unfinished record.
   */
  async recover(onRecord: (record: WalRecord) => void, afterLog: () => Promise<void>): Promise<number> {
    this.#isRecovering = true
    const parent = this.#directory.slice(0, this.#directory.lastIndexOf('/'))
    await new SafeDirectories(this.#fileSystem, parent).make(this.#directory)
    const names = this.#fileSystem.list(this.#directory).filter((name) => /^\d{10}\.log$/.test(name))
    let tornBytes = 0
    for (const [index, name] of names.entries()) {
      const log: LogFile = { path: `${this.#directory}/${name}`, bytes: 0, regions: new Map() }
      const isLast = index === names.length - 1
      const content = await readLog(this.#fileSystem, log.path, isLast, (record) => {
        raise(log.regions, record.region, record.sequenceId)
        onRecord(record)
      })
      tornBytes += content.tornBytes
      log.bytes = content.bytes
      if (content.records > 0) this.#closed.add(log)
      else this.#fileSystem.remove(log.path)
      this.#nextNumber = Number.parseInt(name, 10) + 1
      await afterLog()
    }
    await this.#begin()
    this.#isRecovering = false
    return tornBytes
  }

  /** Adds the cell block source[start..end) as one record; `committed` tells when it is safe. Throws UNAVAILABLE. */
  append(region: number, sequenceId: number, source: Buffer, start: number, end: number): void {
    this.#checkUsable()
    assert(sequenceId > this.#lastSequenceId, 'a record of the log is not newer than the one before it')
    this.#lastSequenceId = sequenceId
    const pending = this.#pending
    const record = pending.reserve(RECORD_CELLS_OFFSET + end - start)
    source.copy(pending.buffer, record + RECORD_CELLS_OFFSET, start, end)
    pending.length = record + RECORD_CELLS_OFFSET + end - start
    sealRecord(pending.buffer, record, pending.length, sequenceId, region)
    raise(this.#pendingRegions, region, sequenceId)
    if (pending.length >= PENDING_BYTES_MAX) this.commit()
  }

  /** Resolves once all appended records have gone to the operating system, or, with `onDisk`, to the disk. */
  async committed(onDisk: boolean): Promise<void> {
    if (this.#isRecovering) return
    this.#checkUsable()
    this.#group ??= new CommitGroup()
    this.#schedule()
    const { committed } = this.#group
    await committed
    if (!onDisk) return
    try {
      await this.#current?.syncer.sync()
    } catch (error) {
      throw this.#fail(error)
    }
  }

  #schedule(): void {
    if (this.#scheduled) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.commit()
    })
  }

  /** Hands the pending records to the operating system. After a failure it does nothing: their writers have the error. */
  commit(): void {
    const current = this.#current
    if (current === undefined || this.#rolling !== undefined || this.#failure !== undefined) return
    const pending = this.#pending
    if (pending.length > 0) {
      try {
        current.file.append([pending.buffer.subarray(0, pending.length)])
      } catch (error) {
        this.#fail(error)
        return
      }
      current.log.bytes += pending.length
      for (const [region, sequenceId] of this.#pendingRegions) raise(current.log.regions, region, sequenceId)
      this.#pendingRegions.clear()
      if (pending.buffer.length > PENDING_BYTES_MAX * 2) this.#pending = new CellBlockBuilder(PENDING_BYTES)
      else pending.length = 0
    }
    this.#events.onCommit()
    const group = this.#group
    this.#group = undefined
    group?.resolve()
    this.#bound(current)
  }

  /** Limits the bytes that are not on disk yet, and the size of the file. */
  #bound(current: Current): void {
    const { log } = current
    if (log.bytes >= this.#options.logBytesMax) {
      this.#rolling = this.#roll(current).finally(() => {
        this.#rolling = undefined
        if (this.#pending.length > 0 || this.#group !== undefined) this.commit()
      })
    } else if (log.bytes - current.syncedBytes >= this.#options.syncEveryBytes) {
      current.syncedBytes = log.bytes
      current.syncer.sync().catch((error: unknown) => this.#fail(error))
    }
  }

  async #roll(current: Current): Promise<void> {
    try {
      await current.syncer.sync()
      current.file.close()
      this.#closed.add(current.log)
      await this.#begin()
      this.#events.onRoll()
    } catch (error) {
      this.#fail(error)
    }
  }

  async #begin(): Promise<void> {
    const number = this.#nextNumber++
    const path = `${this.#directory}/${String(number).padStart(10, '0')}.log`
    const file = this.#fileSystem.open(path, 'create')
    file.append([encodeLogHeader(number)])
    await this.#fileSystem.syncDirectory(this.#directory)
    const log: LogFile = { path, bytes: LOG_HEADER_BYTES, regions: new Map() }
    this.#current = { log, file, syncer: new CoalescedSync(file), syncedBytes: 0 }
  }

  /**
   * Removes the closed files whose cells are all in store files. `flushedUpTo` returns the sequence id up to which a
   * region is flushed; Infinity for a dropped region.
   */
  trim(flushedUpTo: (region: number) => number): void {
    this.#closed.trim(flushedUpTo)
  }

  /** Regions whose memstores keep the oldest file. */
  regionsOfOldest(flushedUpTo: (region: number) => number): number[] {
    return this.#closed.regionsOfOldest(flushedUpTo)
  }

  /** Commits, syncs and removes every file that `flushedUpTo` does not need. */
  async close(flushedUpTo: (region: number) => number): Promise<void> {
    await this.#rolling
    this.commit()
    await this.#rolling
    const current = this.#current
    if (current === undefined) return
    this.#current = undefined
    if (this.#failure === undefined) await current.syncer.sync()
    this.#failure ??= new HBaseError('UNAVAILABLE', 'the store is closed')
    current.file.close()
    this.#closed.add(current.log)
    this.trim(flushedUpTo)
  }

  #checkUsable(): void {
    if (this.#failure !== undefined) throw this.#failure
    if (this.#current === undefined) throw new HBaseError('UNAVAILABLE', 'the store is closed')
  }

  /** Takes no more records and drops the pending ones: a bug may have spoilt them. */
  stop(cause: InvariantError): void {
    this.#refuseFromNowOn(`an invariant of the engine does not hold (${cause.message})`, cause)
  }

  #fail(cause: unknown): HBaseError {
    const reason = cause instanceof Error ? cause.message : String(cause)
    return this.#refuseFromNowOn(`the write-ahead log cannot be written (${reason})`, cause)
  }

  #refuseFromNowOn(reason: string, cause: unknown): HBaseError {
    if (this.#failure !== undefined) return this.#failure
    const message = `${reason}: the store takes no writes until it is started again`
    const failure = new HBaseError('UNAVAILABLE', message, { cause })
    this.#failure = failure
    const group = this.#group
    this.#group = undefined
    group?.reject(failure)
    return failure
  }
}
