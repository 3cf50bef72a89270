import type { ScatteredCells } from '../../../src/model/scattered-cells.ts'
import { BlockMemory } from './block-memory.ts'

/** Loans that are remembered: more than scans make in a turn of the event loop. */
const REMEMBERED_MAX = 64

interface Loan {
  readonly id: number
  /** A block, or where a run has its cells. */
  readonly lent: Buffer | ScatteredCells
  /** Ends what was agreed with the run. */
  readonly endOfRun: (() => void) | undefined
}

/**
 * The memory that results are in, lent under ids until it is given back. Who never gives it back is forgotten in time, and
 * the garbage collector takes care of the memory.
 */
export class Loans {
  readonly memory: BlockMemory
  /** By their ids modulo REMEMBERED_MAX. */
  readonly #remembered: (Loan | undefined)[] = []
  #lastId = 0

  constructor(memory: BlockMemory = new BlockMemory()) {
    this.memory = memory
  }

  /** For a loan, or anything else that must not be taken for one. */
  takeId(): number {
    return ++this.#lastId
  }

  /** Lends memory that was taken from `memory`. Undefined where nobody wants it back. */
  lendBlock(block: Buffer): number | undefined {
    return this.memory.wants(block) ? this.#lend(block, undefined) : undefined
  }

  /** Lends cells that stay where their run has them until `endOfRun` is called. */
  lendRun(places: ScatteredCells, endOfRun: () => void): number {
    return this.#lend(places, endOfRun)
  }

  #lend(lent: Loan['lent'], endOfRun: Loan['endOfRun']): number {
    const id = this.takeId()
    this.#remembered[id % REMEMBERED_MAX] = { id, lent, endOfRun }
    return id
  }

  /** Does nothing for a loan that has ended or was forgotten. */
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
