/**
 * Gets of many rows, as many as a client asks for at once: they are read in pieces, and the memory of each piece comes from the
 * budget of all clients, so that this budget alone limits an answer.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { CellBlock } from '../model/cell-block.ts'
import { HBaseError } from '../model/errors.ts'
import { ownMemory } from '../model/mapped-memory.ts'
import type { Get } from '../model/query.ts'
import type { Results } from '../model/results.ts'
import type { Call } from '../store/call.ts'
import type { GetLimits, Rows } from '../store/rows.ts'
import type { Target } from '../store/target.ts'
import { giveBack, type Lender } from './loans.ts'
import type { MemoryBudget } from './memory-budget.ts'
import { MemoryGrant } from './memory-grant.ts'

/** A piece ends with the row that reaches this size. */
export const GET_PIECE: GetLimits = { bytes: 4 * 1024 * 1024 }
/** Gets that a further piece is made of: it is a copy of their list, and a list of 10 million is not copied for each row. */
const GETS_A_PIECE = 100_000
/** Bytes copied between two turns of the event loop. */
const COPY_BYTES = 4 * 1024 * 1024
/** An answer's cells are in memory twice: in pieces and as a whole, then as a whole and encoded. */
const COPIES = 2

/** Results that nobody lends, and the memory that they have until they are encoded. */
export interface GotResults {
  readonly results: Results
  readonly grant: MemoryGrant
}

export interface GetsContext {
  readonly store: { readonly rows: Pick<Rows, 'get'>; readonly handouts: Lender }
  readonly memory: MemoryBudget
}

/**
 * One result for each get. The caller releases the grant. Throws as Rows.get, OVERLOADED where others have the memory that the
 * answer takes, and TOO_LARGE where the whole budget is too small for it.
 */
export async function getInPieces(
  { store, memory }: GetsContext,
  target: Target,
  gets: readonly Get[],
  call: Call,
): Promise<GotResults> {
  const grant = new MemoryGrant(memory)
  const pieces: Results[] = []
  try {
    for (let found = 0; found < gets.length; ) {
      const asked = furtherGets(gets, found)
      const piece = await store.rows.get(target, asked, GET_PIECE, call)
      pieces.push(piece)
      found += piece.counts.length
      takeMemory(memory, grant, piece.cells.byteLength, `${found} of ${gets.length} rows`)
    }
    const [first] = pieces
    return { results: pieces.length === 1 ? first! : await joined(pieces, grant), grant }
  } catch (error) {
    grant.release()
    for (const piece of pieces) giveBack(store.handouts, piece)
    throw error
  }

  async function joined(parts: readonly Results[], held: MemoryGrant): Promise<Results> {
    const bytes = parts.reduce((sum, { cells }) => sum + cells.byteLength, 0)
    held.take(bytes, 'the answer')
    const whole = ownMemory(bytes)
    const counts: number[] = []
    const stale: boolean[] = []
    let at = 0
    for (const part of parts) {
      at = await copyCells(part.cells, whole, at)
      for (const count of part.counts) counts.push(count)
      for (let i = 0; i < part.counts.length; i++) stale.push(part.stale?.[i] ?? false)
      giveBack(store.handouts, part)
    }
    pieces.length = 0
    held.give(bytes)
    const areStale = stale.includes(true) ? { stale } : {}
    return { cells: new CellBlock(whole), counts, ...areStale }
  }
}

/** The gets of the next piece, after `found` of them have been read. */
export function furtherGets(gets: readonly Get[], found: number): readonly Get[] {
  return found === 0 ? gets : gets.slice(found, found + GETS_A_PIECE)
}

function takeMemory(memory: MemoryBudget, grant: MemoryGrant, bytes: number, rows: string): void {
  const whole = (grant.bytes + bytes) * COPIES
  if (whole > memory.bytesMax) {
    memory.refused++
    throw new HBaseError(
      'TOO_LARGE',
      `the cells of ${rows} take ${whole} bytes of memory, of ${memory.bytesMax} bytes for all requests: ask for fewer ` +
        'rows at a time, or raise --memory-max',
    )
  }
  try {
    grant.take(bytes, 'the answer')
  } catch (error) {
    // They have been read, and are collected later.
    memory.spent(bytes)
    throw error
  }
}

async function copyCells(cells: CellBlock, target: Buffer, from: number): Promise<number> {
  let at = from
  for (let start = cells.start; start < cells.end; start += COPY_BYTES) {
    at += cells.buffer.copy(target, at, start, Math.min(cells.end, start + COPY_BYTES))
    await nextTurn()
  }
  return at
}
