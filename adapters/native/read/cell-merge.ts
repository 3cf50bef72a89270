import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { isSameColumn } from '../../../src/model/same-column.ts'
import type { CellIterator, CellRun } from '../region/cell-run.ts'
import { NO_CELLS } from '../region/no-cells.ts'
import { CellCopier } from './cell-copier.ts'
import { compareFamilyCells, compareHeads, keyOf, RunHead, type RunSource, stepBack } from './run-head.ts'
import { SeekKey } from './seek-key.ts'

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
  readonly #withTags: boolean
  /** Key of the present cell when a run was replaced. */
  #left: Buffer | undefined

  /**
   * `iterators`: at least one, the newest run first. The merge closes them. `sources`: where they come from, for `replaceRun`.
   * `withTags`: see Query.withTags.
   */
  constructor(
    iterators: readonly CellIterator[],
    sources: readonly RunSource[] = [],
    withTags: boolean = false,
  ) {
    this.#withTags = withTags
    this.#heads = iterators.map((iterator, rank) => new RunHead(iterator, rank, sources[rank]))
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
      this.iterator.seekForward(key, keyCell)
      this.#showOnly()
      return
    }
    const heap = this.#heap
    for (;;) {
      const top = heap[0]
      if (top === undefined || compareFamilyCells(top.buffer, top.cell, key, keyCell) >= 0) break
      top.iterator.seekForward(key, keyCell)
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

  /** Moves to the first cell of another column or row, over all versions of this column in all runs. */
  leaveColumn(): void {
    if (this.#single) {
      this.iterator.leaveColumn()
      this.#showOnly()
      return
    }
    const heap = this.#heap
    const { view } = this.iterator.memory
    const { cell } = this
    for (let top = heap[0]; top !== undefined; top = heap[0]) {
      if (!isSameColumn(view, cell, top.view, top.cell)) break
      top.iterator.leaveColumn()
      this.#settle(top)
    }
    this.#show()
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

  /** Stops reading a run, whose memory goes. `resumeReplaced` must be called before the merge is used again, except to close it. */
  replaceRun(run: CellRun, by: CellRun | undefined): void {
    this.#leave((head) => head.leave(run, by))
  }

  /** Bytes of blocks that its runs keep in memory for it. */
  get heldBytes(): number {
    let bytes = 0
    for (const { iterator } of this.#heads) bytes += iterator.heldBytes
    return bytes
  }

  /** Lets go of blocks. As after replaceRun, `resumeReplaced` must be called before the merge is used again. */
  rest(): void {
    this.#leave((head) => head.rest())
  }

  #leave(leave: (head: RunHead) => void): void {
    if (this.valid) this.#left ??= keyOf(this.buffer, this.cell)
    for (const head of this.#heads) leave(head)
    if (this.#heads.some(({ iterator }) => iterator === this.iterator)) return
    // Even a closed iterator would keep the run's memory.
    this.iterator = NO_CELLS
    this.buffer = NO_CELLS.buffer
  }

  /**
   * Goes on in the runs that have replaced others. False if the present cell is another one: a flush has dropped the one that
   * was, as one that had expired.
   */
  resumeReplaced(): boolean {
    const before = this.#left
    for (const head of this.#heads) head.enter()
    this.#left = undefined
    if (this.#single) {
      this.iterator = this.#heads[0]!.iterator
      this.#showOnly()
    } else {
      const heads = this.#heap.splice(0)
      for (const head of heads) if (head.load()) this.#push(head)
      this.#show()
    }
    return before === undefined
      ? !this.valid
      : this.valid && compareFamilyCells(this.buffer, this.cell, before, 0) === 0
  }

  /** Copies the place of `onlyIterator`. */
  resume(): void {
    this.#showOnly()
  }

  /** As CellIterator.lend, for all runs. */
  lend(): () => void {
    if (this.#single) return this.iterator.lend()
    const ends = this.#heads.map(({ iterator }) => iterator.lend())
    return () => {
      for (const end of ends) end()
    }
  }

  /** Appends the present cell. */
  appendTo(target: CellBlockBuilder): void {
    const { iterator } = this
    const prefix = target.length
    this.#copier.append(target, iterator.memory, this.cell, iterator.cellBytes)
    if (!this.#withTags) return
    const { tagsBytes } = iterator
    if (tagsBytes > 0) target.appendTags(prefix, this.buffer, iterator.tags, tagsBytes)
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
