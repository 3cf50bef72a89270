/**
 * Gets of many rows in one request. The rows are read in pieces, and the memory of each piece comes from the budget of all clients: only
 * this budget limits the size of an answer.
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

/** The size of a piece: it ends with the row that reaches the size. */
export const GET_PIECE: GetLimits = { bytes: 4 * 1024 * 1024 }
/** Gets that are asked for at a time after the first piece. Their list is a copy, and 10 million gets must not be copied for each row. */
const GETS_A_PIECE = 100_000
/** Bytes that are copied in one turn of the event loop. */
const COPY_BYTES = 4 * 1024 * 1024
/** The cells of an answer are in memory twice: in pieces and joined, then joined and encoded. */
const COPIES = 2
/** The next attempt to read the answer asks for memory for at most this many times the bytes that were read. */
const AHEAD = 4

/** Results that are not lent, and the memory that is granted to them and their encoded form. */
export interface GotResults {
  readonly results: Results
  readonly grant: MemoryGrant
}

export interface GetsContext {
  readonly store: { readonly rows: Pick<Rows, 'get'>; readonly handouts: Lender }
  readonly memory: MemoryBudget
}

interface GetsOptions {
  /** Results of the first gets, if a caller has read them already. */
  readonly first?: HandedOver<Results>
  /** The memory of the answer, as a multiple of the bytes of its cells. */
  readonly copies?: number
}

/**
 * Reads one result for each get. The caller releases the grant. Where other requests have the memory that the answer takes, the call gives
 * back the rows that it has read, and reads them anew once there is memory: a waiting call holds none. Throws like Rows.get, OVERLOADED where
 * the wait ends without memory, CALLER_GONE, and TOO_LARGE where the whole budget is too small for the answer.
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
  /** Bytes of memory for the whole answer, as far as is known. */
  needed = 0

  constructor(context: GetsContext, grant: MemoryGrant, gets: readonly Get[], copies: number) {
    this.#context = context
    this.#grant = grant
    this.#gets = gets
    this.#copies = copies
  }

  /** The whole answer; undefined where there is no memory for it: `needed` then states how much it takes. */
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
      // The grant may be larger, from an earlier attempt that read more.
      this.#grant.give(this.#grant.bytes - this.#bytes * this.#copies)
      return this.#pieces.length === 1 ? this.#pieces.pop()! : await this.#joined()
    } finally {
      for (const piece of this.#pieces) giveBack(this.#context.store.handouts, piece)
      this.#pieces.length = 0
    }
  }

  /** Takes memory for the rows found; false where there is none. Throws TOO_LARGE. */
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
    // The cells are in memory until they are collected.
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
