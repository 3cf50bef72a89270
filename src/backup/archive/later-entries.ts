/**
 * The entries behind a moment, up to a time. The server may put a piece into the place of several small ones meanwhile: then the reader looks for the
 * pieces again, and goes on behind the last entry that it has returned.
 */

import { readFile } from 'node:fs/promises'
import { reasonOf } from '../../model/error-reason.ts'
import type { StreamEntry } from '../../store/log-streams.ts'
import { isCode } from '../safe-file.ts'
import { decodePiece } from './archive-piece.ts'
import type { PieceFile, Stretch } from './archived-logs.ts'
import { missingParts, type PieceFault, runsIn } from './known-pieces.ts'

export interface LaterEntriesParts {
  /** The folder of the destination. */
  readonly destination: string
  readonly stretch: Stretch
  /** The id of the moment. */
  readonly moment: string
  /** No entry that is later is read. */
  readonly until: number
  /** Resolves once so many bytes may be read. */
  readonly take: (bytes: number) => Promise<void>
}

/** A piece that is gone may be in another one by now. After so many attempts without any entry it is missing. */
const ATTEMPTS_MAX = 3

type Ended = 'end' | 'anew'

export class LaterEntries {
  readonly #parts: LaterEntriesParts
  /** How many entries behind the moment the pieces have that were read. */
  readonly #counts = new Map<string, number>()
  #total: number | undefined
  #fault: PieceFault | undefined
  #lastAt: number | undefined

  constructor(parts: LaterEntriesParts) {
    this.#parts = parts
  }

  /** The damage that ends the entries, once they were read. */
  get fault(): PieceFault | undefined {
    return this.#fault
  }

  /** The time of the last entry that was read; undefined: there was none. */
  get lastAt(): number | undefined {
    return this.#lastAt
  }

  /** From the first one on, with each call the same. Throws an Error where later calls find fewer than the first one. */
  async *read(): AsyncGenerator<StreamEntry> {
    const place = { given: 0 }
    for (let attempts = 0, before = 0; ; ) {
      const ended = yield* this.#readOn(place)
      if (ended === 'end') break
      attempts = place.given > before ? 0 : attempts + 1
      before = place.given
      if (attempts < ATTEMPTS_MAX) continue
      this.#fault = { path: this.#parts.stretch.folder, reason: 'pieces go while they are read' }
      break
    }
    this.#total ??= place.given
    if (place.given < this.#total)
      throw new Error(
        `${this.#parts.stretch.folder} has changed: it had ${this.#total} entries, and has ${place.given}`,
      )
  }

  async *#readOn(place: { given: number }): AsyncGenerator<StreamEntry, Ended> {
    const { moment, until } = this.#parts
    const found = await this.#piecesFromMoment()
    if (found === undefined)
      return this.#end({ path: this.#parts.stretch.folder, reason: 'its moment is missing' })
    let skipped = 0
    let next = found.pieces[0]!.first
    for (const [index, piece] of found.pieces.entries()) {
      if (piece.first !== next) return this.#end(missingParts(found.stretch, next, piece.first - 1))
      next = piece.last + 1
      const count = this.#counts.get(piece.name)
      if (count !== undefined && skipped + count <= place.given) {
        skipped += count
        continue
      }
      const read = await this.#readPiece(piece)
      if (read === 'gone') return 'anew'
      let entries = read.entries
      if (index === 0)
        entries = entries.slice(entries.findIndex((each) => each.kind === 'moment' && each.id === moment) + 1)
      for (const entry of entries) {
        if (entry.at > until || place.given === this.#total) return 'end'
        if (skipped++ < place.given) continue
        place.given++
        this.#lastAt = entry.at
        yield entry
      }
      if (read.fault !== undefined) return this.#end(read.fault)
      this.#counts.set(piece.name, entries.length)
    }
    return 'end'
  }

  #end(fault: PieceFault): Ended {
    this.#fault = fault
    return 'end'
  }

  /** The pieces as they are now, from the one with the moment on. */
  async #piecesFromMoment(): Promise<{ stretch: Stretch; pieces: readonly PieceFile[] } | undefined> {
    const { destination, moment, stretch: before } = this.#parts
    for (const { stretch, pieces } of await runsIn(destination, ({ folder }) => folder === before.folder)) {
      const first = pieces.find(({ header }) => header.moments.includes(moment))
      if (first === undefined) continue
      return { stretch, pieces: stretch.pieces.filter((piece) => piece.first >= first.first) }
    }
    return undefined
  }

  async #readPiece({
    path,
  }: PieceFile): Promise<'gone' | { entries: readonly StreamEntry[]; fault: PieceFault | undefined }> {
    try {
      const bytes = await readFile(path)
      await this.#parts.take(bytes.length)
      const { entries, fault } = decodePiece(bytes)
      return { entries, fault: fault === undefined ? undefined : { path, reason: fault } }
    } catch (error) {
      if (isCode(error, 'ENOENT')) return 'gone'
      return { entries: [], fault: { path, reason: reasonOf(error) } }
    }
  }
}
