import type { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import { BlockMemory } from './block-memory.ts'

/** Most loans to remember: more than scans make in a turn of the event loop. */
const REMEMBERED_MAX = 64

interface Loan {
  readonly id: number
  /** A block, or the places of cells in a run. */
  readonly lent: Buffer | ScatteredCells
  /** Ends the run's part of the loan. */
  readonly endOfRun: (() => void) | undefined
}

/**
 * The memory of results, lent under ids until it is given back. A loan that is never given back is forgotten in time; the
 * garbage collector takes its memory.
 */
export class Loans {
  readonly memory: BlockMemory
  /** The latest loans, by their ids modulo REMEMBERED_MAX. */
  readonly #remembered: (Loan | undefined)[] = []
  #lastId = 0

  constructor(memory: BlockMemory = new BlockMemory()) {
    this.memory = memory
  }

  /** A new id for a loan, or for another handout, so that the two are never mixed up. */
  takeId(): number {
    return ++this.#lastId
  }

  /** Lends a block that was taken from `memory`. Undefined if `memory` does not want it back. */
  lendBlock(block: Buffer): number | undefined {
    return this.memory.wants(block) ? this.#lend(block, undefined) : undefined
  }

  /** Lends cells that stay in their run until `endOfRun` is called. */
  lendRun(places: ScatteredCells, endOfRun: () => void): number {
    return this.#lend(places, endOfRun)
  }

  #lend(lent: Loan['lent'], endOfRun: Loan['endOfRun']): number {
    const id = this.takeId()
    this.#remembered[id % REMEMBERED_MAX] = { id, lent, endOfRun }
    return id
  }

  /** Does nothing for an ended or forgotten loan. */
  release(id: number): void {
    const loan = this.#remembered[id % REMEMBERED_MAX]
    if (loan?.id !== id) return
    this.#remembered[id % REMEMBERED_MAX] = undefined
    const { lent, endOfRun } = loan
    endOfRun?.()
    if (Buffer.isBuffer(lent)) this.memory.giveBack(lent)
    else this.memory.giveBackPlaces(lent)
  }
}
