/**
 * Gets of many rows, as many as a client asks for at once: they are read in pieces, and the memory of each piece comes from the
 * budget of all clients, so that this budget alone limits an answer.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { CellBlock } from '../../model/cell-block.ts'
import { HBaseError } from '../../model/errors.ts'
import type { HandedOver } from '../../model/handed-over.ts'
import { ownMemory } from '../../model/mapped-memory.ts'
import type { Get } from '../../model/query.ts'
import type { Results } from '../../model/results.ts'
import type { Call } from '../../store/call.ts'
import type { GetLimits, Rows } from '../../store/rows.ts'
import type { Target } from '../../store/target.ts'
import type { MemoryBudget } from '../limits/memory-budget.ts'
import { MemoryGrant } from '../limits/memory-grant.ts'
import { giveBack, type Lender } from './loans.ts'

/** A piece ends with the row that reaches this size. */
export const GET_PIECE: GetLimits = { bytes: 4 * 1024 * 1024 }
/** Gets that a further piece is made of: it is a copy of their list, and a list of 10 million is not copied for each row. */
const GETS_A_PIECE = 100_000
/** Bytes copied between two turns of the event loop. */
const COPY_BYTES = 4 * 1024 * 1024
/** An answer's cells are in memory twice: in pieces and as a whole, then as a whole and encoded. */
const COPIES = 2
/** An attempt to read the answer again asks for memory for so many times what was read, at most, where more rows are to come. */
const AHEAD = 4

/** Results that are no loan, and the memory that they and their encoded form have. */
export interface GotResults {
  readonly results: Results
  readonly grant: MemoryGrant
}

export interface GetsContext {
  readonly store: { readonly rows: Pick<Rows, 'get'>; readonly handouts: Lender }
  readonly memory: MemoryBudget
}

interface GetsOptions {
  /** What the first gets have found already. */
  readonly first?: HandedOver<Results>
  /** Times the cells' bytes that the cells and their encoded form take. */
  readonly copies?: number
}

/**
 * One result for each get. The caller releases the grant. Where others have the memory that the answer takes, what was read is given
 * back, and read anew once there is memory: a call that waits holds none that others wait for. Throws as Rows.get, OVERLOADED where the wait
 * ends without, CALLER_GONE, and TOO_LARGE where the whole budget is too small for the answer.
 */
export async function getInPieces(
  context: GetsContext,
  target: Target,
  gets: readonly Get[],
  call: Call,
  { first, copies = COPIES }: GetsOptions = {},
): Promise<GotResults> {
  const grant = new MemoryGrant(context.memory, false, call.memory)
  try {
    for (let begun = first; ; begun = undefined) {
      const reading = new Reading(context, grant, gets, copies)
      const results = await reading.all(target, call, begun)
      if (results !== undefined) return { results, grant }
      grant.give(grant.bytes)
      const { needed } = reading
      await grant.atOnceOrLater(() => grant.take(needed, 'the answer', 'answer'), call.signal)
    }
  } catch (error) {
    grant.release()
    throw error
  }
}

/** One attempt to read the answer to gets. */
class Reading {
  readonly #context: GetsContext
  readonly #grant: MemoryGrant
  readonly #gets: readonly Get[]
  readonly #copies: number
  readonly #pieces: Results[] = []
  #bytes = 0
  /** Memory for all of the answer, as far as it is known. */
  needed = 0

  constructor(context: GetsContext, grant: MemoryGrant, gets: readonly Get[], copies: number) {
    this.#context = context
    this.#grant = grant
    this.#gets = gets
    this.#copies = copies
  }

  /** Undefined where there is no memory for it: then `needed` states how much. */
  async all(
    target: Target,
    call: Call,
    first: HandedOver<Results> | undefined,
  ): Promise<Results | undefined> {
    const { rows } = this.#context.store
    try {
      for (let found = 0; found < this.#gets.length; ) {
        const begun = found === 0 ? first?.take() : undefined
        const piece = begun ?? (await rows.get(target, furtherGets(this.#gets, found), GET_PIECE, call))
        this.#pieces.push(piece)
        found += piece.counts.length
        this.#bytes += piece.cells.byteLength
        if (!this.#takeMemory(found)) return undefined
      }
      // It may have more, by what was read before.
      this.#grant.give(this.#grant.bytes - this.#bytes * this.#copies)
      return this.#pieces.length === 1 ? this.#pieces.pop()! : await this.#joined()
    } finally {
      for (const piece of this.#pieces) giveBack(this.#context.store.handouts, piece)
      this.#pieces.length = 0
    }
  }

  /** Throws TOO_LARGE. */
  #takeMemory(found: number): boolean {
    const { memory } = this.#context
    const grant = this.#grant
    const whole = this.#bytes * this.#copies
    const more = whole - grant.bytes
    if (more <= 0) return true
    const rows = `${found} of ${this.#gets.length} rows`
    if (!grant.canEverTake(more)) {
      memory.refused++
      memory.spent(this.#bytes)
      throw new HBaseError(
        'TOO_LARGE',
        `the cells of ${rows} take ${whole} bytes of memory, of ${memory.bytesMax} bytes for all requests: ask for fewer ` +
          'rows at a time, or raise --memory-max',
      )
    }
    if (grant.tryTake(more, 'the answer', 'answer')) return true
    // They have been read, and are collected later.
    memory.spent(this.#bytes)
    const ahead = Math.min(AHEAD, this.#gets.length / found)
    this.needed = grant.canEverTake(whole * ahead - grant.bytes) ? Math.ceil(whole * ahead) : whole
    return false
  }

  async #joined(): Promise<Results> {
    const pieces = this.#pieces
    const whole = ownMemory(this.#bytes)
    const counts: number[] = []
    const stale: boolean[] = []
    let at = 0
    for (let piece = pieces[0]; piece !== undefined; piece = pieces[0]) {
      at = await copyCells(piece.cells, whole, at)
      for (const count of piece.counts) counts.push(count)
      for (let i = 0; i < piece.counts.length; i++) stale.push(piece.stale?.[i] ?? false)
      giveBack(this.#context.store.handouts, piece)
      pieces.shift()
    }
    const areStale = stale.includes(true) ? { stale } : {}
    return { cells: new CellBlock(whole), counts, ...areStale }
  }
}

/** The gets of the next piece, after `found` of them have been read. */
export function furtherGets(gets: readonly Get[], found: number): readonly Get[] {
  return found === 0 ? gets : gets.slice(found, found + GETS_A_PIECE)
}

async function copyCells(cells: CellBlock, target: Buffer, from: number): Promise<number> {
  let at = from
  for (let start = cells.start; start < cells.end; start += COPY_BYTES) {
    at += cells.buffer.copy(target, at, start, Math.min(cells.end, start + COPY_BYTES))
    await nextTurn()
  }
  return at
}
