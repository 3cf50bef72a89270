import { compareRange, readInt32 } from '../../../src/model/bytes.ts'
import { compareTimestamps } from '../../../src/model/timestamp.ts'
import type { CellIterator } from '../cell-run.ts'
import { SeekKey } from './seek-key.ts'

/** An iterator with its place kept beside it, so that comparing heads goes through no getter of a foreign class. */
class RunHead {
  readonly iterator: CellIterator
  /** Of equal keys the head of the lesser rank is newer. */
  readonly rank: number
  valid = false
  buffer: Buffer
  cell = 0
  /** Backward scans: the greatest row before the present one, while it is known and not read yet. */
  previousRow: Buffer | undefined = undefined
  exhaustedBackward = false

  constructor(iterator: CellIterator, rank: number) {
    this.iterator = iterator
    this.rank = rank
    this.buffer = iterator.buffer
  }

  load(): boolean {
    const { iterator } = this
    this.valid = iterator.valid
    if (this.valid) {
      this.buffer = iterator.buffer
      this.cell = iterator.cell
    }
    return this.valid
  }
}

/** Order of two cells of one family, then the newer run first. Never 0 for two heads of a merge. */
function compareHeads(a: RunHead, b: RunHead): number {
  const order = compareFamilyCells(a.buffer, a.cell, b.buffer, b.cell)
  return order !== 0 ? order : a.rank - b.rank
}

/** As compareCells, for cells whose families are known to be equal. */
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
 * The cells of several runs of one family as one sequence: a binary heap of the runs' heads, which for one run is a
 * plain iterator and for two a single comparison. Identical keys come newest first; who reads decides what they mean.
 */
export class CellMerge {
  /** While valid, `buffer` and `cell` are the least cell; `iterator` has its tags and sequence id. */
  valid = false
  buffer: Buffer
  cell = 0
  readonly #heads: RunHead[]
  readonly #heap: RunHead[] = []
  readonly #key = new SeekKey()

  /** `iterators`: at least one, the newest run first. The merge closes them. */
  constructor(iterators: readonly CellIterator[]) {
    this.#heads = iterators.map((iterator, rank) => new RunHead(iterator, rank))
    this.buffer = this.#heads[0]!.buffer
  }

  get iterator(): CellIterator {
    return this.#heap[0]!.iterator
  }

  /** Every run to its first cell that does not sort before the key. */
  seek(key: Buffer, keyCell: number): void {
    this.#heap.length = 0
    for (const head of this.#heads) {
      head.iterator.seek(key, keyCell)
      if (head.load()) this.#push(head)
    }
    this.#show()
  }

  /** As seek, but runs that stand at the key or after it stay. */
  seekForward(key: Buffer, keyCell: number): void {
    const heap = this.#heap
    for (;;) {
      const top = heap[0]
      if (top === undefined || compareFamilyCells(top.buffer, top.cell, key, keyCell) >= 0) break
      top.iterator.seek(key, keyCell)
      this.#settle(top)
    }
    this.#show()
  }

  /** As seekForward, but first takes up to `steps` steps: the place may be near. */
  skipTo(key: Buffer, keyCell: number, steps: number): void {
    for (let step = 0; step < steps; step++) {
      this.next()
      if (!this.valid || compareFamilyCells(this.buffer, this.cell, key, keyCell) >= 0) return
    }
    this.seekForward(key, keyCell)
  }

  next(): void {
    const top = this.#heap[0]!
    top.iterator.next()
    this.#settle(top)
    this.#show()
  }

  /**
   * To the first cell of the greatest row before `row` (of the last row, for EMPTY); invalid where there is none. Each
   * call's row must sort before the one that the last call found.
   */
  seekPreviousRow(row: Buffer): void {
    let greatest: Buffer | undefined
    for (const head of this.#heads) {
      if (head.previousRow === undefined && !head.exhaustedBackward) stepBack(head, row)
      const candidate = head.previousRow
      if (candidate !== undefined && (greatest === undefined || candidate.compare(greatest) > 0)) {
        greatest = candidate
      }
    }
    this.#heap.length = 0
    if (greatest !== undefined) {
      this.#key.firstOfRow(greatest)
      for (const head of this.#heads) {
        if (head.previousRow?.equals(greatest) !== true) continue
        head.previousRow = undefined
        head.iterator.seek(this.#key.buffer, 0)
        if (head.load()) this.#push(head)
      }
    }
    this.#show()
  }

  close(): void {
    for (const head of this.#heads) head.iterator.close()
    this.#heap.length = 0
    this.valid = false
  }

  #show(): void {
    const top = this.#heap[0]
    this.valid = top !== undefined
    if (top !== undefined) {
      this.buffer = top.buffer
      this.cell = top.cell
    }
  }

  /** Puts the head at the top, which has moved, where it belongs. */
  #settle(top: RunHead): void {
    const heap = this.#heap
    if (top.load()) {
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
  head.iterator.seekBeforeRow(row)
  if (!head.load()) {
    head.exhaustedBackward = true
    return
  }
  const start = head.cell + 10
  const length = (head.buffer[head.cell + 8]! << 8) | head.buffer[head.cell + 9]!
  head.previousRow = Buffer.from(head.buffer.subarray(start, start + length))
}
