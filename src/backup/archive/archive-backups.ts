/** The backups that a server makes for its archived log: one at the beginning of each stretch, and one behind cells that no record has. */

import { reasonOf } from '../../model/error-reason.ts'
import type { Backups } from '../../store/backups.ts'
import { OWN_CALL } from '../../store/call.ts'
import { createBackup } from '../create-backup.ts'
import type { Destination } from '../destination.ts'
import { lockDestination } from '../destination-lock.ts'
import { withDisk } from '../disk-fault.ts'
import type { ArchiveState } from './archive-state.ts'

/** After a failure. */
const RETRY_MS = 30_000

export type ArchiveLog = (level: 'info' | 'warn', message: string) => void

export interface ArchiveBackupsParts {
  readonly backups: Backups
  /** The server, for the list of backups. */
  readonly server: string
  readonly folder: string
  readonly open: () => Promise<Destination>
  /** A new limit for a backup: resolves once so many bytes may be read. */
  readonly limiter: () => (bytes: number) => Promise<void>
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly log: ArchiveLog
  readonly state: ArchiveState
  /** Aborted once the server stops. */
  readonly stopping: AbortSignal
}

export class ArchiveBackups {
  readonly #parts: ArchiveBackupsParts
  #isWanted = false
  #running: Promise<void> | undefined
  #notBefore = 0
  /** Counts the stretches; undefined: none is being written. */
  #stretch: number | undefined
  #stretches = 0

  constructor(parts: ArchiveBackupsParts) {
    this.#parts = parts
  }

  /** Resolves once no backup is under way. */
  get ended(): Promise<void> {
    return this.#running ?? Promise.resolve()
  }

  beginStretch(): void {
    this.#stretch = ++this.#stretches
    this.#notBefore = 0
    this.want()
  }

  endStretch(): void {
    this.#stretch = undefined
  }

  want(): void {
    this.#isWanted = true
  }

  /** Begins a backup where one is due. */
  beginIfDue(): void {
    if (!this.#isWanted || this.#running !== undefined || this.#parts.now() < this.#notBefore) return
    this.#isWanted = false
    this.#running = this.#backUp()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#running = undefined
      })
  }

  #failed(error: unknown): void {
    const { now, log, state, folder, stopping } = this.#parts
    if (stopping.aborted) return
    this.#isWanted = true
    this.#notBefore = now() + RETRY_MS
    const reason = reasonOf(withDisk(error, folder))
    if (state.backupFailure !== reason)
      log('warn', `a backup for the archived log failed, and is tried again: ${reason}`)
    state.backupFailure = reason
  }

  async #backUp(): Promise<void> {
    const { backups, server, limiter, now, log, state, open, stopping } = this.#parts
    const stretch = this.#stretch
    const destination = await open()
    const unlock = await lockDestination(destination.folder)
    const limit = limiter()
    const take = async (bytes: number): Promise<void> => {
      if (stopping.aborted) throw new Error('the server stops')
      await limit(bytes)
    }
    try {
      const { name, backup, damaged } = await createBackup({
        backups,
        server,
        destination,
        call: OWN_CALL,
        take,
        now,
        report: () => undefined,
        atEnd: (work) => work,
        atOnce: 1,
      })
      state.backups++
      state.backupFailure = undefined
      const unsound = [...backup.missing, ...damaged]
      if (unsound.length > 0)
        log(
          'warn',
          `the store has lost files, or knows that they are damaged: ${unsound.slice(0, 5).join(', ')}`,
        )
      // Its stretch may have ended meanwhile: the log of the present one does not go on from it.
      if (stretch === undefined || stretch !== this.#stretch) return
      state.hasBackup = true
      log(
        'info',
        `made the backup ${name}, with which the archived log begins: copied ${backup.newBytes} bytes that the folder did not have`,
      )
      if (state.gap !== undefined) log('info', 'the gap of the archived log has ended')
      state.gap = undefined
    } finally {
      await unlock()
    }
  }
}
