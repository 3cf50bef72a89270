/** How far the archive of a server's log has got, for its health page and its metrics. */

import { counter, gauge, type Metric } from '../../model/metric.ts'
import { timeText } from '../times.ts'

/** A log that is not in the archive for so long is in trouble, and so is one that no backup goes before. */
const LATE_MS_MIN = 60_000

export interface ArchiveStateParts {
  readonly folder: string
  readonly everyMs: number
  /** Milliseconds since 1970. */
  readonly now: () => number
}

export class ArchiveState {
  readonly #parts: ArchiveStateParts
  /** All up to this time is in the archive, and the archive says so. */
  reachedAt: number
  /** The reason why the last attempt to write failed; undefined: it has not. */
  failure: string | undefined
  /** The reason why the backup that the logs go on from could not be made. */
  backupFailure: string | undefined
  /** Since when moments cannot be restored, and why. */
  gap: { readonly since: number; readonly reason: string } | undefined
  gaps = 0
  /** Whether a stretch is being written. */
  isBegun = false
  /** Whether it has the backup from which it goes on. */
  hasBackup = false
  #begunAt = 0
  bytes = 0
  pieces = 0
  backups = 0
  /** The disk of the folder, as of the last note; undefined: it has not been looked at. */
  disk: { readonly freeBytes: number; readonly bytes: number } | undefined

  constructor(parts: ArchiveStateParts) {
    this.#parts = parts
    this.reachedAt = parts.now()
  }

  /** A stretch begins. */
  begin(): void {
    this.isBegun = true
    this.hasBackup = false
    this.#begunAt = this.#parts.now()
  }

  /** Sentences for an operator; none where all is well. */
  troubles(): readonly string[] {
    const { folder, everyMs, now } = this.#parts
    const { failure, backupFailure, gap, reachedAt } = this
    const troubles: string[] = []
    if (gap !== undefined)
      troubles.push(
        `the archived log in ${folder} has a gap from ${timeText(gap.since)} on: ${gap.reason}. It ends with a backup that the server makes as soon as it can`,
      )
    else if (now() - reachedAt > Math.max(LATE_MS_MIN, 3 * everyMs))
      troubles.push(
        `the log has not been archived in ${folder} since ${timeText(reachedAt)}: ${failure ?? 'the folder does not answer'}`,
      )
    if (gap === undefined && this.isBegun && !this.hasBackup && now() - this.#begunAt > LATE_MS_MIN)
      troubles.push(
        `no moment since ${timeText(this.#begunAt)} can be restored from ${folder} before the backup has ended that was begun then`,
      )
    if (backupFailure !== undefined)
      troubles.push(`the backup in ${folder} from which the archived log goes on failed: ${backupFailure}`)
    return troubles
  }

  metrics(): Metric[] {
    return [
      gauge(
        'tidegate_archive_reached_seconds',
        'The time, in seconds since 1970, up to which the log is archived',
        () => this.reachedAt / 1000,
      ),
      gauge(
        'tidegate_archive_gap',
        '1 while the present moment could not be restored later, since the archived log has a gap or no backup before it, else 0',
        () => (this.gap === undefined && this.hasBackup ? 0 : 1),
      ),
      counter('tidegate_archive_gaps_total', 'Gaps of the archived log', () => this.gaps),
      counter('tidegate_archived_bytes_total', 'Bytes of the archived log', () => this.bytes),
      counter(
        'tidegate_archived_pieces_total',
        'Files of the archived log, before they were joined',
        () => this.pieces,
      ),
      counter(
        'tidegate_archive_backups_total',
        'Backups that the server has made for its archived log',
        () => this.backups,
      ),
      this.#ofDisk(
        'tidegate_archive_disk_free_bytes',
        'Bytes that are free in the folder of the archive',
        'freeBytes',
      ),
      this.#ofDisk('tidegate_archive_disk_bytes', 'Size of the disk of the folder of the archive', 'bytes'),
    ]
  }

  #ofDisk(name: string, help: string, part: 'freeBytes' | 'bytes'): Metric {
    return {
      name,
      kind: 'gauge',
      help,
      read: () => (this.disk === undefined ? [] : [{ value: this.disk[part] }]),
    }
  }
}
