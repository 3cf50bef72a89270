import { readInt32 } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES } from '../../../src/model/cell.ts'
import type { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { CacheableBlock } from './block-cache.ts'
import type { BlockFrame, FramePool } from './block-frames.ts'
import { BLOCK_HEADER_BYTES } from './block-header.ts'
import { BlockOutline } from './block-outline.ts'
import type { RawBlock } from './block-reader.ts'
import { corruptFile } from './corruption.ts'
import { KEY_BYTES_MIN } from './key-order.ts'
import { findPlace, placedCellsBytes, placeRows, UNKNOWN_PLACE } from './row-places.ts'
import { SortedKeys } from './sorted-keys.ts'
import { vlongBytes } from './vlong.ts'

/** Memory of a block's objects, those of its frame and the cache's entry included: as measured, for pieces of blocks are many. */
const OBJECT_BYTES = 1000

/** Of each cell; few more are those of the bytes that all rows begin with. */
const WORD_BYTES = 4

/** The fields behind each KeyValue in a file's data blocks. */
export interface CellLayout {
  readonly tags: boolean
  readonly sequenceId: boolean
}

/**
 * A data block with the offset of each of its cells, so that a search can be binary where HBase walks. The parser has
 * checked that every cell lies within the block, and its parts within the cell.
 *
 * The block's frame goes back to its pool once neither the cache nor an iterator has the block. The frame of lent cells does not go back: a
 * loan may end at any time, or never, so the garbage collector takes the memory.
 */
export class DataBlock extends SortedKeys implements CacheableBlock {
  /** The offset of each cell, then the end of the last one, then a table of the rows once `placeOfRow` has made it. */
  cells: Int32Array
  /** The buffer with its view. */
  readonly memory: ViewedBytes
  /** That of `memory`: a read of one row comes to a block that is in no cache of the processor, and each object on the way costs it. */
  readonly #view: DataView
  readonly #frame: BlockFrame
  readonly #pool: FramePool
  /** False for a piece of a block that has cells behind it. */
  endsBlock = true
  /** True where a read of one row has come to the block. */
  isReadByRow = false
  /** Whether the buffer is the block as it is on disk. */
  readonly #isAsOnDisk: boolean
  #wasSearched = false
  #hasWords = false
  #wasAskedForRow = false
  /** Undefined before the table of the rows is made; false where the block cannot have one. */
  #hasPlaces: boolean | undefined
  #isCached = false
  #isLent = false
  #isGone = false
  #pins = 0

  private constructor(frame: BlockFrame, pool: FramePool, count: number, isAsOnDisk: boolean) {
    super(frame.buffer, count)
    this.memory = frame.memory
    this.#view = frame.memory.view
    this.cells = frame.cells
    this.#frame = frame
    this.#pool = pool
    this.#isAsOnDisk = isAsOnDisk
  }

  /** The words of a search and the table of the rows are counted before they are made. */
  get heapBytes(): number {
    const { buffer, cells, count } = this
    const cellsBytes = Math.max(cells.byteLength, placedCellsBytes(count))
    return OBJECT_BYTES + Math.max(this.#frame.heapBytes, buffer.length + cellsBytes + WORD_BYTES * count)
  }

  /** Makes the words for its second search: a block that is read for one row, or for a scan, needs none. */
  override lowerBound(key: Buffer, offset: number, bytes: number): number {
    if (!this.#hasWords) {
      if (!this.#wasSearched) {
        this.#wasSearched = true
        return this.lowerBoundOfKeys(key, offset, bytes)
      }
      this.prepareSearch(this.#frame.words)
      this.#frame.words = this.words
      this.#hasWords = true
    }
    return super.lowerBound(key, offset, bytes)
  }

  /**
   * Index of the row's first cell, NO_PLACE, or UNKNOWN_PLACE where a search must find it. `hash`: the first of the row's BloomHash. The
   * second call makes the table.
   */
  placeOfRow(row: Buffer, hash: number): number {
    if (this.#hasPlaces === undefined) {
      if (!this.#wasAskedForRow) {
        this.#wasAskedForRow = true
        return UNKNOWN_PLACE
      }
      this.#makePlaces()
    }
    if (this.#hasPlaces === false) return UNKNOWN_PLACE
    return findPlace(this.cells, this.count, this.#view, row, hash)
  }

  #makePlaces(): void {
    const placed = placeRows(this.cells, this.count, this.#view, this.buffer)
    this.#hasPlaces = placed !== undefined
    if (placed === undefined) return
    this.cells = placed
    this.#frame.cells = placed
  }

  /** The cache keeps the block until `evicted`. */
  cached(): void {
    this.#isCached = true
  }

  evicted(): void {
    this.#isCached = false
    this.#recycle()
  }

  /** An outline for the next reads of single rows; undefined for a block that only scans have read. */
  remnant(): BlockOutline | undefined {
    return this.isReadByRow && this.#isAsOnDisk ? BlockOutline.of(this) : undefined
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
    if (this.#isCached || this.#isGone || this.#pins > 0) return
    this.#isGone = true
    if (this.#isLent) this.#pool.drop(this.#frame)
    else this.#pool.give(this.#frame)
  }

  /** `block` is in the frame's buffer. Throws CORRUPTION where the payload is not whole cells. */
  static parse(
    block: Pick<RawBlock, 'offset' | 'start' | 'end'>,
    frame: BlockFrame,
    pool: FramePool,
    layout: CellLayout,
    path: string,
  ): DataBlock {
    const { end } = block
    const { view } = frame.memory
    let { cells } = frame
    if (cells.length < 2) cells = new Int32Array(Math.max((end - block.start) >>> 6, 2))
    let count = 0
    let at = block.start
    while (at < end) {
      if (count + 1 === cells.length) cells = grown(cells)
      cells[count++] = at
      at = cellEnd(view, at, end, layout)
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
    return new DataBlock(frame, pool, count, block.start === BLOCK_HEADER_BYTES)
  }

  override keyOffset(i: number): number {
    return this.cells[i]! + CELL_HEADER_BYTES
  }

  override keyBytes(i: number): number {
    return readInt32(this.buffer, this.cells[i]!)
  }
}

/** End of the cell at `at` with its tags and sequence id, or -1 where the cell does not fit. */
function cellEnd(view: DataView, at: number, end: number, layout: CellLayout): number {
  const key = at + CELL_HEADER_BYTES
  if (key + KEY_BYTES_MIN > end) return -1
  const keyBytes = view.getInt32(at)
  const valueBytes = view.getInt32(at + 4)
  // Compared by subtraction, which cannot leave the safe integers.
  if (keyBytes < KEY_BYTES_MIN || valueBytes < 0 || valueBytes > end - key - keyBytes) return -1
  const rowBytes = view.getUint16(key)
  if (rowBytes + KEY_BYTES_MIN > keyBytes) return -1
  if (rowBytes + view.getUint8(key + 2 + rowBytes) + KEY_BYTES_MIN > keyBytes) return -1
  let next = key + keyBytes + valueBytes
  if (layout.tags) {
    if (next + 2 > end) return -1
    next += 2 + view.getUint16(next)
  }
  if (layout.sequenceId) {
    if (next >= end) return -1
    next += vlongBytes(view.getUint8(next))
  }
  return next <= end ? next : -1
}

function grown(cells: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(cells.length * 2)
  larger.set(cells)
  return larger
}
