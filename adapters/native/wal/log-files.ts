/**
 * The files of the log: the one that is written, and the closed ones, each kept until store files have all its cells. The
 * registry knows which files there must be: a file is in it before it has a record, and out of it before it is removed.
 */

import { assert } from '../../../src/model/assert.ts'
import { SerialQueue } from '../../../src/model/serial-queue.ts'
import type { LogRegistry } from '../manifest/log-registry.ts'
import { isInDoubt } from '../manifest/manifest-doubt.ts'
import type { LogRecord } from '../manifest/manifest-edit.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { RemovalHolds } from '../platform/removal-holds.ts'
import { SafeDirectories } from '../platform/safe-directories.ts'
import {
  type CurrentLog,
  canGoOn,
  currentLog,
  emptyLog,
  type LogFile,
  takeCopy,
  unsyncedTail,
} from './current-log.ts'
import type { Hold, KeepPlan, LogKeeping } from './log-keeping.ts'
import { endedLog, type FlushedUpTo, isFlushed, logName, recordOf } from './log-list.ts'
import { LogTimes } from './log-times.ts'
import { encodeLogHeader, LOG_HEADER_BYTES } from './wal-format.ts'

/** So few bytes are synced soon: writes may wait for them. */
const ROLLED_BYTES = 256 * 1024
/** A disk that is slower than its writers leaves more than that, however often the log is synced. */
const SYNCS_BEFORE_ROLL = 3

export type WrittenLog = Pick<LogFile, 'number' | 'path' | 'bytes'>

/** A log as those see it who read its records. */
export type ReadableLog = Pick<LogFile, 'number' | 'path' | 'bytes' | 'firstSequenceId' | 'lastSequenceId'>

/** Where a log ends. */
export type LogEnd = Pick<LogFile, 'number' | 'bytes'>

export class LogFiles {
  readonly directory: string
  readonly registry: LogRegistry
  readonly times: LogTimes = new LogTimes()
  readonly keeping: LogKeeping
  nextNumber = 1
  readonly #fileSystem: FileSystem
  readonly #holds: RemovalHolds
  readonly #queue = new SerialQueue()
  /** The oldest first. */
  #closed: readonly LogFile[] = []
  /** Whether a log that the store does not need is to stay. */
  isFollowed: (number: number) => boolean = () => false
  /** Not in the registry any more, and not removed yet. */
  #leaving: readonly LogFile[] = []
  #current: CurrentLog | undefined
  /** The sequence id of the last record of the closed files. */
  #lastClosed = 0
  /** Made for the next `begin`, and not in the registry yet. */
  #next: CurrentLog | undefined
  /** Whether the registry may name the next log all the same. */
  #mayNameNext = false
  /** Two attempts at a time would close the file that they both begin. */
  #isBeginning = false
  /** Whether the last append failed, and nothing is left of it. */
  #isTakenBack = false

  constructor(
    fileSystem: FileSystem,
    directory: string,
    registry: LogRegistry,
    keeping: LogKeeping,
    holds: RemovalHolds = new RemovalHolds(),
  ) {
    this.keeping = keeping
    this.#fileSystem = fileSystem
    this.#holds = holds
    this.directory = directory
    this.registry = registry
  }

  get current(): CurrentLog | undefined {
    return this.#current
  }

  /** The files that a start would read, the oldest first. */
  get needed(): readonly Pick<LogFile, 'bytes' | 'regions'>[] {
    return this.#current === undefined ? this.#closed : [...this.#closed, this.#current.log]
  }

  get count(): number {
    return this.#closed.length + (this.#current === undefined ? 0 : 1)
  }

  get bytes(): number {
    let bytes = this.#current?.log.bytes ?? 0
    for (const log of this.#closed) bytes += log.bytes
    return bytes
  }

  /** All files but those that are not needed any more, the oldest first, as they are now. */
  get written(): readonly WrittenLog[] {
    const logs = this.#current === undefined ? this.#closed : [...this.#closed, this.#current.log]
    return logs.map(({ number, path, bytes }) => ({ number, path, bytes }))
  }

  /** A log that is there, needed or not. */
  find(number: number): WrittenLog | undefined {
    if (this.#current?.log.number === number) return this.#current.log
    return [...this.#closed, ...this.keeping.logs, ...this.#leaving].find((log) => log.number === number)
  }

  /** Bytes of the logs that only those who follow the log need. */
  get leftBytes(): number {
    return this.#leaving.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  /** The sequence id of the last record of all files, those that are gone among them. */
  get lastSequenceId(): number {
    return Math.max(this.#lastClosed, this.#current?.log.lastSequenceId ?? 0)
  }

  /** Sequence ids up to this one have been used. */
  raise(sequenceId: number): void {
    this.#lastClosed = Math.max(this.#lastClosed, sequenceId)
  }

  /** The files that records can be read from, the oldest first, each as far as the disk has it. */
  get readable(): readonly ReadableLog[] {
    const current = this.#current
    const closed = [...this.keeping.logs, ...this.#closed].sort((a, b) => a.number - b.number)
    if (current === undefined) return closed
    const bytes = Math.min(current.log.bytes, current.syncer.syncedBytes)
    return [...closed, { ...current.log, bytes }]
  }

  /** Bytes behind those that `readable` has: the disk gets them with the next sync. */
  get unsyncedBytes(): number {
    const current = this.#current
    return current === undefined ? 0 : Math.max(0, current.log.bytes - current.syncer.syncedBytes)
  }

  /** Bytes of the logs that a hold has not passed yet. */
  bytesFor({ position, loss }: Hold): number {
    if (loss !== undefined) return 0
    const logs = this.readable.filter(({ lastSequenceId }) => lastSequenceId > position)
    return logs.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  pathOf(number: number): string {
    return `${this.directory}/${logName(number)}`
  }

  /** How a log that is needed was changed by hand; undefined if none was. Not after a failed append. */
  tampering(): string | undefined {
    const current = this.#current
    const logs = current === undefined ? this.#closed : [...this.#closed, current.log]
    const gone = logs.find(({ path }) => !this.#fileSystem.exists(path))
    if (gone !== undefined) return `${gone.path} is gone`
    const bytes = current?.file.size()
    if (current === undefined || bytes === current.log.bytes) return undefined
    return `${current.log.path} has ${bytes} bytes in the place of ${current.log.bytes}`
  }

  /** Adds a log of an earlier start. */
  addClosed(log: LogFile): void {
    this.#closed = [...this.#closed, log]
    this.#lastClosed = Math.max(this.#lastClosed, log.lastSequenceId)
  }

  async makeDirectory(): Promise<void> {
    const parent = this.directory.slice(0, this.directory.lastIndexOf('/'))
    await new SafeDirectories(this.#fileSystem, parent).make(this.directory)
  }

  /**
   * Makes the next log, and syncs the current one while it is written, so that a roll has little left to do. Throws what a sync throws; a log
   * that cannot be made yet is left to `begin`.
   */
  async prepareRoll(): Promise<void> {
    // As `begin`: no log before the registry knows that those which it does not name are not needed.
    if (this.registry.logs !== undefined) this.#next ??= await this.#create().catch(() => undefined)
    const current = this.#current
    if (current === undefined) return
    for (let syncs = 0; syncs < SYNCS_BEFORE_ROLL; syncs++) {
      const { bytes } = current.log
      current.syncBegunBytes = bytes
      await current.syncer.sync()
      if (current.log.bytes - bytes <= ROLLED_BYTES) return
    }
  }

  /**
   * Begins a new log and closes the current one. What the disk may not have of that is copied into the new one: a power loss must not take
   * these records and leave later ones. After a failure the current one stays as it was, and the new one waits for the next attempt: there
   * may be thousands.
   */
  async begin(): Promise<void> {
    assert(!this.#isBeginning, 'two files of the log are begun at a time')
    this.#isBeginning = true
    try {
      await this.#begin()
    } finally {
      this.#isBeginning = false
    }
  }

  /**
   * After a failure: goes on in the current log, or begins a new one, which `true` says. A full disk may refuse thousands of appends, and
   * each new log takes an edit of the manifest. Throws what keeps the log from being written.
   */
  async restart(): Promise<boolean> {
    if (await this.#goOn()) return false
    // If its sync fails, the next log gets what the disk may not have of it.
    await this.#current?.syncer.sync().catch(() => undefined)
    await this.begin()
    return true
  }

  /** Throws where the disk has no room for the next record. False where more is wrong than an append that has been taken back. */
  async #goOn(): Promise<boolean> {
    const current = this.#current
    if (current === undefined || !this.#isTakenBack || this.tampering() !== undefined) return false
    const isSound = await canGoOn(current)
    // Later failures are of another kind until an append fails again.
    this.#isTakenBack = false
    return isSound
  }

  async #begin(): Promise<void> {
    const tail = this.#current === undefined ? undefined : unsyncedTail(this.#current)
    // Until it records its logs, a start takes all that it finds for needed, and all but the last one for whole.
    if (this.registry.logs === undefined) await this.#record(this.#closed.map(recordOf))
    this.#next ??= await this.#create()
    const next = this.#next
    try {
      if (tail !== undefined) await takeCopy(next, tail)
      await this.#queue.run(async () => {
        const before = this.#current
        const ended = before && endedLog(before.log, tail)
        const closed = ended === undefined ? this.#closed : [...this.#closed, ended]
        await this.#record([...closed.map(recordOf), { number: next.log.number }])
        this.#closed = closed
        this.#lastClosed = Math.max(this.#lastClosed, ended?.lastSequenceId ?? 0)
        this.#current = next
        this.#isTakenBack = false
        this.#next = undefined
        this.#mayNameNext = false
        before?.file.close()
      })
    } catch (error) {
      // With a tail it has a copy already.
      if (tail !== undefined) this.#dropNext(error)
      else if (isInDoubt(error)) {
        this.#mayNameNext = true
        this.registry.undo(error, () => {
          this.#mayNameNext = false
        })
      }
      throw error
    }
  }

  /** `error`: of the attempt to go on in it, if there was one. */
  #dropNext(error?: unknown): void {
    const next = this.#next
    const isNamed = this.#mayNameNext
    this.#next = undefined
    this.#mayNameNext = false
    next?.file.close()
    if (next !== undefined && !isNamed) this.registry.undo(error, () => this.#removeUnneeded(next.log.path))
  }

  #removeUnneeded(path: string): void {
    try {
      this.#fileSystem.remove(path)
    } catch {
      // The next start removes a log that nothing needs.
    }
  }

  async #create(): Promise<CurrentLog> {
    const number = this.nextNumber++
    const path = this.pathOf(number)
    const file = this.times.timing(this.#fileSystem.open(path, 'create'))
    try {
      file.append([encodeLogHeader(number)])
      await file.sync()
      await this.#fileSystem.syncDirectory(this.directory)
    } catch (error) {
      file.close()
      this.#fileSystem.remove(path)
      // Each attempt on a full disk would take another number.
      if (this.nextNumber === number + 1) this.nextNumber = number
      throw error
    }
    return currentLog(emptyLog(number, path, LOG_HEADER_BYTES), file)
  }

  /** Removes the closed files whose cells are all in store files. Throws what the registry throws; the files are then kept. */
  async trim(flushedUpTo: FlushedUpTo, isLast = false): Promise<void> {
    await this.letGo(flushedUpTo, isLast)
    // Outside the queue: writers wait for a new log that waits there.
    await this.removeLeft()
  }

  /** Removes the files that the registry does not name any more, but those that are followed. */
  async removeLeft(): Promise<void> {
    await this.#holds.whenFree()
    for (const log of this.#leaving.filter(({ number }) => !this.isFollowed(number))) {
      await this.#fileSystem.removeLarge(log.path)
      this.#leaving = this.#leaving.filter((left) => left !== log)
    }
  }

  /**
   * Records that the files whose cells are all in store files are not needed, and which of them are kept for readers of changes. `always`: also where
   * only the place of a hold is new.
   */
  letGo(flushedUpTo: FlushedUpTo, always = false): Promise<void> {
    return this.#queue.run(async () => {
      const { keeping } = this
      const needed = this.#closed.filter((log) => !isFlushed(log, flushedUpTo))
      const flushed = this.#closed.filter((log) => !needed.includes(log))
      const plan = keeping.plan(flushed, needed, this.#current?.log.bytes ?? 0)
      const isSame = flushed.length === 0 && plan.gone.length === 0 && plan.losses.size === 0
      if (isSame && !(always && keeping.isMoved) && !keeping.isDue) return
      const current = this.#current === undefined ? [] : [{ number: this.#current.log.number }]
      await this.#record([...needed.map(recordOf), ...current], plan)
      this.#closed = this.#closed.filter((log) => !flushed.includes(log))
      keeping.settle(plan)
      this.#leaving = [...this.#leaving, ...plan.gone]
    })
  }

  async #record(logs: readonly LogRecord[], plan?: KeepPlan): Promise<void> {
    const keeping = this.keeping.record(plan)
    this.keeping.recording()
    try {
      await this.registry.recordLogs(logs, keeping)
    } catch (error) {
      this.keeping.notRecorded()
      throw error
    }
  }

  /** On a full disk: removes logs that are kept for readers of changes. What is left is recorded once there is room. */
  async giveUpKept(reason: string): Promise<void> {
    for (const { path } of this.keeping.giveUp(reason)) await this.#fileSystem.removeLarge(path)
  }

  /** Cuts off what a failed append has left, or a start after a kill would replay its whole records, which were refused. */
  takeBackAppend(): void {
    const current = this.#current
    try {
      current?.file.truncate(current.log.bytes)
      this.#isTakenBack = true
    } catch {
      // The disk may refuse this, too. The registry gets the length without the append once a new log is begun.
    }
  }

  /** Closes the current log, which is no longer written, and lets go of the one that was made to follow it. */
  closeCurrent(): void {
    this.#dropNext()
    if (this.#current === undefined) return
    const { log, file, syncer } = this.#current
    file.close()
    this.addClosed({ ...log, isOpenEnded: syncer.syncedBytes < log.bytes })
    this.#current = undefined
  }

  /** Whether any file has a record of the region. */
  haveRegion(region: number): boolean {
    const isIn = (log: LogFile | undefined): boolean => log?.regions.has(region) === true
    return isIn(this.#current?.log) || [...this.#closed, ...this.keeping.logs, ...this.#leaving].some(isIn)
  }

  /** Regions whose memstores keep the oldest file. */
  regionsOfOldest(flushedUpTo: FlushedUpTo): number[] {
    const oldest = this.#closed[0]
    if (oldest === undefined) return []
    return [...oldest.regions].filter(([region, id]) => flushedUpTo(region) < id).map(([region]) => region)
  }
}
