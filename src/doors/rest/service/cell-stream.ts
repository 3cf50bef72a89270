import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import type { DeferredScanner } from '../../../gateway/reads/deferred-scanner.ts'
import { giveBack } from '../../../gateway/reads/loans.ts'
import { equalRange } from '../../../model/bytes.ts'
import { CELL_PREFIX_BYTES, CellBlock, CellCursor } from '../../../model/cell-block.ts'
import { gathered, NO_RESULTS, type Results } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { Handouts, ScanLimits } from '../../../store/handouts.ts'

export type ResumableScanner = Pick<DeferredScanner, 'next' | 'close' | 'resumeAfter'>

/**
 * A scanner's cells one by one, across its batches, for one reader at a time. The batch that it read ahead counts in the memory budget.
 * Where little memory is free, it reads one row at a time.
 */
export class CellStream {
  readonly cursor: CellCursor = new CellCursor(CellBlock.EMPTY)
  readonly #handouts: Handouts
  readonly #scanner: ResumableScanner
  readonly #limits: ScanLimits
  readonly #memory: MemoryBudget
  /** The memory of the batch. */
  readonly #held: MemoryGrant
  #batch: Results = NO_RESULTS
  #hasMore = true
  #isClosed = false
  /** True where the cursor is on a cell that was put back. */
  #pending = false
  /** The row of the last cell of the batches before this one. */
  #lastRow: Buffer | undefined
  #isAsleep = false

  constructor(handouts: Handouts, scanner: ResumableScanner, limits: ScanLimits, memory: MemoryBudget) {
    this.#handouts = handouts
    this.#scanner = scanner
    this.#limits = limits
    this.#memory = memory
    this.#held = new MemoryGrant(memory, true)
  }

  /**
   * Moves the cursor to the next cell; false at the end. Returns no promise where the cell is already in memory. The store may overwrite
   * the cells before it.
   */
  next(call: Call): boolean | Promise<boolean> {
    this.#isAsleep = false
    if (this.#pending) {
      this.#pending = false
      return true
    }
    return this.cursor.next() || this.#fill(call)
  }

  /** Makes the next call of `next` return the cell at the cursor again. */
  putBack(): void {
    this.#pending = true
  }

  /** Releases the batch if the client has read all its cells. Call it after each read. */
  releaseIfRead(): void {
    if (!this.#pending && this.cursor.position >= this.#batch.cells.end) this.#replaceBatch(NO_RESULTS)
  }

  /** True where the cell at the cursor is in this row. */
  isInRow(row: Buffer): boolean {
    const { buffer, rowOffset, rowLength } = this.cursor
    return equalRange(buffer, rowOffset, rowLength, row, 0, row.length)
  }

  /** A copy of the row key of the cell at the cursor. */
  row(): Buffer {
    const { buffer, rowOffset, rowLength } = this.cursor
    return Buffer.from(buffer.subarray(rowOffset, rowOffset + rowLength))
  }

  /**
   * For a client that pauses: keeps the unread cells of the current row, and releases the rows read ahead and the store's scanner. The next
   * read opens another scanner after that row, as HBase's client does where a region server has closed the scanner.
   */
  async sleep(): Promise<void> {
    if (this.#isClosed || this.#isAsleep) return
    const { cells } = this.#batch
    const isUsedUp = cells.byteLength === 0
    if (isUsedUp && !this.#hasMore) return
    this.#isAsleep = true
    const row = isUsedUp ? this.#lastRow : this.row()
    const rest = isUsedUp ? CellBlock.EMPTY : this.#restOfRow(cells)
    this.#replaceBatch({ cells: rest, counts: [] })
    if (this.#pending) this.cursor.next()
    this.#hasMore = true
    await this.#scanner.resumeAfter(row)
  }

  /** A copy of the unread cells of the cursor's row. */
  #restOfRow({ buffer, end }: CellBlock): CellBlock {
    const row = this.row()
    const start = this.#pending ? this.cursor.cell - CELL_PREFIX_BYTES : this.cursor.position
    const ahead = new CellCursor(new CellBlock(buffer, start, end))
    let restEnd = start
    while (ahead.next() && equalRange(buffer, ahead.rowOffset, ahead.rowLength, row, 0, row.length)) {
      restEnd = ahead.position
    }
    const rest = Buffer.from(buffer.subarray(start, restEnd))
    return new CellBlock(rest, 0, rest.length)
  }

  /** Closes the scan: `next` then returns false. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#hasMore = false
    this.#pending = false
    this.#replaceBatch(NO_RESULTS)
    this.#held.release()
    await this.#scanner.close()
  }

  async #fill(call: Call): Promise<boolean> {
    while (this.#hasMore) {
      const limits = this.#memory.allowsAhead(this.#limits.bytes)
        ? this.#limits
        : { ...this.#limits, rows: 1 }
      const { results, ended } = await this.#scanner.next(limits, call)
      if (this.#isClosed) {
        giveBack(this.#handouts, results)
        return false
      }
      this.#hasMore = ended !== 'scan'
      this.#replaceBatch(gathered(results))
      if (this.cursor.next()) return true
    }
    this.#replaceBatch(NO_RESULTS)
    return false
  }

  #replaceBatch(batch: Results): void {
    if (this.#batch.cells.byteLength > 0) this.#lastRow = this.row()
    giveBack(this.#handouts, this.#batch)
    this.#batch = batch
    this.#held.hold(batch.cells.byteLength)
    this.cursor.reset(batch.cells)
  }
}
