import { CELL_PREFIX_BYTES, type CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { copyViewed, ViewedBytes, WORD_COPY_BYTES_MAX } from '../../../src/model/viewed-bytes.ts'

/** Copies cells into blocks, small ones by words. */
export class CellCopier {
  /** Most gets find one cell: the first is copied natively, since a view of the block would cost more than it saves. */
  #isFirst = true
  #target: ViewedBytes = ViewedBytes.EMPTY

  /** Appends the KeyValue of `bytes` bytes that begins at offset `cell` of the source. */
  append(target: CellBlockBuilder, source: ViewedBytes, cell: number, bytes: number): void {
    if (bytes > WORD_COPY_BYTES_MAX || this.#isFirst) {
      this.#isFirst = false
      target.appendCell(source.buffer, cell, bytes)
      return
    }
    const at = target.reserve(CELL_PREFIX_BYTES + bytes)
    if (target.buffer !== this.#target.buffer) this.#target = new ViewedBytes(target.buffer)
    this.#target.view.setInt32(at, bytes)
    target.length = copyViewed(source, cell, bytes, this.#target, at + CELL_PREFIX_BYTES)
    target.count++
  }
}
