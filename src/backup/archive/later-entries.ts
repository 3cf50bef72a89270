/**
 * The entries behind a moment, up to a time. The server may put a piece into the place of several small ones meanwhile: then the reader looks for the
 * pieces again, and goes on behind the last entry that it has returned.
 */

import type { StreamEntry } from '../../store/log-streams.ts'
import type { Stretch } from './archived-logs.ts'
import { type Run, runsIn } from './known-pieces.ts'
import { type PieceFault, readPiece } from './piece-file.ts'
import { runOf } from './restore-point.ts'

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
    const { moment, until, take } = this.#parts
    const run = await this.#runOfMoment()
    if (run === undefined)
      return this.#end({ path: this.#parts.stretch.folder, reason: 'its moment is missing' })
    const first = run.pieces.findIndex(({ header }) => header.moments.includes(moment))
    let skipped = 0
    for (const [index, piece] of run.pieces.slice(first).entries()) {
      const count = this.#counts.get(piece.name)
      if (count !== undefined && skipped + count <= place.given) {
        skipped += count
        continue
      }
      const read = await readPiece(piece, take)
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
    return this.#end(run.fault)
  }

  #end(fault: PieceFault | undefined): Ended {
    this.#fault = fault
    return 'end'
  }

  /** As it is now. What lies behind its end is not read, even if a piece there goes on by its name. */
  async #runOfMoment(): Promise<Run | undefined> {
    const { destination, moment, stretch } = this.#parts
    return runOf(moment, await runsIn(destination, ({ folder }) => folder === stretch.folder))
  }
}
