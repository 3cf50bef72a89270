/** All who follow the log: see LogFollower. */

import type { ManifestEdit } from '../manifest/manifest-edit.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { LogEnd, WrittenLog } from './log-files.ts'
import { LogFollower } from './log-follower.ts'

/** Edits that say how the tables are; others speak of files, which a store that is made of the log does not have. */
const FOLLOWED: ReadonlySet<ManifestEdit['kind']> = new Set([
  'namespace',
  'namespace-gone',
  'table',
  'shown-table',
  'table-gone',
  'regions',
  'snapshot',
  'snapshot-gone',
  'switch',
])

export interface LogFollowersParts {
  readonly fileSystem: FileSystem
  readonly now: () => number
  readonly find: (number: number) => WrittenLog | undefined
  /** The end of the log. Undefined: it is not open. */
  readonly end: () => LogEnd | undefined
}

export class LogFollowers {
  readonly #parts: LogFollowersParts
  readonly #followers = new Set<LogFollower>()

  constructor(parts: LogFollowersParts) {
    this.#parts = parts
  }

  get count(): number {
    return this.#followers.size
  }

  /** Undefined where the log is not open. */
  add(keepBytesMax: number): LogFollower | undefined {
    const { fileSystem, find, end } = this.#parts
    const present = end()
    if (present === undefined) return undefined
    const follower = new LogFollower({ fileSystem, find, keepBytesMax }, present)
    this.#followers.add(follower)
    return follower
  }

  remove(follower: LogFollower): void {
    this.#followers.delete(follower)
  }

  /** Whether a log, which the store itself does not need, is to be kept. */
  needLog(number: number): boolean {
    for (const { oldestLog } of this.#followers) if (oldestLog <= number) return true
    return false
  }

  /** Called after each commit. */
  committed(): void {
    if (this.#followers.size === 0) return
    const end = this.#parts.end()
    if (end === undefined) return
    const now = this.#parts.now()
    for (const follower of this.#followers) follower.committed(now, end)
  }

  /** Called with each edit that is on disk, before it is applied. */
  changed(edit: ManifestEdit): void {
    if (this.#followers.size === 0) return
    const now = this.#parts.now()
    const unloggedIn = edit.kind === 'flush' || edit.kind === 'table' ? edit.unloggedIn : undefined
    for (const follower of this.#followers) {
      if (FOLLOWED.has(edit.kind)) follower.changed(now, edit)
      if (unloggedIn !== undefined) follower.unlogged(now, unloggedIn)
    }
  }

  /** Called between two edits, at the moment that is kept. */
  moment(id: string): void {
    const now = this.#parts.now()
    for (const follower of this.#followers) follower.moment(now, id)
  }

  /** The disk needs the room of the logs that are kept for followers only. */
  loseAll(reason: string): void {
    for (const follower of this.#followers) follower.lose(reason)
  }
}
