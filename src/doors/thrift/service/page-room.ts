import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'

const ANSWER = 'the answer'
/** The memory of smaller pages is not asked for. */
export const SMALL_PAGE_BYTES: number = 64 * 1024
/** Cells of a page are in memory twice: in pieces and as a whole, then as a whole and encoded. */
const COPIES = 2
/** A fetch ends with the row that reaches this size. */
export const PIECE_BYTES: number = 4 * 1024 * 1024
/** The part of the free memory that a fetch may read for which none is reserved. */
const UNRESERVED_PART = 1 / 128
/** The rows of a page may be longer than the rows before them by this part. */
const LONGER_PART = 1 / 4
/** A page for which the whole budget seems too small reserves this part of it: its rows may be shorter than the rows before them. */
const RESERVED_PART = 3 / 4

/** The part of the memory for requests that the cells of a page may have; their encoded form takes as much again. */
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

  /** Bytes of cells with which a page ends. */
  static bytesMax({ bytesMax }: MemoryBudget): number {
    return Math.max(SMALL_PAGE_BYTES, Math.floor(bytesMax * PAGE_PART))
  }

  /** The most bytes for the next fetch of a page of which `bytes` have been read. */
  fetchBytes(bytes: number): number {
    const reserved = this.#grant.bytes / COPIES - bytes
    const unreserved = Math.max(SMALL_PAGE_BYTES, this.#memory.free * UNRESERVED_PART)
    return Math.floor(Math.min(PIECE_BYTES, Math.max(reserved, unreserved)))
  }

  /**
   * Resolves once there is memory for a page of about so many bytes, which holds none meanwhile; undefined: there is at once. Rejects with
   * OVERLOADED where the wait is in vain, and with CALLER_GONE.
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
   * Takes the memory of the `bytes` that have been read, and of a page that will have about `pageBytes`. False where others have it. Throws
   * TOO_LARGE where the whole budget is too small for what was read.
   */
  covers(bytes: number, pageBytes: number): boolean {
    const missing = this.#missingFor(bytes)
    if (missing <= 0) return true
    const ahead = this.#reservedFor(pageBytes) - this.#grant.bytes
    if (this.#grant.tryTake(Math.max(missing, ahead), ANSWER, 'answer')) return true
    // A little more for a page that holds most of its memory: others may wait for just that.
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
   * Resolves once there is memory for the `bytes` that have been read, which count and are held meanwhile; undefined: there is at
   * once. `piece`: those of them that were read last. Throws, or rejects, with OVERLOADED, TOO_LARGE and CALLER_GONE.
   */
  held(bytes: number, piece: number): Promise<void> | undefined {
    const missing = this.#missingFor(bytes)
    if (missing <= 0) return undefined
    return this.#grant.takeHolding(Math.min(missing, piece), missing, ANSWER, this.#call.signal)
  }

  /** Leaves just the memory of a page of so many bytes. Returns the part of its encoded form, 0 where the page is small. */
  keep(bytes: number): number {
    this.#grant.give(Math.max(0, this.#grant.bytes - bytes * COPIES))
    return Math.max(0, this.#grant.bytes - bytes)
  }

  /** Gives back the memory of a page whose cells have been dropped: these stay in the process until they are collected. */
  drop(bytes: number): void {
    this.#grant.give(this.#grant.bytes)
    this.#memory.spent(bytes)
  }

  release(): void {
    this.#grant.release()
  }
}

/** Whether the error says that there is no memory for more of a page. */
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

/** Throws ILLEGAL_ARGUMENT. */
export function checkPageRows(count: number): void {
  if (count < 0) throw new HBaseError('ILLEGAL_ARGUMENT', `Illegal Capacity: ${count}`)
}
