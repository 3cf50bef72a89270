import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { isSameColumn } from '../../../src/model/same-column.ts'
import type { Steps } from '../../../src/model/steps.ts'
import type { CellIterator, CellRun } from '../cells/cell-run.ts'
import { NO_CELLS } from '../cells/no-cells.ts'
import { isSameRow, type OtherRow, type PlainRowsTarget } from '../cells/plain-cells.ts'
import { SeekKey } from '../cells/seek-key.ts'
import { CellCopier } from './cell-copier.ts'
import { enterInSteps, seekInSteps, stepBackInSteps } from './heads-in-steps.ts'
import { LoserTree } from './loser-tree.ts'
import { compareFamilyCells, keyOf, RunHead, type RunSource, stepBack } from './run-head.ts'

/** As PlainRowsTarget; the merge states the other row. */
export interface MergedRowsTarget extends PlainRowsTarget {
  otherRow: OtherRow | undefined
}

/**
 * The cells of several runs of one family as one sequence. One run needs only its iterator. Identical keys come newest first; the reader decides
 * what they mean.
 */
export class CellMerge {
  /** While valid, `buffer` and `cell` are the least cell; `iterator` has its tags and sequence id. */
  valid = false
  buffer: Buffer
  cell = 0
  iterator: CellIterator
  /** True where `leaveColumn` has certainly left the row, too. */
  hasLeftRow = false
  readonly #heads: RunHead[]
  readonly #tree: LoserTree
  /** One run needs no tree. */
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
    this.#tree = new LoserTree(this.#heads)
    this.#single = iterators.length === 1
    this.iterator = iterators[0]!
    this.buffer = this.iterator.buffer
  }

  /** Moves every run to its first cell that does not sort before the key. */
  seek(key: Buffer, keyCell: number): void {
    for (const head of this.#heads) {
      head.iterator.seek(key, keyCell)
      head.stand()
    }
    this.#playAll()
    this.#show()
  }

  /** Moves every run to its first cell. */
  seekToFirst(): void {
    for (const head of this.#heads) {
      head.iterator.seekToFirst()
      head.stand()
    }
    this.#playAll()
    this.#show()
  }

  /** As seek, for very many runs. */
  *seekInSteps(key: Buffer, keyCell: number): Steps<void> {
    yield* seekInSteps(this.#heads, key, keyCell)
    this.resumeReplaced()
  }

  /** As seekPreviousRow, for very many runs. */
  *seekPreviousRowInSteps(row: Buffer): Steps<void> {
    yield* stepBackInSteps(this.#heads, row)
    this.seekPreviousRow(row)
  }

  /** The first part of `resumeReplaced`, for very many runs. */
  enterInSteps(): Steps<void> {
    return enterInSteps(this.#heads)
  }

  /** As seek, but runs at or after the key stay. */
  seekForward(key: Buffer, keyCell: number): void {
    if (this.#single) {
      if (!this.valid || compareFamilyCells(this.buffer, this.cell, key, keyCell) >= 0) return
      this.iterator.seekForward(key, keyCell)
      this.#showOnly()
      return
    }
    for (;;) {
      const top = this.#tree.winner
      if (top.isAtEnd || compareFamilyCells(top.buffer, top.cell, key, keyCell) >= 0) break
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
    const { view } = this.iterator.memory
    const { cell } = this
    let top = this.#tree.winner
    const { word0, word1, word2 } = top
    do {
      top.iterator.leaveColumn()
      this.#settle(top)
      top = this.#tree.winner
      // Rows mostly differ in their first bytes, which are at hand.
      this.hasLeftRow = top.isAtEnd || top.word2 !== word2 || top.word1 !== word1 || top.word0 !== word0
    } while (!this.hasLeftRow && isSameColumn(view, cell, top.view, top.cell))
    this.#show()
  }

  next(): void {
    if (this.#single) {
      this.iterator.next()
      this.#showOnly()
      return
    }
    const top = this.#tree.winner
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
    const key = new SeekKey()
    if (greatest !== undefined) key.firstOfRow(greatest)
    for (const head of this.#heads) {
      // Heads without cells of that row take no part.
      head.end()
      if (greatest === undefined || head.previousRow?.equals(greatest) !== true) continue
      head.previousRow = undefined
      head.iterator.seek(key.buffer, 0)
      head.stand()
    }
    this.#playAll()
    this.#show()
  }

  /**
   * As CellIterator.addPlainRows: rows that the present run has alone, before the next row of another run. False if it has added none, and
   * stands where it stood.
   */
  addPlainRows(target: MergedRowsTarget): boolean {
    const top = this.#tree.winner
    const { iterator } = top
    const next = this.#tree.second
    if (iterator.addPlainRows === undefined || isOneRow(top, next)) return false
    target.otherRow = next.isAtEnd ? undefined : next
    const { length } = target.counts
    iterator.addPlainRows(target)
    if (target.counts.length === length) return false
    this.#settle(top)
    this.#show()
    return true
  }

  /** The iterator of a merge of one run. A caller that moves it must call `resume` before the merge is used again. */
  get onlyIterator(): CellIterator | undefined {
    return this.#single ? this.iterator : undefined
  }

  /** Stops reading a run, whose memory goes. `resumeReplaced` must be called before the merge is used again, except to close it. */
  replaceRun(run: CellRun, by: CellRun | undefined): void {
    this.#leave((head) => head.leave(run, by))
  }

  get runCount(): number {
    return this.#heads.length
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
      for (const head of this.#heads) if (!head.isAtEnd) head.stand()
      this.#playAll()
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
    for (const head of this.#heads) {
      head.iterator.close()
      head.end()
    }
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
    const top = this.#tree.winner
    this.valid = !top.isAtEnd
    if (this.valid) {
      this.buffer = top.buffer
      this.cell = top.cell
      this.iterator = top.iterator
    }
  }

  /** Puts the winner, which has moved, in its place. */
  #settle(winner: RunHead): void {
    winner.stand()
    this.#tree.settle()
  }

  #playAll(): void {
    if (!this.#single) this.#tree.play()
  }
}

/** Whether the second head, which does not sort before the first one, stands at its row. */
function isOneRow(first: RunHead, second: RunHead): boolean {
  if (first.word2 !== second.word2 || first.word1 !== second.word1 || first.word0 !== second.word0)
    return false
  if (second.isAtEnd) return false
  const { view, cell } = first
  return isSameRow(view, cell, second.view, second.cell, view.getUint16(cell + 8))
}
