import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'

const ANSWER = 'the answer'
/** A page of fewer bytes does not ask for its memory. */
export const SMALL_PAGE_BYTES: number = 64 * 1024
/** Copies of a page's cells in memory: in pieces and as a whole, then as a whole and encoded. */
const COPIES = 2
/** Bytes of cells at which a fetch ends: with the row that reaches them. */
export const PIECE_BYTES: number = 4 * 1024 * 1024
/** Part of the free memory that a fetch without reserved memory may read. */
const UNRESERVED_PART = 1 / 128
/** Part by which the rows of a page may be longer than the rows before them. */
const LONGER_PART = 1 / 4
/** Part of the budget that a page reserves where the whole budget seems too small: its rows may be shorter than those before them. */
const RESERVED_PART = 3 / 4

/** Part of the memory for requests that the cells of a page may have. Their encoded form takes as much again. */
const PAGE_PART = 1 / 4

/** The memory of one page of a scanner: its cells, and their encoded form. */
export class PageRoom {
  readonly #memory: MemoryBudget
  readonly #call: Call
  readonly #grant: MemoryGrant

  constructor(memory: MemoryBudget, call: Call) {
    this.#memory = memory
    this.#call = call
    this.#grant = new MemoryGrant(memory, false, call.memory)
  }

  /** Bytes of cells at which a page ends. */
  static bytesMax({ bytesMax }: MemoryBudget): number {
    return Math.max(SMALL_PAGE_BYTES, Math.floor(bytesMax * PAGE_PART))
  }

  /** Most bytes for the next fetch of a page. `bytes`: bytes read so far. */
  fetchBytes(bytes: number): number {
    const reserved = this.#grant.bytes / COPIES - bytes
    const unreserved = Math.max(SMALL_PAGE_BYTES, this.#memory.free * UNRESERVED_PART)
    return Math.floor(Math.min(PIECE_BYTES, Math.max(reserved, unreserved)))
  }

  /**
   * Reserves memory for a page of about so many bytes. Undefined where it is there at once; otherwise resolves once it is. The page holds no
   * memory while it waits. Rejects with OVERLOADED after a wait in vain, and with CALLER_GONE.
   */
  reserve(bytes: number): Promise<void> | undefined {
    const reserved = this.#reservedFor(bytes)
    return this.#grant.atOnceOrLater(() => this.#grant.take(reserved, ANSWER, 'answer'), this.#call.signal)
  }

  #reservedFor(bytes: number): number {
    const wanted = Math.ceil(bytes * COPIES * (1 + LONGER_PART))
    return this.#grant.canEverTake(wanted) ? wanted : Math.floor(this.#memory.bytesMax * RESERVED_PART)
  }

  /**
   * Takes the memory of the `bytes` that have been read, and of a page that will have about `pageBytes`. False while other calls hold it. Throws
   * TOO_LARGE where the whole budget is too small for the bytes that were read.
   */
  covers(bytes: number, pageBytes: number): boolean {
    const missing = this.#missingFor(bytes)
    if (missing <= 0) return true
    const ahead = this.#reservedFor(pageBytes) - this.#grant.bytes
    if (this.#grant.tryTake(Math.max(missing, ahead), ANSWER, 'answer')) return true
    // A page that holds most of its memory gets the little rest: others may wait for what it holds.
    return missing < this.#grant.bytes && this.#grant.tryTake(missing, ANSWER, 'call')
  }

  #missingFor(bytes: number): number {
    const missing = bytes * COPIES - this.#grant.bytes
    if (missing <= 0 || this.#grant.canEverTake(missing)) return missing
    this.#memory.refused++
    throw new HBaseError(
      'TOO_LARGE',
      `the first ${bytes} bytes of the scanner's next rows take ${bytes * COPIES} bytes of memory, of ${this.#memory.bytesMax} bytes for ` +
        'all requests: ask for fewer rows at a time, or raise --memory-max',
    )
  }

  /**
   * Takes the memory of the `bytes` that have been read. Undefined where it is there at once; otherwise resolves once it is. The bytes are
   * kept and count meanwhile. `piece`: those of them that were read last. Throws, or rejects, with OVERLOADED, TOO_LARGE and CALLER_GONE.
   */
  held(bytes: number, piece: number): Promise<void> | undefined {
    const missing = this.#missingFor(bytes)
    if (missing <= 0) return undefined
    return this.#grant.takeHolding(Math.min(missing, piece), missing, ANSWER, this.#call.signal)
  }

  /** Gives back all memory but that of a page of so many bytes. Returns the part for its encoded form, 0 for a small page. */
  keep(bytes: number): number {
    this.#grant.give(Math.max(0, this.#grant.bytes - bytes * COPIES))
    return Math.max(0, this.#grant.bytes - bytes)
  }

  /** Gives back the memory of a dropped page. Its cells stay in the process until the garbage collector has run. */
  drop(bytes: number): void {
    this.#grant.give(this.#grant.bytes)
    this.#memory.spent(bytes)
  }

  release(): void {
    this.#grant.release()
  }
}

/** True for an error that says that a page has no memory for more rows. */
export function isNoMemory(error: unknown): boolean {
  return isHBaseError(error) && (error.code === 'OVERLOADED' || error.code === 'TOO_LARGE')
}

export function lostScanner(error: unknown): unknown {
  if (!isHBaseError(error)) return error
  return new HBaseError(
    'DO_NOT_RETRY',
    `${error.message}. The scanner is closed, for rows that were read could not be kept: open another behind the last row that came`,
    { cause: error },
  )
}

/** Throws ILLEGAL_ARGUMENT for a negative number of rows. */
export function checkPageRows(count: number): void {
  if (count < 0) throw new HBaseError('ILLEGAL_ARGUMENT', `Illegal Capacity: ${count}`)
}
