import { compareRange, EMPTY, readInt32 } from '../../../src/model/bytes.ts'
import { CELL_HEADER_BYTES } from '../../../src/model/cell.ts'
import { compareVersions, isSameColumn } from '../../../src/model/same-column.ts'
import { compareTimestamps } from '../../../src/model/timestamp.ts'
import { ViewedBytes } from '../../../src/model/viewed-bytes.ts'
import type { CellIterator, CellRun } from '../cells/cell-run.ts'
import { NO_CELLS } from '../cells/no-cells.ts'

/** Where a head's cells come from. */
export interface RunSource {
  /** undefined: a run without cells. */
  run: CellRun | undefined
  readonly readPoint: number
  readonly cacheBlocks: boolean
}

/** A place in a run that was left. */
interface LeftPlace {
  /** The KeyValue without its value; EMPTY: the iterator stood nowhere. */
  readonly key: Buffer
  readonly sequenceId: number
}

const NOWHERE: LeftPlace = { key: EMPTY, sequenceId: 0 }

function leftPlace({ buffer, cell, sequenceId }: CellIterator): LeftPlace {
  return { key: keyOf(buffer, cell), sequenceId }
}

/** A copy of the KeyValue at buffer[cell] without its value. */
export function keyOf(buffer: Buffer, cell: number): Buffer {
  return Buffer.from(buffer.subarray(cell, cell + CELL_HEADER_BYTES + readInt32(buffer, cell)))
}

function isNewerVersion(iterator: CellIterator, { key, sequenceId }: LeftPlace): boolean {
  return (
    iterator.valid &&
    iterator.sequenceId > sequenceId &&
    compareFamilyCells(iterator.buffer, iterator.cell, key, 0) === 0
  )
}

/**
 * An iterator with a copy of its place, so that comparing heads calls no getter of another class and mostly touches no
 * cell: three words hold the row's first 12 bytes.
 */
export class RunHead {
  iterator: CellIterator
  /** The run that is read; undefined if it is never replaced. */
  readonly #source: RunSource | undefined
  /** Set while the head has left its run and has not entered the next one. */
  #left: LeftPlace | undefined
  /** If two heads have equal keys, the one with the lesser rank is newer. */
  readonly rank: number
  /** It stands at no cell, and sorts after all heads that do. */
  isAtEnd = true
  buffer: Buffer
  /** The buffer's view. */
  view: DataView = ViewedBytes.EMPTY.view
  cell = 0
  /** The row's bytes 0 to 3, 4 to 7 and 8 to 11, zeros after its end, biased so that signed order is byte order. */
  word0: number = GREATEST
  word1: number = GREATEST
  word2: number = GREATEST
  /** Backward scans: the greatest row before the present one, while it is known and not read yet. */
  previousRow: Buffer | undefined = undefined
  exhaustedBackward = false

  constructor(iterator: CellIterator, rank: number, source?: RunSource) {
    this.#source = source && { ...source }
    this.iterator = iterator
    this.rank = rank
    this.buffer = iterator.buffer
  }

  /** Leaves the run if it is `run`, so that its memory can go; `enter` goes on in `by`. */
  leave(run: CellRun, by: CellRun | undefined): void {
    const source = this.#source
    if (source?.run !== run) return
    source.run = by
    const { iterator } = this
    // A head that leaves its second run before it was read again stands where it stood in the first.
    this.#left ??= iterator.valid ? leftPlace(iterator) : NOWHERE
    iterator.close()
    this.iterator = NO_CELLS
    this.buffer = NO_CELLS.buffer
    this.view = NO_CELLS.memory.view
  }

  /** Leaves a run of which it keeps blocks in memory; `enter` goes on in it. */
  rest(): void {
    const run = this.#source?.run
    if (run !== undefined && this.iterator.heldBytes > 0) this.leave(run, run)
  }

  /** Goes to the place that it has left, or to the next one if the new run has no such cell. May throw what runs throw. */
  enter(): void {
    const left = this.#left
    if (left === undefined) return
    const { run, readPoint, cacheBlocks } = this.#source!
    const iterator = run?.iterator(readPoint, cacheBlocks) ?? NO_CELLS
    if (left.key.length > 0) {
      iterator.seek(left.key, 0)
      // Of equal keys the newer come first; they were passed.
      while (isNewerVersion(iterator, left)) iterator.next()
    }
    this.iterator = iterator
    this.#left = undefined
  }

  /** Copies the iterator's place; false at its end. */
  load(): boolean {
    const { iterator } = this
    if (!iterator.valid) return false
    this.buffer = iterator.buffer
    this.view = iterator.memory.view
    this.cell = iterator.cell
    return true
  }

  /** Copies the iterator's place, and the row's words. */
  stand(): void {
    if (!this.load()) {
      this.end()
      return
    }
    this.isAtEnd = false
    const { view, cell } = this
    const length = view.getUint16(cell + 8)
    if (length >= 12) {
      this.word0 = view.getInt32(cell + 10) ^ SIGN
      this.word1 = view.getInt32(cell + 14) ^ SIGN
      this.word2 = view.getInt32(cell + 18) ^ SIGN
    } else {
      this.word0 = readWord(view, cell + 10, length)
      this.word1 = readWord(view, cell + 14, length - 4)
      this.word2 = readWord(view, cell + 18, length - 8)
    }
  }

  end(): void {
    this.isAtEnd = true
    this.word0 = GREATEST
    this.word1 = GREATEST
    this.word2 = GREATEST
  }
}

const SIGN = 0x8000_0000 | 0
const GREATEST = 0x7fff_ffff

/** The first 4 of `length` bytes; zeros stand for missing ones. */
function readWord(view: DataView, offset: number, length: number): number {
  if (length >= 4) return view.getInt32(offset) ^ SIGN
  let word = 0
  if (length > 0) word = view.getUint8(offset) << 24
  if (length > 1) word |= view.getUint8(offset + 1) << 16
  if (length > 2) word |= view.getUint8(offset + 2) << 8
  return word ^ SIGN
}

/** Order of the cells of two heads; of equal keys the newer run's first. Never 0 for two heads of a merge. */
export function compareHeads(a: RunHead, b: RunHead): number {
  if (a.word0 !== b.word0) return a.word0 < b.word0 ? -1 : 1
  if (a.word1 !== b.word1) return a.word1 < b.word1 ? -1 : 1
  if (a.word2 !== b.word2) return a.word2 < b.word2 ? -1 : 1
  if (a.isAtEnd || b.isAtEnd) return a.isAtEnd === b.isAtEnd ? a.rank - b.rank : a.isAtEnd ? 1 : -1
  // Heads at one row mostly stand at versions of one column: comparing words shows that faster than bytes.
  const order = isSameColumn(a.view, a.cell, b.view, b.cell)
    ? compareVersions(a.view, a.cell, b.view, b.cell)
    : compareFamilyCells(a.buffer, a.cell, b.buffer, b.cell)
  return order !== 0 ? order : a.rank - b.rank
}

/** As compareCells, for cells of one family. */
export function compareFamilyCells(a: Buffer, aCell: number, b: Buffer, bCell: number): number {
  const aRow = (a[aCell + 8]! << 8) | a[aCell + 9]!
  const bRow = (b[bCell + 8]! << 8) | b[bCell + 9]!
  const rows = compareRange(a, aCell + 10, aRow, b, bCell + 10, bRow)
  if (rows !== 0) return rows
  const aQualifier = aCell + 11 + aRow + a[aCell + 10 + aRow]!
  const bQualifier = bCell + 11 + bRow + b[bCell + 10 + bRow]!
  const aTime = aCell + readInt32(a, aCell) - 1
  const bTime = bCell + readInt32(b, bCell) - 1
  const qualifiers = compareRange(a, aQualifier, aTime - aQualifier, b, bQualifier, bTime - bQualifier)
  if (qualifiers !== 0) return qualifiers
  const times = compareTimestamps(
    readInt32(b, bTime),
    readInt32(b, bTime + 4),
    readInt32(a, aTime),
    readInt32(a, aTime + 4),
  )
  return times !== 0 ? times : b[bTime + 8]! - a[aTime + 8]!
}

/** Notes the greatest row before `row` (the last, for EMPTY) as the head's previousRow. */
export function stepBack(head: RunHead, row: Buffer): void {
  head.previousRow = undefined
  head.iterator.seekBeforeRow(row)
  if (!head.load()) {
    head.exhaustedBackward = true
    return
  }
  const start = head.cell + 10
  const length = (head.buffer[head.cell + 8]! << 8) | head.buffer[head.cell + 9]!
  head.previousRow = Buffer.from(head.buffer.subarray(start, start + length))
}
