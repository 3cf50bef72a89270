import { CELL_HEADER_BYTES, keyLength } from '../../../src/model/cell.ts'
import { isSameColumn } from '../../../src/model/same-column.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { BloomHash } from '../cells/bloom-hash.ts'
import type { CellIterator } from '../cells/cell-run.ts'
import { isOfRow } from '../cells/is-of-row.ts'
import type { PlainRowsTarget } from '../cells/plain-cells.ts'
import { SeekKey } from '../cells/seek-key.ts'
import { endOfColumn } from './column-end.ts'
import { corruptFile } from './corruption.ts'
import { DataBlock } from './data-block.ts'
import type { DataIndexCursor } from './data-index-cursor.ts'
import type { HFile } from './hfile.ts'
import { firstKeyOfRow } from './index-key.ts'
import { addPlainRows } from './plain-rows-of-block.ts'
import { NO_PLACE, UNKNOWN_PLACE } from './row-places.ts'
import { readVLong } from './vlong.ts'

const NO_BUFFER: Buffer = Buffer.alloc(0)
const NOTHING_TO_RETURN = (): void => undefined
/** Blocks before the present one that an iterator keeps unchanged itself; earlier ones are left to the garbage collector. */
const EARLIER_BLOCKS_MAX = 4
/** Larger blocks, of cells of megabytes, are left to the garbage collector at once: a compaction has an iterator for each of its files. */
const EARLIER_BYTES_MAX = 256 * 1024
const NO_CELLS = new Int32Array(1)

/** Walks a file's cells up to a sequence id. It holds one data block; the block cache keeps the others. */
export class HFileIterator implements CellIterator {
  valid = false
  buffer: Buffer = NO_BUFFER
  memory: ViewedBytes = ViewedBytes.EMPTY
  cell = 0
  readonly #file: HFile
  readonly #index: DataIndexCursor
  #readPoint = 0
  #cacheBlocks = true
  /** Whether some cell of the file may lie past the read point. */
  #filters = false
  /** Pinned, as the earlier ones are. */
  #block: DataBlock | undefined
  #earlier: DataBlock[] | undefined
  #blockOffset = -1
  #cells: Int32Array = NO_CELLS
  #count = 0
  #at = 0
  /** Whether reads are of one row, so that a piece of a block with the row is enough. */
  readonly #isOfOneRow: boolean
  /** The end of a column that goes on in the next block. */
  #columnEnd: SeekKey | undefined

  constructor(
    file: HFile,
    index: DataIndexCursor,
    readPoint: number,
    cacheBlocks: boolean,
    isOfOneRow = false,
  ) {
    this.#file = file
    this.#index = index
    this.#isOfOneRow = isOfOneRow
    this.readAt(readPoint, cacheBlocks)
  }

  /** Changes what the iterator was made for, while it stands nowhere. */
  readAt(readPoint: number, cacheBlocks: boolean): void {
    const { layout, maxCellSequenceId } = this.#file
    this.#readPoint = readPoint
    this.#cacheBlocks = cacheBlocks
    this.#filters = layout.sequenceId && maxCellSequenceId > readPoint
  }

  get cellBytes(): number {
    const { memory, cell } = this
    return CELL_HEADER_BYTES + memory.view.getInt32(cell) + memory.view.getInt32(cell + 4)
  }

  get tags(): number {
    return this.cell + this.cellBytes + 2
  }

  get tagsBytes(): number {
    if (!this.#file.layout.tags) return 0
    const { buffer } = this
    const length = this.cell + this.cellBytes
    return (buffer[length]! << 8) | buffer[length + 1]!
  }

  get sequenceId(): number {
    const { layout } = this.#file
    if (!layout.sequenceId) return 0
    let at = this.cell + this.cellBytes
    if (layout.tags) at += 2 + this.tagsBytes
    return readVLong(this.buffer, at)
  }

  get heldBytes(): number {
    let bytes = this.#block?.heapBytes ?? 0
    if (this.#earlier !== undefined) for (const block of this.#earlier) bytes += block.heapBytes
    return bytes
  }

  seekToFirst(): void {
    if (this.#file.trailer.dataIndexCount === 0) return this.#end()
    this.#index.first()
    this.#load()
    this.#settle(0)
  }

  seek(key: Buffer, keyCell: number): void {
    this.#lowerBound(key, keyCell + CELL_HEADER_BYTES, keyLength(key, keyCell))
  }

  /**
   * Moves to the first cell of the row; false where the file has none. `key`: sorts before the row's cells. `bloomFirst`: whether the bloom
   * filter is asked before the blocks in memory, which know their rows.
   */
  seekRow(row: Buffer, key: Buffer, hash: BloomHash, bloomFirst: boolean): boolean {
    if (bloomFirst && !this.#file.bloomMayHaveRow(row, hash)) return false
    const bytes = keyLength(key, 0)
    const place = this.#placeOfRow(row, key, bytes, hash)
    if (place === NO_PLACE) return false
    if (place !== UNKNOWN_PLACE) {
      this.#settle(place)
    } else {
      if (!bloomFirst && !this.#file.bloomMayHaveRow(row, hash)) return false
      this.#lowerBound(key, CELL_HEADER_BYTES, bytes)
    }
    return this.valid && isOfRow(this.memory.view, this.cell, row)
  }

  /** As DataBlock.placeOfRow, with the block loaded unless it lacks the row. */
  #placeOfRow(row: Buffer, key: Buffer, bytes: number, hash: BloomHash): number {
    const index = this.#index
    if (!index.seekInCache(key, CELL_HEADER_BYTES, bytes)) return UNKNOWN_PLACE
    const { cached } = index
    if (cached === undefined || !(cached.block instanceof DataBlock)) return UNKNOWN_PLACE
    const { block } = cached
    const place = block.placeOfRow(row, hash.setFirst(row, 0, row.length))
    // The row may begin with the next block.
    if (place === NO_PLACE) return index.isBeforeNext(row) ? NO_PLACE : UNKNOWN_PLACE
    if (place !== UNKNOWN_PLACE) this.#stand(this.#file.blocks.useBlock(cached, block), index.offset)
    return place
  }

  next(): void {
    const at = this.#at + 1
    if (at < this.#count && !this.#filters) {
      this.#at = at
      this.cell = this.#cells[at]!
    } else if (this.valid) {
      this.#settle(at)
    }
  }

  seekForward(key: Buffer, keyCell: number): void {
    const block = this.#block
    if (!this.valid || block === undefined) return
    const offset = keyCell + CELL_HEADER_BYTES
    const bytes = keyLength(key, keyCell)
    const found = block.lowerBound(key, offset, bytes)
    if (found === this.#count) this.#lowerBound(key, offset, bytes)
    else if (found > this.#at) this.#settle(found)
  }

  leaveColumn(): void {
    const block = this.#block
    if (!this.valid || block === undefined) return
    const end = endOfColumn(block, this.#at)
    if (end < this.#count) {
      this.#settle(end)
      return
    }
    const { memory, cell, buffer } = this
    this.#settle(end)
    if (!this.valid || !isSameColumn(memory.view, cell, this.memory.view, this.cell)) return
    this.#columnEnd ??= new SeekKey()
    this.#columnEnd.afterColumn(buffer, cell)
    this.seek(this.#columnEnd.buffer, 0)
  }

  addPlainRows(target: PlainRowsTarget): void {
    const block = this.#block
    // A cell past the read point may hide an older one, which only a walk can find.
    if (!this.valid || block === undefined || this.#filters) return
    this.#place(addPlainRows(block, this.#at, this.#file.layout.tags, target))
  }

  seekBeforeRow(row: Buffer): void {
    if (this.#file.trailer.dataIndexCount === 0) return this.#end()
    if (row.length === 0) {
      this.#index.last()
      this.#load()
      this.#settleBackwards(this.#count - 1)
      return
    }
    const key = firstKeyOfRow(row)
    this.#index.seek(key, 0, key.length)
    this.#load()
    this.#settleBackwards(this.#block!.lowerBound(key, 0, key.length) - 1)
  }

  /** The blocks are never overwritten from now on; the garbage collector keeps them for their readers. */
  lend(): () => void {
    this.#block?.lend()
    if (this.#earlier !== undefined) for (const block of this.#earlier) block.lend()
    return NOTHING_TO_RETURN
  }

  close(): void {
    this.#end()
    this.#block?.unpin()
    this.#block = undefined
    if (this.#earlier !== undefined) for (const block of this.#earlier) block.unpin()
    this.#earlier = undefined
    this.#blockOffset = -1
    this.#cells = NO_CELLS
    this.#count = 0
    this.memory = ViewedBytes.EMPTY
    this.buffer = NO_BUFFER
  }

  #lowerBound(key: Buffer, offset: number, bytes: number): void {
    if (this.#file.trailer.dataIndexCount === 0) return this.#end()
    this.#index.seek(key, offset, bytes)
    this.#load(key, offset, bytes)
    this.#settle(this.#block!.lowerBound(key, offset, bytes))
  }

  /** To the first visible cell from #cells[at] on, across blocks. */
  #settle(at: number): void {
    for (;;) {
      for (; at < this.#count; at++) {
        this.#place(at)
        if (!this.#filters || this.sequenceId <= this.#readPoint) return
      }
      const offset = this.#blockOffset
      if (offset < 0 || this.#block?.endsBlock === false || !this.#index.next()) return this.#end()
      this.#load()
      // Data blocks lie in the order of their cells. An index that leads backwards could make us go round for ever.
      if (this.#blockOffset <= offset) throw this.#disordered(`after ${offset}`)
      at = 0
    }
  }

  /** To the last visible cell up to #cells[at], across blocks. */
  #settleBackwards(at: number): void {
    for (;;) {
      for (; at >= 0; at--) {
        this.#place(at)
        if (!this.#filters || this.sequenceId <= this.#readPoint) return
      }
      const offset = this.#blockOffset
      if (!this.#index.previous()) return this.#end()
      this.#load()
      if (this.#blockOffset >= offset) throw this.#disordered(`before ${offset}`)
      at = this.#count - 1
    }
  }

  #place(at: number): void {
    this.#at = at
    this.cell = this.#cells[at]!
    this.valid = true
  }

  /** Loads the data block at the index cursor. `key`: as for FileBlocks.rowBlock. */
  #load(key?: Buffer, keyOffset = 0, keyBytes = 0): void {
    const { offset, onDiskBytes } = this.#index
    if (offset === this.#blockOffset) return
    const block = this.#isOfOneRow
      ? this.#file.blocks.rowBlock(offset, onDiskBytes, this.#cacheBlocks, key, keyOffset, keyBytes)
      : this.#file.blocks.dataBlock(offset, onDiskBytes, this.#cacheBlocks)
    if (this.#isOfOneRow && this.#index.cached === undefined) this.#index.keep()
    this.#stand(block, offset)
  }

  #stand(block: DataBlock, offset: number): void {
    block.pin()
    if (this.#block !== undefined) this.#keepEarlier(this.#block)
    this.#block = block
    this.#blockOffset = offset
    this.#cells = block.cells
    this.#count = block.count
    this.memory = block.memory
    this.buffer = block.buffer
  }

  /** Cells of the block may be in use until the iterator is closed. */
  #keepEarlier(block: DataBlock): void {
    if (block.heapBytes > EARLIER_BYTES_MAX) {
      block.lend()
      block.unpin()
      return
    }
    this.#earlier ??= []
    this.#earlier.push(block)
    if (this.#earlier.length <= EARLIER_BLOCKS_MAX) return
    const oldest = this.#earlier.shift()!
    oldest.lend()
    oldest.unpin()
  }

  #end(): void {
    this.valid = false
    this.#at = this.#count
  }

  #disordered(expected: string): Error {
    return corruptFile(this.#file.path, this.#blockOffset, 'data block', expected, this.#blockOffset)
  }
}
