import { CELL_PREFIX_BYTES, type CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { copyWords, WORD_COPY_BYTES_MAX } from '../../../src/model/copy-words.ts'

/** Buffers whose views are remembered: the chunks of a memstore, the blocks under a merge. */
const VIEWS_MAX = 256

const NO_VIEW = new DataView(new ArrayBuffer(0))

/** Copies cells into blocks, 32 bits at a time: for the usual small cell twice as fast as Buffer.copy. */
export class CellCopier {
  /** The first cell is copied natively: views cost more than they gain where it is the only one, as in most gets. */
  #isFirst = true
  #source: Buffer | undefined
  #sourceView: DataView = NO_VIEW
  #target: Buffer | undefined
  #targetView: DataView = NO_VIEW
  #views: Map<Buffer, DataView> | undefined

  /** Appends the KeyValue of `bytes` bytes at source[cell]. */
  append(target: CellBlockBuilder, source: Buffer, cell: number, bytes: number): void {
    if (bytes > WORD_COPY_BYTES_MAX || this.#isFirst) {
      this.#isFirst = false
      target.appendCell(source, cell, bytes)
      return
    }
    const at = target.reserve(CELL_PREFIX_BYTES + bytes)
    if (target.buffer !== this.#target) {
      this.#target = target.buffer
      this.#targetView = viewOf(target.buffer)
    }
    if (source !== this.#source) {
      this.#sourceView = this.#find(source)
      this.#source = source
    }
    this.#targetView.setInt32(at, bytes)
    copyWords(this.#sourceView, cell, this.#targetView, at + CELL_PREFIX_BYTES, bytes)
    target.length = at + CELL_PREFIX_BYTES + bytes
    target.count++
  }

  #find(source: Buffer): DataView {
    if (this.#source === undefined) return viewOf(source)
    this.#views ??= new Map()
    let view = this.#views.get(source)
    if (view === undefined) {
      if (this.#views.size === VIEWS_MAX) this.#views.clear()
      view = viewOf(source)
      this.#views.set(source, view)
    }
    return view
  }
}

function viewOf(buffer: Buffer): DataView {
  return new DataView(buffer.buffer, buffer.byteOffset, buffer.length)
}
