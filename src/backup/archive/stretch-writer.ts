/** Writes the pieces of one stretch of archived logs: see archived-logs.ts. Small ones give way to one that has all their entries. */

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { StreamEntry } from '../../store/log-streams.ts'
import { syncFolder, writeSafely } from '../safe-file.ts'
import { encodePiece } from './archive-piece.ts'
import { reachedPath, stretchFolder } from './archived-logs.ts'
import { pieceName, type StretchPlace } from './piece-file.ts'
import { reachedText } from './reached-note.ts'

/** So many small pieces, or bytes of them, become one. Their entries stay in memory until then. */
const JOINED_PIECES = 60
const JOINED_BYTES = 4 * 1024 * 1024
/** Larger pieces stay as they are. */
const SMALL_BYTES = 1024 * 1024

export class StretchWriter {
  readonly #place: StretchPlace
  readonly #folder: string
  #next = 1
  /** Entries of the small pieces before the next one. */
  #small: StreamEntry[] = []
  #smallFrom = 1
  #smallBytes = 0

  constructor(destination: string, place: StretchPlace) {
    this.#place = place
    this.#folder = stretchFolder(destination, place)
  }

  /** Resolves to the bytes of the piece, once it is on disk. After a failure the same entries may be added again. Not for none. */
  async add(entries: readonly StreamEntry[]): Promise<number> {
    const number = this.#next
    const bytes = await this.#write(number, number, entries)
    this.#next++
    if (bytes >= SMALL_BYTES) {
      await this.#join(number - 1)
      this.#forgetSmall()
      return bytes
    }
    for (const entry of entries) this.#small.push(entry)
    this.#smallBytes += bytes
    if (this.#next - this.#smallFrom >= JOINED_PIECES || this.#smallBytes >= JOINED_BYTES) {
      await this.#join(number)
      this.#forgetSmall()
    }
    return bytes
  }

  /** Notes that the pieces have all up to a time. */
  async reached(at: number): Promise<void> {
    await writeSafely(reachedPath(this.#folder), reachedText({ at, last: this.#next - 1 }))
  }

  async #write(first: number, last: number, entries: readonly StreamEntry[]): Promise<number> {
    const buffers = encodePiece({ ...this.#place, first, last }, entries)
    await writeSafely(join(this.#folder, pieceName(first, last)), buffers)
    return buffers.reduce((sum, { length }) => sum + length, 0)
  }

  /** A failure leaves the small pieces as they are. */
  async #join(last: number): Promise<void> {
    const first = this.#smallFrom
    if (last <= first) return
    try {
      await this.#write(first, last, this.#small)
      for (let number = first; number <= last; number++)
        await rm(join(this.#folder, pieceName(number, number)), { force: true })
      await syncFolder(this.#folder)
    } catch {
      // The next piece fails likewise, and says so.
    }
  }

  #forgetSmall(): void {
    this.#small = []
    this.#smallBytes = 0
    this.#smallFrom = this.#next
  }
}
