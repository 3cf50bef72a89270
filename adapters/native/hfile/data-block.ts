import { readInt32 } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES } from '../../../src/model/cell.ts'
import type { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { CacheableBlock } from './block-cache.ts'
import type { BlockFrame, FramePool } from './block-frames.ts'
import type { RawBlock } from './block-reader.ts'
import { corruptFile } from './corruption.ts'
import { keyFault } from './key-order.ts'
import { SortedKeys } from './sorted-keys.ts'
import { vlongBytes } from './vlong.ts'

const OBJECT_BYTES = 200

/** The fields behind each KeyValue in a file's data blocks. */
export interface CellLayout {
  readonly tags: boolean
  readonly sequenceId: boolean
}

/**
 * A data block with the offset of each of its cells, so that a search can be binary where HBase walks. The parser has
 * checked that every cell lies within the block, and its parts within the cell.
 *
 * The block's frame goes back to its pool once neither the cache nor an iterator has the block, unless its cells were lent:
 * a loan ends when it likes, or never, and the garbage collector takes the memory.
 */
export class DataBlock extends SortedKeys implements CacheableBlock {
  /** The offset of each cell, and then the end of the last one. */
  readonly cells: Int32Array
  /** The buffer with its view. */
  readonly memory: ViewedBytes
  readonly #frame: BlockFrame
  readonly #pool: FramePool
  #isCached = false
  #isLent = false
  #pins = 0

  private constructor(frame: BlockFrame, pool: FramePool, count: number) {
    super(frame.buffer, count)
    this.memory = frame.memory
    this.cells = frame.cells
    this.#frame = frame
    this.#pool = pool
    this.prepareSearch(frame.words)
    frame.words = this.words
  }

  get heapBytes(): number {
    return OBJECT_BYTES + this.#frame.heapBytes
  }

  /** The cache keeps the block until `evicted`. */
  cached(): void {
    this.#isCached = true
  }

  evicted(): void {
    this.#isCached = false
    this.#recycle()
  }

  /** Keeps the block's memory as it is until `unpin`. */
  pin(): void {
    this.#pins++
  }

  unpin(): void {
    this.#pins--
    this.#recycle()
  }

  /** Leaves the block's memory as it is for ever. */
  lend(): void {
    this.#isLent = true
  }

  #recycle(): void {
    if (this.#isCached || this.#isLent || this.#pins > 0) return
    this.#isLent = true
    this.#pool.give(this.#frame)
  }

  /** `block` is in the frame's buffer. Throws CORRUPTION where the payload is not whole cells. */
  static parse(
    block: RawBlock,
    frame: BlockFrame,
    pool: FramePool,
    layout: CellLayout,
    path: string,
  ): DataBlock {
    const { buffer, end } = block
    let { cells } = frame
    if (cells.length < 2) cells = new Int32Array(Math.max((end - block.start) >>> 6, 2))
    let count = 0
    let at = block.start
    while (at < end) {
      if (count + 1 === cells.length) cells = grown(cells)
      cells[count++] = at
      at = cellEnd(buffer, at, end, layout)
      if (at < 0) {
        const offset = cells[count - 1]! - block.start
        throw corruptFile(
          path,
          block.offset,
          `cell ${count - 1} (byte ${offset} of the block)`,
          'a cell',
          'none',
        )
      }
    }
    if (count === 0) throw corruptFile(path, block.offset, 'data block', 'a cell', 'none')
    cells[count] = end
    frame.cells = cells
    return new DataBlock(frame, pool, count)
  }

  override keyOffset(i: number): number {
    return this.cells[i]! + CELL_HEADER_BYTES
  }

  override keyBytes(i: number): number {
    return readInt32(this.buffer, this.cells[i]!)
  }
}

/** End of the cell at `at` with its tags and sequence id, or -1 where the cell does not fit. */
function cellEnd(buffer: Buffer, at: number, end: number, layout: CellLayout): number {
  if (at + CELL_HEADER_BYTES > end) return -1
  const key = readInt32(buffer, at)
  const value = readInt32(buffer, at + 4)
  // Compared by subtraction, which cannot leave the safe integers.
  if (key < 0 || value < 0 || key > end - at - CELL_HEADER_BYTES) return -1
  if (value > end - at - CELL_HEADER_BYTES - key) return -1
  if (keyFault(buffer, at + CELL_HEADER_BYTES, key) !== undefined) return -1
  let next = at + CELL_HEADER_BYTES + key + value
  if (layout.tags) {
    if (next + 2 > end) return -1
    next += 2 + ((buffer[next]! << 8) | buffer[next + 1]!)
  }
  if (layout.sequenceId) {
    if (next >= end) return -1
    next += vlongBytes(buffer[next]!)
  }
  return next <= end ? next : -1
}

function grown(cells: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(cells.length * 2)
  larger.set(cells)
  return larger
}
