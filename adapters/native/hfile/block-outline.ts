/**
 * The block cache keeps an outline of a data block that had to leave: where each piece of some 4 KiB begins, the piece's first row and
 * its checksum. The next read of one row then reads and verifies one piece in place of the block. A piece is whole rows of the block.
 */

import { equalRange } from '../../../src/model/bytes.ts'
import { rowLength } from '../../../src/model/cell.ts'
import { crc32 } from '../../../src/wire/checksums/checksums.ts'
import type { CacheableBlock } from './block-cache.ts'
import type { DataBlock } from './data-block.ts'
import { FIRST_TIME_AND_TYPE } from './index-key.ts'
import { SortedKeys } from './sorted-keys.ts'

/** A piece fills a frame of this size, unless one row is longer. */
const PIECE_BYTES = 4096
/** A block of fewer pieces is read whole: an outline would save little. */
const PIECES_MIN = 4
/** Memory of the outline's objects. */
const OBJECT_BYTES = 700
/** Bytes around the row in a key. */
const KEY_REST_BYTES = 3 + FIRST_TIME_AND_TYPE.length

/** A piece of a block, in bytes from the block's beginning. */
export interface BlockPiece {
  readonly start: number
  readonly end: number
  /** See sumOfPiece. */
  readonly sum: number
  /** Whether the block ends with it. */
  readonly isLast: boolean
}

/** The pieces of one block. */
export class BlockOutline extends SortedKeys implements CacheableBlock {
  /** Three numbers a piece: where it begins, its checksum, and where its key begins in `buffer`. Then the ends of the last piece. */
  readonly #pieces: Int32Array

  private constructor(keys: Buffer, count: number, pieces: Int32Array) {
    super(keys, count)
    this.#pieces = pieces
    this.prepareSearch()
  }

  get heapBytes(): number {
    return OBJECT_BYTES + this.buffer.length + this.words.byteLength + this.#pieces.byteLength
  }

  evicted(): void {}

  /** A piece's key: the first one of its first row. */
  override keyOffset(i: number): number {
    return this.#pieces[3 * i + 2]!
  }

  override keyBytes(i: number): number {
    return this.keyOffset(i + 1) - this.keyOffset(i)
  }

  /** The piece that has all cells of the row in the block, if there are any. `key`: that of the row's first place or of one of its cells. */
  pieceOf(key: Buffer, offset: number, bytes: number): BlockPiece {
    return this.piece(Math.max(this.upperBound(key, offset, bytes) - 1, 0))
  }

  piece(i: number): BlockPiece {
    const pieces = this.#pieces
    const at = 3 * i
    return { start: pieces[at]!, end: pieces[at + 3]!, sum: pieces[at + 1]!, isLast: i === this.count - 1 }
  }

  /** Undefined where pieces would save little. `block`: as it is on disk, its beginning at offset 0 of its buffer. */
  static of(block: DataBlock): BlockOutline | undefined {
    const { cells, count, buffer } = block
    const end = cells[count]!
    if (end - cells[0]! < PIECE_BYTES * PIECES_MIN) return undefined
    const starts: number[] = []
    let keysBytes = 0
    for (let at = 0; at < count; at = nextPiece(block, at)) {
      starts.push(cells[at]!)
      keysBytes += rowLength(buffer, cells[at]!) + KEY_REST_BYTES
    }
    // The keys of rows of kilobytes would take more memory than pieces save.
    if (starts.length < PIECES_MIN || keysBytes > PIECE_BYTES) return undefined
    const keys = Buffer.allocUnsafeSlow(keysBytes)
    const pieces = new Int32Array(3 * (starts.length + 1))
    let key = 0
    for (const [i, start] of starts.entries()) {
      pieces.set([start, sumOfPiece(buffer, start, starts[i + 1] ?? end), key], 3 * i)
      key = copyKey(buffer, start, keys, key)
    }
    pieces.set([end, 0, key], 3 * starts.length)
    return new BlockOutline(keys, starts.length, pieces)
  }
}

/** Checksum of buffer[start..end), as pieces have it. It is in memory only, so that it can be of the fastest kind. */
export function sumOfPiece(buffer: Buffer, start: number, end: number): number {
  return crc32(buffer.subarray(start, end)) | 0
}

/** Copies the first key of the row of the KeyValue at `cell` to target[at..]; returns its end. */
function copyKey(buffer: Buffer, cell: number, target: Buffer, at: number): number {
  const row = cell + 8
  const end = at + buffer.copy(target, at, row, row + 2 + rowLength(buffer, cell))
  target[end] = 0
  return end + 1 + FIRST_TIME_AND_TYPE.copy(target, end + 1)
}

/** The first cell of the piece after the one that begins with cells[first], or the block's count. */
function nextPiece({ cells, count, buffer }: DataBlock, first: number): number {
  const end = cells[first]! + PIECE_BYTES
  // The last cell that begins by the end.
  let low = first
  let high = count
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if (cells[middle]! <= end) low = middle
    else high = middle - 1
  }
  if (low === count) return count
  for (let at = low; at > first; at--) if (isRowStart(buffer, cells, at)) return at
  let next = low + 1
  while (next < count && !isRowStart(buffer, cells, next)) next++
  return next
}

/** Whether cells[at] is of another row than the cell before it. */
function isRowStart(buffer: Buffer, cells: Int32Array, at: number): boolean {
  const [a, b] = [cells[at - 1]!, cells[at]!]
  return !equalRange(buffer, a + 10, rowLength(buffer, a), buffer, b + 10, rowLength(buffer, b))
}
