import { giveBack, type Lender } from '../../../gateway/loans.ts'
import type { MemoryBudget } from '../../../gateway/memory-budget.ts'
import { MemoryGrant } from '../../../gateway/memory-grant.ts'
import type { Scanner } from '../../../gateway/scanner.ts'
import { readInt32 } from '../../../model/bytes.ts'
import { CELL_PREFIX_BYTES, CellBlock } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
import { gathered, NO_RESULTS, type ScannedResults } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { ScanLimits } from '../../../store/handouts.ts'
import { joined, type PagePart } from './page-parts.ts'
import { rowGoesOn } from './row-goes-on.ts'

/** Results that one fetch brings where the client states no `caching`. */
const CACHING_DEFAULT = 100
/** Bytes after which a fetch ahead ends. HBase: hbase.client.scanner.max.result.size. */
const PREFETCH_BYTES = 2 * 1024 * 1024

export interface ScannerPagesOptions {
  readonly caching: number | undefined
  readonly answerBytesMax: number
  /** The encoder of the answers may read scattered cells. */
  readonly allowScattered: boolean
  /** Counts the results that were fetched ahead. */
  readonly memory: MemoryBudget
}

export interface PartialPage {
  readonly results: ScannedResults
  /** By result, whether its row goes on in the next one; undefined: none does. */
  readonly partial: readonly boolean[] | undefined
}

/**
 * The results of a scan in the portions that a client asks for, fetched from the store in portions of `caching`: a
 * client that asks for row after row costs the store one call for many. Results fetched ahead do not show later writes.
 * Where little memory is free, a fetch brings what the call asks for and no more. HBase: ClientScanner.
 */
export class ScannerPages {
  readonly #scanner: Scanner
  readonly #lender: Lender
  readonly #caching: number
  readonly #answerBytesMax: number
  readonly #allowScattered: boolean
  readonly #memory: MemoryBudget
  /** The memory of the results ahead. */
  readonly #held: MemoryGrant
  /** Results fetched and not handed out yet. `#next` is the index of the first of them in its counts. */
  #ahead: PagePart = NO_RESULTS
  #next = 0
  #more = true
  #isBusy = false
  #isClosed = false
  /** The last queued call: a scanner takes one at a time. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(scanner: Scanner, lender: Lender, options: ScannerPagesOptions) {
    this.#scanner = scanner
    this.#lender = lender
    this.#caching = options.caching !== undefined && options.caching > 0 ? options.caching : CACHING_DEFAULT
    this.#answerBytesMax = options.answerBytesMax
    this.#allowScattered = options.allowScattered
    this.#memory = options.memory
    this.#held = new MemoryGrant(options.memory, true)
  }

  /** As next, and for each result whether its row goes on in the next result, as Thrift 2 states it. */
  nextWithPartial(count: number, call: Call): Promise<PartialPage> {
    return this.#inTurn(async () => {
      const page = await this.#page(count, call)
      const { partial } = page
      if (partial?.at(-1) !== true) return { results: page, partial }
      // The store says only that the last result's row may go on: look at the next result.
      if (this.#isUsedUp && this.#more) {
        const rows = this.#mayFetchAhead ? Math.max(count, this.#caching) : 1
        await this.#fetchBehind([page], this.#prefetchOf(rows, PREFETCH_BYTES), call)
      }
      const goesOn = !this.#isUsedUp && rowGoesOn(gathered(page).cells, gathered(this.#ahead).cells)
      return { results: page, partial: partial.with(partial.length - 1, goesOn) }
    })
  }

  /**
   * The next `count` results; fewer at the scan's end, where it closes the store's scanner, and where their cells exceed
   * the bytes of an answer. The scan is over only when no result comes.
   */
  next(count: number, call: Call): Promise<ScannedResults> {
    return this.#inTurn(() => this.#page(count, call))
  }

  /** Closes the scanner and drops the results ahead. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#held.release()
    if (!this.#isBusy) this.#dropAhead()
    await this.#scanner.close()
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(async () => {
      this.#isBusy = true
      try {
        return await work()
      } finally {
        this.#isBusy = false
        if (this.#isClosed) this.#dropAhead()
        else this.#held.hold(this.#isUsedUp ? 0 : memoryOf(this.#ahead))
      }
    })
    // Of the value nothing is kept: it would be a page of memory for each scanner.
    this.#last = done.then(nothing, nothing)
    return done
  }

  /** For a closed scanner. */
  #dropAhead(): void {
    giveBack(this.#lender, this.#ahead)
    this.#ahead = NO_RESULTS
    this.#next = 0
  }

  get #isUsedUp(): boolean {
    return this.#next === this.#ahead.counts.length
  }

  async #page(count: number, call: Call): Promise<PagePart> {
    const parts: PagePart[] = []
    let missing = count
    let bytes = 0
    while (missing > 0 && bytes < this.#answerBytesMax) {
      if (this.#isUsedUp) {
        if (!this.#more) break
        const bytesLeft = this.#answerBytesMax - bytes
        // A client that asks for many rows at a time gets whole fetches, so that no rest of a fetch must be joined.
        const limits =
          count >= this.#caching || !this.#mayFetchAhead
            ? { rows: missing, bytes: bytesLeft, allowPartial: false, allowScattered: this.#allowScattered }
            : this.#prefetchOf(this.#caching, Math.min(PREFETCH_BYTES, bytesLeft))
        await this.#fetchBehind(parts, limits, call)
        continue
      }
      const part = this.#take(missing)
      parts.push(part)
      missing -= part.counts.length
      bytes += part.cells.byteLength
    }
    return joined(parts, this.#lender)
  }

  get #mayFetchAhead(): boolean {
    return this.#memory.allowsAhead(PREFETCH_BYTES)
  }

  /** A fetch ahead is handed out in parts: its cells must be one block. */
  #prefetchOf(rows: number, bytes: number): ScanLimits {
    return { rows, bytes, allowPartial: false, allowScattered: false }
  }

  /** If the fetch fails, puts back the results already taken for the answer, for the client's next attempt. */
  async #fetchBehind(taken: readonly PagePart[], limits: ScanLimits, call: Call): Promise<void> {
    try {
      await this.#fetch(limits, call)
    } catch (error) {
      this.#ahead = joined(taken, this.#lender)
      this.#next = 0
      throw error
    }
  }

  async #fetch(limits: ScanLimits, call: Call): Promise<void> {
    const { results, partial, ended } = await this.#scanner.next(limits, call)
    this.#ahead = partial === undefined ? results : { ...results, partial }
    this.#next = 0
    this.#more = ended !== 'scan'
    if (!this.#more) await this.#scanner.close()
  }

  /**
   * The first `count` of the results ahead, or all where there are fewer: a view of their block. Only a batch taken whole
   * keeps its loan: in a part's block, other results are still to be read.
   */
  #take(count: number): PagePart {
    const ahead = this.#ahead
    const { counts } = ahead
    const first = this.#next
    const last = Math.min(first + count, counts.length)
    const isRest = last === counts.length
    if (isRest) {
      this.#ahead = NO_RESULTS
      this.#next = 0
      if (first === 0) return ahead
    }
    const { cells } = gathered(ahead)
    const end = isRest ? cells.end : endOfCells(cells, counts, first, last)
    if (!isRest) {
      const rest = new CellBlock(cells.buffer, end, cells.end)
      this.#ahead = { cells: rest, counts, partial: ahead.partial, stale: ahead.stale }
      this.#next = last
    }
    return {
      cells: new CellBlock(cells.buffer, cells.start, end),
      counts: counts.slice(first, last),
      partial: ahead.partial?.slice(first, last),
      stale: ahead.stale?.slice(first, last),
    }
  }
}

function nothing(): void {}

/** What results keep in memory, also where most of them have been handed out. */
function memoryOf({ cells }: PagePart): number {
  return cells instanceof CellBlock ? cells.buffer.length : cells.byteLength
}

/** Throws ILLEGAL_ARGUMENT. */
export function checkPageRows(count: number): void {
  if (count < 0) throw new HBaseError('ILLEGAL_ARGUMENT', `Illegal Capacity: ${count}`)
}

/** Where the cells of results `first` to `last` end in the block that begins with them. */
function endOfCells(
  { buffer, start }: CellBlock,
  counts: readonly number[],
  first: number,
  last: number,
): number {
  let end = start
  for (let result = first; result < last; result++) {
    for (let cell = 0; cell < counts[result]!; cell++) {
      end += CELL_PREFIX_BYTES + readInt32(buffer, end)
    }
  }
  return end
}
