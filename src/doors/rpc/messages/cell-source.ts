import { readInt32 } from '../../../model/bytes.ts'
import type { CellBlock } from '../../../model/cell-block.ts'
import { CellBlock as Block, CELL_PREFIX_BYTES } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
import { BATCH_BYTES_MAX } from '../../../model/mutation.ts'

/** Hands out the cells of a request's cell block. Each mutation states a count and takes the next cells. The block must be checked before. */
export class CellSource {
  /** True where the client's codec has tags. Tags of other clients' cells are dropped. */
  readonly takesTags: boolean
  readonly buffer: Buffer
  readonly end: number
  /** Where the next cell begins. */
  at: number
  #madeBytes = 0

  constructor({ buffer, start, end }: CellBlock, takesTags = false) {
    this.takesTags = takesTags
    this.buffer = buffer
    this.at = start
    this.end = end
  }

  /** Bytes that cells made from messages may still take. They can be far more than the message, which has their row only once. */
  get roomBytes(): number {
    return BATCH_BYTES_MAX - this.#madeBytes
  }

  /** Counts the bytes of cells that were made from a message. */
  noteMade(bytes: number): void {
    this.#madeBytes += bytes
  }

  /** Takes the next cells. Throws DO_NOT_RETRY where fewer are left. HBase: ProtobufUtil.toPut. */
  take(count: number): CellBlock {
    const start = this.at
    for (let i = 0; i < count; i++) {
      if (this.at >= this.end) {
        throw new HBaseError('DO_NOT_RETRY', `Cell count of ${count} but at index ${i} no cell returned`)
      }
      this.at += CELL_PREFIX_BYTES + readInt32(this.buffer, this.at)
    }
    return new Block(this.buffer, start, this.at)
  }
}
