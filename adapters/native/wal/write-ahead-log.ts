/**
 * One log for all regions of the server, in files of a limited size. One append at the end of a turn of the event loop writes all records of
 * that turn (group commit); then their writers are answered. Each file is on disk to its last byte before the next one is begun, so that only
 * the last file can be torn. The manifest names the files, and has the length of each closed one.
 */

import { assert, type InvariantError } from '../../../src/model/assert.ts'
import { EndOfTurn } from '../../../src/model/end-of-turn.ts'
import type { HBaseError } from '../../../src/model/errors.ts'
import type { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import { DEFAULT_WAL_OPTIONS } from '../options/wal-options.ts'
import { CommitGroup } from './commit-group.ts'
import { CommitsInTurns } from './commits-in-turns.ts'
import { appendRecords, type CurrentLog } from './current-log.ts'
import { type LogEnd, LogFiles, type WrittenLog } from './log-files.ts'
import { LogKeeping, NOTHING_KEPT } from './log-keeping.ts'
import { type FlushedUpTo } from './log-list.ts'
import { closed, LogOutage, outageError, stopError } from './log-outage.ts'
import { bytesToRecover, type LogReplay, recoverLogs } from './log-recovery.ts'
import { LogRolls } from './log-rolls.ts'
import type { LogTimes } from './log-times.ts'
import { PENDING_BYTES_MAX, PendingRecords, TURN_BYTES_MAX } from './pending-records.ts'
import type { WalEvents, WalParts } from './wal-parts.ts'

export class WriteAheadLog {
  readonly #parts: WalParts
  readonly #events: WalEvents
  readonly files: LogFiles
  readonly #rolls: LogRolls
  readonly #outage: LogOutage
  readonly #pending = new PendingRecords()
  /** Sequence id of the last record. */
  #lastSequenceId = 0
  readonly #inTurns: CommitsInTurns
  #group: CommitGroup | undefined
  readonly #endOfTurn = new EndOfTurn(() => this.commit())
  #failure: HBaseError | undefined
  /** Whether a bug, or the store's end, has ended all writes for good. */
  #isStopped = false
  #restarting: Promise<void> | undefined
  /** Number of failures so far: a write that sees it change has lost what it had pending. */
  failures = 0
  #isRecovering = false

  constructor(parts: WalParts) {
    this.#parts = parts
    this.#events = parts.events
    this.#outage = new LogOutage(parts.log)
    const keeping = parts.keeping ?? new LogKeeping(NOTHING_KEPT)
    const files = new LogFiles(parts.fileSystem, parts.directory, parts.registry, keeping, parts.holds)
    this.files = files
    files.isFollowed = parts.isFollowed ?? files.isFollowed
    this.#rolls = new LogRolls({
      files,
      options: parts.options ?? DEFAULT_WAL_OPTIONS,
      log: parts.log,
      hasFailed: () => this.#failure !== undefined,
      fail: (error) => void this.#fail(error),
      onRoll: () => this.#events.onRoll(),
      resume: () => {
        if (this.#pending.bytes > 0 || this.#group !== undefined) this.commit()
      },
      written: () => this.#inTurns.writing,
    })
    this.#inTurns = new CommitsInTurns({
      files,
      failure: () => this.#failure,
      isStopped: () => this.#isStopped,
      fail: (error) => void this.#fail(error),
      written: ({ current, group, sequenceId }) => this.#written(current, group, sequenceId),
      resume: () => this.commit(),
    })
  }

  /** Why no records are taken, if none are. */
  get failure(): HBaseError | undefined {
    return this.#failure
  }

  get bytes(): number {
    return this.files.bytes
  }

  get times(): LogTimes {
    return this.files.times
  }

  get fileCount(): number {
    return this.files.count
  }

  /** The files with all committed records, the oldest first, each up to its present length. */
  get written(): readonly WrittenLog[] {
    return this.files.written
  }

  /** Resolves once the disk has all records that are committed now. Throws UNAVAILABLE. */
  async synced(): Promise<void> {
    const { current } = this.files
    if (current === undefined || current.syncer.syncedBytes >= current.log.bytes) return
    if (this.#failure !== undefined) throw this.#failure
    await this.#onDisk(Promise.resolve())
  }

  /** The end of the log that is written, as it is now. */
  get end(): LogEnd | undefined {
    const log = this.files.current?.log
    return log && { number: log.number, bytes: log.bytes }
  }

  /** See LogFiles. */
  find(number: number): WrittenLog | undefined {
    return this.files.find(number)
  }

  /** See LogFiles. */
  get leftBytes(): number {
    return this.files.leftBytes
  }

  /** Removes logs that were kept for one who follows the log, and are not any more. */
  async removeLeft(): Promise<void> {
    try {
      await this.files.removeLeft()
    } catch (error) {
      this.#parts.log('warn', 'logs that are not followed any more could not be removed', { error })
    }
  }

  /** Bytes of the logs that `recover` will read. */
  bytesToRecover(): number {
    return bytesToRecover(this.#parts.fileSystem, this.files)
  }

  /**
   * Passes all records of the existing logs to `replay`, oldest first, and begins a new log. Returns the number of bytes cut off as an
   * unfinished record. Throws CORRUPTION for a log that is damaged or missing.
   */
  async recover(replay: LogReplay): Promise<number> {
    const { fileSystem, lost, log } = this.#parts
    const files = this.files
    this.#isRecovering = true
    await files.makeDirectory()
    const recovered = await recoverLogs({ fileSystem, files, lost, log, replay })
    this.#isRecovering = false
    try {
      await files.begin()
      for (const { path } of recovered.empty) fileSystem.remove(path)
    } catch (error) {
      // On a full disk, what is there can still be read.
      this.#fail(error)
    }
    return recovered.tornBytes
  }

  /** Begins a new log, and has the memstores flushed, where a log was removed or cut by hand: the next start would miss it. */
  verify(): void {
    if (this.#isRecovering || this.#isBusy || this.#failure !== undefined) return
    const tampering = this.files.tampering()
    if (tampering === undefined) return
    this.#fail(new Error(`${tampering}: another program has changed it`))
    // Where that is not possible yet, the next write tries again.
    this.restart().catch(() => undefined)
  }

  /** Begins a new log if the log has failed. Calls share an attempt. Throws the failure where it is not possible yet. */
  restart(): Promise<void> {
    this.#restarting ??= this.#restart().finally(() => {
      this.#restarting = undefined
    })
    return this.#restarting
  }

  async #restart(): Promise<void> {
    await this.#settled()
    if (this.#failure === undefined) return
    if (this.#isStopped) throw this.#failure
    let isNew: boolean
    try {
      isNew = await this.files.restart()
    } catch (cause) {
      throw outageError(cause)
    }
    this.#failure = undefined
    if (isNew) this.#events.onRestart()
  }

  /**
   * Adds the cell block source[start..end) as one record; `committed` resolves when it is safe. `isKept`: the source does not change any more.
   * Call `commitIfLarge` once the cells are in the memstores. Throws UNAVAILABLE.
   */
  append(
    region: number,
    sequenceId: number,
    source: Buffer,
    start: number,
    end: number,
    isKept = false,
  ): void {
    this.#checkAppend(sequenceId)
    this.#pending.add(region, sequenceId, source, start, end, isKept)
  }

  /**
   * Makes room in `memory` for a record's cells of so many bytes and returns their offset. The caller writes them there and calls
   * `appendReserved`, without a pause and without another append in between, or leaves it.
   */
  reserve(cellsBytes: number): number {
    return this.#pending.reserve(cellsBytes)
  }

  /** The memory of the last `reserve`. Its bytes stay until the event loop runs, or the next append. */
  get memory(): ViewedBytes {
    return this.#pending.memory
  }

  /** As `append`, of cells that were written where `reserve` has made room for them. */
  appendReserved(region: number, sequenceId: number, cellsBytes: number): void {
    this.#checkAppend(sequenceId)
    this.#pending.addReserved(region, sequenceId, cellsBytes)
  }

  /** Commits where much is pending. A commit shows its writes to reads: all of their cells must be in the memstores. */
  commitIfLarge(): void {
    if (this.#pending.bytes >= PENDING_BYTES_MAX) this.commit()
  }

  #checkAppend(sequenceId: number): void {
    const refusal = this.#refusal
    if (refusal !== undefined) throw refusal
    assert(sequenceId > this.#lastSequenceId, 'a record of the log is not newer than the one before it')
    this.#lastSequenceId = sequenceId
  }

  /** Resolves once all appended records have gone to the operating system, or, with `onDisk`, to the disk. */
  committed(onDisk: boolean): Promise<void> {
    if (this.#isRecovering) return Promise.resolve()
    const refusal = this.#refusal
    if (refusal !== undefined) return Promise.reject(refusal)
    this.#group ??= new CommitGroup()
    this.#endOfTurn.ask()
    const { committed } = this.#group
    return onDisk ? this.#onDisk(committed) : committed
  }

  async #onDisk(committed: Promise<void>): Promise<void> {
    await committed
    try {
      await this.files.current?.syncer.sync()
    } catch (error) {
      throw this.#fail(error)
    }
  }

  /** Hands the pending records to the operating system. After a failure it does nothing: their writers have the error. */
  commit(): void {
    const { current } = this.files
    if (current === undefined || this.#isBusy || this.#failure !== undefined) return
    const pending = this.#pending
    const group = this.#group
    this.#group = undefined
    const sequenceId = this.#events.lastSequenceId()
    if (pending.bytes > TURN_BYTES_MAX) {
      this.#inTurns.begin({ current, records: pending.take(), group, sequenceId })
      return
    }
    if (pending.bytes > 0) {
      try {
        appendRecords(current, pending.present())
      } catch (error) {
        this.files.takeBackAppend()
        group?.reject(this.#fail(error))
        return
      }
      pending.written()
    }
    this.#written(current, group, sequenceId)
  }

  /** Reads see the writes up to the sequence id, and the group's writers are answered. */
  #written(current: CurrentLog, group: CommitGroup | undefined, sequenceId: number): void {
    this.#outage.written()
    this.#events.onCommit(sequenceId)
    group?.resolve()
    this.#rolls.committed(current)
  }

  /**
   * Removes the closed files whose cells are all in store files. `flushedUpTo` returns the sequence id up to which a
   * region is flushed; Infinity for a dropped region. Files that the manifest cannot let go are kept.
   */
  async trim(flushedUpTo: FlushedUpTo, isLast = false): Promise<void> {
    if (this.#isRecovering) return
    try {
      await this.files.trim(flushedUpTo, isLast)
    } catch (error) {
      this.#parts.log('warn', 'logs whose cells are in store files could not be removed', { error })
    }
  }

  /** Whether the log may have a record of the region. */
  mayHaveRegion(region: number): boolean {
    const isPending = this.#inTurns.writing !== undefined || this.#pending.has(region)
    return this.#isRecovering || isPending || this.files.haveRegion(region)
  }

  /** Regions whose memstores keep the oldest file. */
  regionsOfOldest(flushedUpTo: FlushedUpTo): number[] {
    return this.files.regionsOfOldest(flushedUpTo)
  }

  /** Commits, syncs and removes every file that `flushedUpTo` does not need. */
  async close(flushedUpTo: FlushedUpTo): Promise<void> {
    await this.#settled()
    this.commit()
    await this.#settled()
    const { current } = this.files
    if (current === undefined) return
    const synced = current.syncer.sync()
    await (this.#failure === undefined ? synced : synced.catch(() => undefined))
    this.#isStopped = true
    this.#failure ??= closed()
    this.files.closeCurrent()
    await this.trim(flushedUpTo, true)
  }

  /** Resolves once no roll is under way, and no records are written in turns. */
  async #settled(): Promise<void> {
    do {
      await this.#rolls.settled()
      await this.#inTurns.writing
    } while (this.#isBusy)
  }

  /** Whether commits wait. */
  get #isBusy(): boolean {
    return this.#rolls.isRolling || this.#inTurns.writing !== undefined
  }

  get #refusal(): HBaseError | undefined {
    return this.#failure ?? (this.files.current === undefined ? closed() : undefined)
  }

  /** Takes no more records and drops the pending ones, as a bug may have spoilt them, or another process has the log. */
  stop(cause: InvariantError | HBaseError): void {
    if (this.#isStopped) return
    this.#isStopped = true
    this.#refuse(stopError(cause))
  }

  #fail(cause: unknown): HBaseError {
    if (this.#failure !== undefined) return this.#failure
    const failure = outageError(cause)
    this.#refuse(failure)
    return failure
  }

  /** Drops the pending records, whose writers get the failure. */
  #refuse(failure: HBaseError): void {
    this.#failure = failure
    this.failures++
    this.#outage.failed(failure)
    this.#pending.clear()
    const group = this.#group
    this.#group = undefined
    this.#events.onFailure()
    group?.reject(failure)
  }
}
