import { giveBack, type Lender } from '../../../gateway/reads/loans.ts'
import { readInt32 } from '../../../model/bytes.ts'
import { CELL_PREFIX_BYTES, CellBlock } from '../../../model/cell-block.ts'
import { gathered, NO_RESULTS } from '../../../model/results.ts'
import { joined, type PagePart } from './page-parts.ts'

/** Results of a scan that were fetched and have not been handed out yet. */
export class ResultsAhead {
  readonly #lender: Lender
  #results: PagePart = NO_RESULTS
  /** Index of the first result that is not handed out, among the results of the last fetch. */
  #next = 0

  constructor(lender: Lender) {
    this.#lender = lender
  }

  /** The results of the last fetch. Those before the next one have been handed out. */
  get results(): PagePart {
    return this.#results
  }

  get isUsedUp(): boolean {
    return this.#next === this.#results.counts.length
  }

  /** Bytes of memory that the results keep, also where most of them have been handed out. */
  get heldBytes(): number {
    const { cells } = this.#results
    if (this.isUsedUp) return 0
    return cells instanceof CellBlock ? cells.buffer.length : cells.byteLength
  }

  /** Replaces the results, which must be used up. */
  replace(results: PagePart): void {
    this.#results = results
    this.#next = 0
  }

  /** Puts parts back before the results that are left. They must have been taken from there. */
  async putBack(taken: readonly PagePart[]): Promise<void> {
    const rest = this.isUsedUp ? [] : [this.take(Number.POSITIVE_INFINITY)]
    this.replace(await joined([...taken, ...rest], this.#lender))
  }

  drop(): void {
    giveBack(this.#lender, this.#results)
    this.replace(NO_RESULTS)
  }

  /**
   * Takes the next `count` results, or all where there are fewer, as a view of their block. Only a batch that is taken whole keeps its loan: the
   * block of a part still has other results.
   */
  take(count: number): PagePart {
    const ahead = this.#results
    const { counts } = ahead
    const first = this.#next
    const last = Math.min(first + count, counts.length)
    const isRest = last === counts.length
    if (isRest) {
      this.#results = NO_RESULTS
      this.#next = 0
      if (first === 0) return ahead
    }
    const { cells } = gathered(ahead)
    const end = isRest ? cells.end : endOfCells(cells, counts, first, last)
    if (!isRest) {
      const rest = new CellBlock(cells.buffer, end, cells.end)
      this.#results = { cells: rest, counts, partial: ahead.partial, stale: ahead.stale }
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

/** The offset at which the cells of results `first` to `last` end. The block begins with the cells of `first`. */
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
