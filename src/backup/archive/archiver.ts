/**
 * Archives the log of a server while it serves: hands it to a folder of backups, piece by piece, so that a restore goes on from a backup to any moment.
 *
 * A stretch of the log has no gap. At its beginning, and where cells come in that no record has, the archiver makes a backup, as `tidegate backup create`
 * does. Where the folder is away for long, the server lets go of what waits: the stretch ends, and the next one begins once the folder is back.
 *
 * One file at a time is written for the log, and one for a backup: a folder that does not answer holds two of the threads that do the server's file work.
 */

import { statfs } from 'node:fs/promises'
import { reasonOf } from '../../model/error-reason.ts'
import type { Backups } from '../../store/backups.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { LogStreams, StreamEntry } from '../../store/log-streams.ts'
import { Destination } from '../destination.ts'
import { withDisk } from '../disk-fault.ts'
import { sizeOf } from '../safe-file.ts'
import { ArchiveBackups, type ArchiveLog } from './archive-backups.ts'
import { ArchiveState } from './archive-state.ts'
import { stretchFolder, stretchName } from './archived-logs.ts'
import { StretchWriter } from './stretch-writer.ts'

/** After a failure. */
const RETRY_MS = 5000
/** How often it is noted up to when nothing is missing, and which piece is the last one. At the first pause after a write, too. */
const NOTE_MS = 30_000
/** A piece has about so many bytes of records at most. */
const PIECE_BYTES = 8 * 1024 * 1024

export interface ArchiverParts {
  readonly streams: LogStreams
  readonly backups: Backups
  readonly clusterId: () => Promise<string>
  /** The server, for the list of backups. */
  readonly server: string
  /** Of the backups. */
  readonly folder: string
  readonly everyMs: number
  /** Whether the server has archived there before, perhaps in an earlier life: the folder is then not made where it is missing. */
  readonly isKnown: boolean
  /** Notes that it has, for later lives. */
  readonly onKnown: () => Promise<void>
  /** Bytes of logs that the server keeps while the folder is away. */
  readonly keepBytesMax: number
  /** A new limit for a backup: resolves once so many bytes may be read. */
  readonly limiter: () => (bytes: number) => Promise<void>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly random: () => number
  /** Resolves after so many milliseconds, or once the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: ArchiveLog
}

/** The pieces of the stretch are not there any more: it cannot go on. */
class StretchGone extends Error {
  override readonly name = 'StretchGone'
}

export class Archiver {
  readonly state: ArchiveState
  readonly #parts: ArchiverParts
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #isKnown: boolean
  readonly #backups: ArchiveBackups
  #notedAt = 0
  #isNewSinceNote = false
  /** The id of the follower of the log; undefined while there is none. */
  #follower: string | undefined
  #stretchFolder = ''
  /** Whether the stretch has a piece. */
  #hasPieces = false
  #isLossNoted = false

  constructor(parts: ArchiverParts) {
    this.#parts = parts
    this.#isKnown = parts.isKnown
    this.state = new ArchiveState(parts)
    const { state } = this
    const stopping = this.#stopping.signal
    this.#backups = new ArchiveBackups({ ...parts, state, stopping, open: () => this.#openDestination() })
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Archives what is left; `ms`: gives up after so long. Resolves to whether nothing is under way any more. Not twice. */
  async stop(ms: number): Promise<boolean> {
    this.#stopping.abort()
    const inTime = new AbortController()
    const isLate = this.#parts.pause(ms, inTime.signal).then(() => true)
    const ended = Promise.all([this.#running, this.#backups.ended]).then(() => false)
    const gaveUp = await Promise.race([ended, isLate])
    inTime.abort()
    const reason = gaveUp ? `${this.#parts.folder} does not answer` : this.state.failure
    if (reason !== undefined) this.#parts.log('warn', `the last of the log is not archived: ${reason}`)
    return !gaveUp
  }

  /** Looks whether the server has let go of the log. While the folder does not answer nothing else notices that. */
  async look(): Promise<void> {
    if (this.#follower === undefined) return
    try {
      const { loss } = await this.#parts.streams.logState(this.#follower, OWN_CALL)
      if (loss !== undefined) this.#lost(loss)
    } catch {
      // The store is closed.
    }
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted
  }

  async #run(): Promise<void> {
    do {
      try {
        await this.#stretch()
      } catch (error) {
        this.#ended(error)
      }
      if (!this.#isStopping) await this.#pause(RETRY_MS)
    } while (!this.#isStopping)
  }

  /** Follows the log until the server stops. Throws what ends the stretch. */
  async #stretch(): Promise<void> {
    const { streams, clusterId, now, random, keepBytesMax } = this.#parts
    const { folder } = await this.#openDestination()
    const id = await streams.followLog(keepBytesMax, OWN_CALL)
    this.#follower = id
    this.#hasPieces = false
    this.#isLossNoted = false
    this.state.begin()
    try {
      const name = stretchName(now(), random().toString(36).slice(2, 10).padEnd(8, '0'))
      const place = { clusterId: await clusterId(), stretch: name }
      const writer = new StretchWriter(folder, place)
      this.#stretchFolder = stretchFolder(folder, place)
      this.#backups.beginStretch()
      for (let isLast = false; !isLast; ) {
        isLast = this.#isStopping
        await this.#archive(id, writer, isLast)
        if (isLast) return
        this.#backups.beginIfDue()
        await this.#pause(this.#parts.everyMs)
      }
    } finally {
      this.#follower = undefined
      this.#backups.endStretch()
      await streams.leaveLog(id, OWN_CALL).catch(() => undefined)
    }
  }

  async #openDestination(): Promise<Destination> {
    const { folder } = this.#parts
    const destination = this.#isKnown ? await Destination.open(folder) : await Destination.openOrMake(folder)
    destination.checkIsSound()
    if (!this.#isKnown) await this.#parts.onKnown()
    this.#isKnown = true
    return destination
  }

  /** Writes what there is by now. */
  async #archive(id: string, writer: StretchWriter, isLast: boolean): Promise<void> {
    const { streams, now, everyMs } = this.#parts
    const { state } = this
    for (let isMore = true; isMore; ) {
      const { entries, left, at } = await streams.readLog(id, OWN_CALL)
      const upTo = left === 0 ? at : entries.at(-1)?.at
      if (entries.length > 0) {
        await this.#write(entries, writer)
        state.reachedAt = entries.at(-1)!.at
      }
      const isPause = entries.length === 0 && (isLast || this.#isNewSinceNote)
      const isNoteDue = isPause || now() - this.#notedAt >= NOTE_MS
      if (upTo !== undefined && isNoteDue) {
        await this.#try(() => writer.reached(upTo))
        state.reachedAt = upTo
        this.#notedAt = now()
        this.#isNewSinceNote = false
        state.disk = await diskOf(this.#parts.folder)
      }
      if (entries.some(({ kind }) => kind === 'unlogged')) this.#backups.want()
      // After an outage of the folder there is more than a moment's.
      const isLate = left > 0 && now() - state.reachedAt > everyMs
      isMore = left >= PIECE_BYTES || isLate || (isLast && entries.length > 0)
    }
  }

  async #write(entries: readonly StreamEntry[], writer: StretchWriter): Promise<void> {
    await this.#try(async () => {
      this.state.bytes += await writer.add(entries)
    })
    this.state.pieces++
    this.#hasPieces = true
    this.#isNewSinceNote = true
  }

  /** Until it is done: what was read is nowhere else. Throws once the server stops. */
  async #try(work: () => Promise<void>): Promise<void> {
    const { state } = this
    for (;;) {
      try {
        await this.#checkIsThere()
        await work()
        if (state.failure !== undefined) this.#parts.log('info', 'the log is archived again')
        state.failure = undefined
        return
      } catch (error) {
        if (error instanceof StretchGone) throw error
        this.#note(error)
        if (this.#isStopping) throw error
        await this.#pause(RETRY_MS)
      }
    }
  }

  /** The disk may not be mounted any more: its folder must not get files on another disk. Or it may be another disk. */
  async #checkIsThere(): Promise<void> {
    await Destination.open(this.#parts.folder)
    if (this.#hasPieces && (await sizeOf(this.#stretchFolder)) === undefined)
      throw new StretchGone(
        `${this.#stretchFolder} is gone: the folder of backups is another one, or has been emptied`,
      )
  }

  /** Says it once. */
  #note(error: unknown): void {
    const reason = reasonOf(withDisk(error, this.#parts.folder))
    if (this.state.failure === undefined)
      this.#parts.log('warn', `the log cannot be archived, and waits: ${reason}`)
    this.state.failure = reason
  }

  /** A stretch has ended, or could not be begun. */
  #ended(error: unknown): void {
    if (this.#isStopping) return
    if (this.state.isBegun) this.#lost(reasonOf(error))
    else this.#note(error)
    this.state.isBegun = false
  }

  #lost(reason: string): void {
    if (this.#isLossNoted) return
    this.#isLossNoted = true
    const { state } = this
    state.gap ??= { since: state.reachedAt, reason }
    state.gaps++
    this.#parts.log('warn', `the archived log has a gap: ${reason}`)
  }

  #pause(ms: number): Promise<void> {
    return this.#parts.pause(ms, this.#stopping.signal)
  }
}

/** Undefined where the disk does not report it. */
async function diskOf(folder: string): Promise<ArchiveState['disk']> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder)
    return { freeBytes: bavail * bsize, bytes: blocks * bsize }
  } catch {
    return undefined
  }
}
