import { compareRange, readInt32 } from '../../../src/model/bytes.ts'
import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { compareTimestamps } from '../../../src/model/timestamp.ts'
import type { CellIterator } from '../region/cell-run.ts'
import { CellCopier } from './cell-copier.ts'
import { SeekKey } from './seek-key.ts'

/**
 * An iterator with a copy of its place, so that comparing heads calls no getter of another class and mostly touches no
 * cell: three words hold the row's first 12 bytes.
 */
class RunHead {
  readonly iterator: CellIterator
  /** If two heads have equal keys, the one with the lesser rank is newer. */
  readonly rank: number
  buffer: Buffer
  cell = 0
  /** The row's bytes 0 to 3, 4 to 7 and 8 to 11, zeros after its end, biased so that signed order is byte order. */
  word0 = 0
  word1 = 0
  word2 = 0
  /** Backward scans: the greatest row before the present one, while it is known and not read yet. */
  previousRow: Buffer | undefined = undefined
  exhaustedBackward = false

  constructor(iterator: CellIterator, rank: number) {
    this.iterator = iterator
    this.rank = rank
    this.buffer = iterator.buffer
  }

  /** Copies the iterator's place; false at its end. */
  load(): boolean {
    const { iterator } = this
    if (!iterator.valid) return false
    this.buffer = iterator.buffer
    this.cell = iterator.cell
    return true
  }

  loadWords(): void {
    const { buffer, cell } = this
    const length = (buffer[cell + 8]! << 8) | buffer[cell + 9]!
    if (length >= 12) {
      this.word0 = readInt32(buffer, cell + 10) ^ SIGN
      this.word1 = readInt32(buffer, cell + 14) ^ SIGN
      this.word2 = readInt32(buffer, cell + 18) ^ SIGN
    } else {
      this.word0 = readWord(buffer, cell + 10, length)
      this.word1 = readWord(buffer, cell + 14, length - 4)
      this.word2 = readWord(buffer, cell + 18, length - 8)
    }
  }
}

const SIGN = 0x8000_0000 | 0

/** The first 4 of `length` bytes; zeros stand for missing ones. */
function readWord(buffer: Buffer, offset: number, length: number): number {
  if (length >= 4) return readInt32(buffer, offset) ^ SIGN
  let word = 0
  if (length > 0) word = buffer[offset]! << 24
  if (length > 1) word |= buffer[offset + 1]! << 16
  if (length > 2) word |= buffer[offset + 2]! << 8
  return word ^ SIGN
}

/** Order of two cells of one family; of equal keys the newer run's first. Never 0 for two heads of a merge. */
function compareHeads(a: RunHead, b: RunHead): number {
  if (a.word0 !== b.word0) return a.word0 < b.word0 ? -1 : 1
  if (a.word1 !== b.word1) return a.word1 < b.word1 ? -1 : 1
  if (a.word2 !== b.word2) return a.word2 < b.word2 ? -1 : 1
  const order = compareFamilyCells(a.buffer, a.cell, b.buffer, b.cell)
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

/**
 * The cells of several runs of one family as one sequence: a binary heap of the runs' heads. One run needs only its
 * iterator, two need a single comparison. Identical keys come newest first; the reader decides what they mean.
 */
export class CellMerge {
  /** While valid, `buffer` and `cell` are the least cell; `iterator` has its tags and sequence id. */
  valid = false
  buffer: Buffer
  cell = 0
  iterator: CellIterator
  readonly #heads: RunHead[]
  readonly #heap: RunHead[] = []
  /** One run needs no heap. */
  readonly #single: boolean
  readonly #copier = new CellCopier()

  /** `iterators`: at least one, the newest run first. The merge closes them. */
  constructor(iterators: readonly CellIterator[]) {
    this.#heads = iterators.map((iterator, rank) => new RunHead(iterator, rank))
    this.#single = iterators.length === 1
    this.iterator = iterators[0]!
    this.buffer = this.iterator.buffer
  }

  /** Moves every run to its first cell that does not sort before the key. */
  seek(key: Buffer, keyCell: number): void {
    this.#heap.length = 0
    for (const head of this.#heads) {
      head.iterator.seek(key, keyCell)
      if (head.load()) this.#push(head)
    }
    this.#show()
  }

  /** As seek, but runs at or after the key stay. */
  seekForward(key: Buffer, keyCell: number): void {
    if (this.#single) {
      if (!this.valid || compareFamilyCells(this.buffer, this.cell, key, keyCell) >= 0) return
      this.iterator.seek(key, keyCell)
      this.#showOnly()
      return
    }
    const heap = this.#heap
    for (;;) {
      const top = heap[0]
      if (top === undefined || compareFamilyCells(top.buffer, top.cell, key, keyCell) >= 0) break
      top.iterator.seek(key, keyCell)
      this.#settle(top)
    }
    this.#show()
  }

  /** As seekForward, but takes up to `steps` steps first: the place may be near. */
  skipTo(key: Buffer, keyCell: number, steps: number): void {
    for (let step = 0; step < steps; step++) {
      this.next()
      if (!this.valid || compareFamilyCells(this.buffer, this.cell, key, keyCell) >= 0) return
    }
    this.seekForward(key, keyCell)
  }

  next(): void {
    if (this.#single) {
      this.iterator.next()
      this.#showOnly()
      return
    }
    const top = this.#heap[0]!
    top.iterator.next()
    this.#settle(top)
    this.#show()
  }

  /**
   * Moves to the first cell of the greatest row before `row` (of the last row, for EMPTY); invalid if there is none. Each
   * call's row must sort before the one that the last call found.
   */
  seekPreviousRow(row: Buffer): void {
    let greatest: Buffer | undefined
    for (const head of this.#heads) {
      const { previousRow } = head
      const isKnown = previousRow !== undefined && (row.length === 0 || previousRow.compare(row) < 0)
      if (!isKnown && !head.exhaustedBackward) stepBack(head, row)
      const candidate = head.previousRow
      if (candidate !== undefined && (greatest === undefined || candidate.compare(greatest) > 0)) {
        greatest = candidate
      }
    }
    this.#heap.length = 0
    if (greatest !== undefined) {
      const key = new SeekKey()
      key.firstOfRow(greatest)
      for (const head of this.#heads) {
        if (head.previousRow?.equals(greatest) !== true) continue
        head.previousRow = undefined
        head.iterator.seek(key.buffer, 0)
        if (head.load()) this.#push(head)
      }
    }
    this.#show()
  }

  /** The iterator of a merge of one run. A caller that moves it must call `resume` before the merge is used again. */
  get onlyIterator(): CellIterator | undefined {
    return this.#single ? this.iterator : undefined
  }

  /** Copies the place of `onlyIterator`. */
  resume(): void {
    this.#showOnly()
  }

  /** Appends the present cell, without its tags. */
  appendTo(target: CellBlockBuilder): void {
    const { iterator } = this
    this.#copier.append(target, iterator.memory, this.cell, iterator.cellBytes)
  }

  close(): void {
    for (const head of this.#heads) head.iterator.close()
    this.#heap.length = 0
    this.valid = false
  }

  /** Copies the only iterator's place into the merge; one run has no head. */
  #showOnly(): void {
    const { iterator } = this
    this.valid = iterator.valid
    this.buffer = iterator.buffer
    this.cell = iterator.cell
  }

  #show(): void {
    const top = this.#heap[0]
    this.valid = top !== undefined
    if (top !== undefined) {
      this.buffer = top.buffer
      this.cell = top.cell
      this.iterator = top.iterator
    }
  }

  /** Restores the heap after the head at the top has moved. */
  #settle(top: RunHead): void {
    const heap = this.#heap
    if (top.load()) {
      top.loadWords()
      if (heap.length > 1) this.#siftDown(top)
      return
    }
    const last = heap.pop()!
    if (last !== top) this.#siftDown(last)
  }

  #siftDown(head: RunHead): void {
    const heap = this.#heap
    const size = heap.length
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= size) break
      if (child + 1 < size && compareHeads(heap[child + 1]!, heap[child]!) < 0) child++
      if (compareHeads(head, heap[child]!) < 0) break
      heap[at] = heap[child]!
      at = child
    }
    heap[at] = head
  }

  #push(head: RunHead): void {
    const heap = this.#heap
    let at = heap.length
    head.loadWords()
    heap.push(head)
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (compareHeads(heap[parent]!, head) < 0) break
      heap[at] = heap[parent]!
      at = parent
    }
    heap[at] = head
  }
}

function stepBack(head: RunHead, row: Buffer): void {
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
