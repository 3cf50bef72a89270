import { equalRange } from '../../../model/bytes.ts'
import { CellBlock, CellCursor } from '../../../model/cell-block.ts'
import type { ScanLimits, Scanner } from '../../../store.ts'

/** A scanner's cells one by one, whatever the batches that they come in. One reader at a time. */
export class CellStream {
  readonly cursor: CellCursor = new CellCursor(CellBlock.EMPTY)
  readonly #scanner: Scanner
  readonly #limits: ScanLimits
  #more = true
  /** The cursor stands on a cell that nobody has taken yet. */
  #pending = false

  constructor(scanner: Scanner, limits: ScanLimits) {
    this.#scanner = scanner
    this.#limits = limits
  }

  /** Puts the cursor on the next cell; false at the end. Takes no await where the cell is already here. */
  next(): boolean | Promise<boolean> {
    if (this.#pending) {
      this.#pending = false
      return true
    }
    return this.cursor.next() || (this.#more ? this.#fill() : false)
  }

  /** The cell under the cursor comes once more. */
  putBack(): void {
    this.#pending = true
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

  async #fill(): Promise<boolean> {
    while (this.#more) {
      const { results, more } = await this.#scanner.next(this.#limits)
      this.#more = more
      this.cursor.reset(results.cells)
      if (this.cursor.next()) return true
    }
    return false
  }
}
