import { CELL_BYTES_MAX, cellBytesMaxOf, checkOperationSizes } from '../../../src/model/cell-size-limit.ts'
import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import type { RowPart } from '../../../src/model/mutation.ts'
import { timestampSlopMs } from '../../../src/model/timestamp-slop.ts'

/** The limits of cells that a table may state among its attributes, known for the table of the last write. */
export class TableLimits {
  /** Puts may be dated so much later than now; Infinity: at any time. */
  slopMs: number = Number.POSITIVE_INFINITY
  /** Bytes of a cell with its key and its length; Infinity: any size. */
  cellBytesMax: number = Number.POSITIVE_INFINITY
  readonly #ofServer: readonly [number, number]
  #table: TableDescriptor | undefined

  /** Both are those of tables that state none. */
  constructor(slopMs: number = Number.POSITIVE_INFINITY, cellBytesMax: number = CELL_BYTES_MAX) {
    this.#ofServer = [slopMs, cellBytesMax]
  }

  of(table: TableDescriptor): this {
    if (table === this.#table) return this
    const [slopMs, cellBytesMax] = this.#ofServer
    this.#table = table
    this.slopMs = timestampSlopMs(table, slopMs)
    this.cellBytesMax = cellBytesMaxOf(table, cellBytesMax)
    return this
  }

  /** Throws as checkOperationSizes. */
  checkSizes(parts: readonly RowPart[]): void {
    checkOperationSizes(parts, this.cellBytesMax)
  }
}
