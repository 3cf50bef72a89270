import { CellBlockBuilder } from '../../../src/model/cell-block.ts'

/** Bytes of a slab, as in Node's pool of small buffers: memory of that size is not moved to a thread. */
const SLAB_BYTES = 8 * 1024
/** Room that most answers find enough; another slab begins where less is left. A larger answer moves to memory of its own. */
const ROOM_BYTES = 1024

/**
 * Memory for the answers to single gets, one behind the other. So an answer needs no buffer and no view of its own: making both took longer
 * than the copy of a small cell. Bytes that were handed out are never written again.
 */
export class AnswerSlab {
  #slab: Buffer = Buffer.allocUnsafeSlow(SLAB_BYTES)
  #next = 0

  /** An empty block; `taken` must be called with it before another one begins. */
  begin(): CellBlockBuilder {
    if (SLAB_BYTES - this.#next < ROOM_BYTES) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES)
      this.#next = 0
    }
    return new CellBlockBuilder(this.#slab, undefined, this.#next)
  }

  taken({ buffer, length }: CellBlockBuilder): void {
    if (buffer === this.#slab) this.#next = length
  }
}
