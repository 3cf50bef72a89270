import { CELL_PREFIX_BYTES, type CellBlock, type CellCursor } from '../../../../model/cell-block.ts'
import { MutationBatch, type MutationOptions } from '../../../../model/mutation.ts'
import type { TableName } from '../../../../model/table-name.ts'

/** A request may have a hundred thousand copies. */
const COPY_BYTES_MIN = 256

/**
 * Changes of one table that the same clusters have, in their order. While its cells stand back to back in the request and are as they came, the batch is a view of
 * them; from the first other cell on it has a copy.
 */
export class TableChanges {
  readonly table: TableName
  /** True: a cell has permissions or labels, which the other cluster has checked. */
  areChecked = false
  readonly #buffer: Buffer
  readonly #ends: number[] = []
  readonly #options: MutationOptions[] = []
  // The cells in the request.
  #start = -1
  #end = -1
  #count = 0
  #copy: MutationBatch | undefined

  constructor(table: TableName, { buffer }: CellBlock) {
    this.table = table
    this.#buffer = buffer
  }

  /** Begins a mutation. Its cells follow. */
  begin(options: MutationOptions): void {
    this.#endMutation()
    this.#options.push(options)
  }

  /** Takes the present cell as it came. */
  keep({ cell, cellLength }: CellCursor): void {
    const at = cell - CELL_PREFIX_BYTES
    if (this.#copy === undefined) {
      if (this.#start < 0) this.#start = this.#end = at
      if (this.#end === at) {
        this.#end = cell + cellLength
        this.#count++
        return
      }
    }
    this.#copied().cells.appendCell(this.#buffer, cell, cellLength)
  }

  /** Takes the present cell with other tags. */
  keepWithTags({ cell, valueOffset, valueLength }: CellCursor, tags: Buffer): void {
    const { cells } = this.#copied()
    const prefix = cells.length
    cells.appendCell(this.#buffer, cell, valueOffset + valueLength - cell)
    cells.appendTags(prefix, tags)
  }

  /** The changes as the store takes them. Only once. */
  batch(): MutationBatch {
    this.#endMutation()
    if (this.#copy !== undefined) return this.#copy
    const memory = this.#buffer.subarray(Math.max(0, this.#start), Math.max(0, this.#end))
    return MutationBatch.inPlace(memory, this.#count, this.#ends, this.#options)
  }

  #endMutation(): void {
    if (this.#options.length > this.#ends.length)
      this.#ends.push(this.#copy?.cells.length ?? this.#end - this.#start)
  }

  #copied(): MutationBatch {
    if (this.#copy !== undefined) return this.#copy
    const bytes = this.#end - this.#start
    const copy = new MutationBatch(Math.max(COPY_BYTES_MIN, 2 * bytes), this.#ends, this.#options)
    const at = copy.cells.reserve(bytes)
    this.#buffer.copy(copy.cells.buffer, at, Math.max(0, this.#start), Math.max(0, this.#end))
    copy.cells.length = at + bytes
    copy.cells.count = this.#count
    this.#copy = copy
    return copy
  }
}
