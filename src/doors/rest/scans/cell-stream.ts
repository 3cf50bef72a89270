import { giveBack } from '../../../gateway/loans.ts'
import { type MemoryBudget, MemoryGrant } from '../../../gateway/memory-budget.ts'
import type { Scanner } from '../../../gateway/scanner.ts'
import { equalRange } from '../../../model/bytes.ts'
import { CellBlock, CellCursor } from '../../../model/cell-block.ts'
import { gathered, NO_RESULTS, type Results } from '../../../model/results.ts'
import type { Call } from '../../../store/call.ts'
import type { Handouts, ScanLimits } from '../../../store/handouts.ts'

/**
 * A scanner's cells one by one, across its batches. One reader at a time. What it has read ahead of its client counts in the
 * budget; where little is free there, it reads one row at a time.
 */
export class CellStream {
  readonly cursor: CellCursor = new CellCursor(CellBlock.EMPTY)
  readonly #handouts: Handouts
  readonly #scanner: Scanner
  readonly #limits: ScanLimits
  readonly #memory: MemoryBudget
  /** The memory of the batch. */
  readonly #held: MemoryGrant
  #batch: Results = NO_RESULTS
  #hasMore = true
  #isClosed = false
  /** True where the cursor stands on a cell that was put back. */
  #pending = false

  constructor(handouts: Handouts, scanner: Scanner, limits: ScanLimits, memory: MemoryBudget) {
    this.#handouts = handouts
    this.#scanner = scanner
    this.#limits = limits
    this.#memory = memory
    this.#held = new MemoryGrant(memory)
  }

  /**
   * Moves the cursor to the next cell; false at the end. Answers without a promise where the cell is already here. The
   * store may overwrite the cells before it.
   */
  next(call: Call): boolean | Promise<boolean> {
    if (this.#pending) {
      this.#pending = false
      return true
    }
    return this.cursor.next() || this.#fill(call)
  }

  /** Makes the next `next` answer the cell under the cursor once more. */
  putBack(): void {
    this.#pending = true
  }

  /** Frees the cells that the client has read, where no further ones came with them. Call it after each read. */
  rest(): void {
    if (!this.#pending && this.cursor.position >= this.#batch.cells.end) this.#replaceBatch(NO_RESULTS)
  }

  /** True where the cell under the cursor lies in this row. */
  isInRow(row: Buffer): boolean {
    const { buffer, rowOffset, rowLength } = this.cursor
    return equalRange(buffer, rowOffset, rowLength, row, 0, row.length)
  }

  /** A copy of the row of the cell under the cursor. */
  row(): Buffer {
    const { buffer, rowOffset, rowLength } = this.cursor
    return Buffer.from(buffer.subarray(rowOffset, rowOffset + rowLength))
  }

  /** Ends the scan: no cell comes after this. */
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
    giveBack(this.#handouts, this.#batch)
    this.#batch = batch
    this.#held.hold(batch.cells.byteLength)
    this.cursor.reset(batch.cells)
  }
}
