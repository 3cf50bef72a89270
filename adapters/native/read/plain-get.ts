import { CellType } from '../../../src/model/cell.ts'
import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { Get } from '../../../src/model/query.ts'
import { compareVersions, isSameColumn } from '../../../src/model/same-column.ts'
import { BloomHash } from '../cells/bloom-hash.ts'
import type { CellIterator, CellRun } from '../cells/cell-run.ts'
import { isOfRow } from '../cells/is-of-row.ts'
import type { SeekKey } from '../cells/seek-key.ts'
import { CellCopier } from './cell-copier.ts'
import { type FamilyRead, timesRead } from './family-reads.ts'
import { hasEmptyQualifier } from './plain-rows.ts'
import { PlainTags } from './plain-tags.ts'
import { compareFamilyCells } from './run-head.ts'

/** The row has cells that need the matcher. */
export const NOT_PLAIN = -1
/** The row has too many cells. */
export const TOO_WIDE = -2

/** A row of more runs is merged by a scan of it, in several turns of the event loop. */
export const RUNS_MAX = 64

/** The outcome of a row's read; 0: the run was passed over to the row's end. */
type RowRead = typeof NOT_PLAIN | typeof TOO_WIDE | 0

/** True if the get takes the newest version of every column of a row of puts. */
export function readsPlainRow({ family: { rules }, qualifiers }: FamilyRead, get: Get): boolean {
  return (
    qualifiers === undefined &&
    Math.min(get.maxVersions, rules.maxVersions) === 1 &&
    !rules.newVersionBehavior &&
    rules.timeToLiveMs === Number.POSITIVE_INFINITY &&
    timesRead(get, rules).isAllTime &&
    get.asOf === undefined &&
    get.visibility?.kind !== 'same' &&
    get.familyLimit < 0 &&
    get.familyOffset === 0
  )
}

/** A run that has cells of the row, at one of them. */
interface RowHead {
  readonly iterator: CellIterator
  readonly maxSequenceId: number
}

/**
 * The short way to one row: most rows that are asked for have puts alone, and making a merge, a matcher and their trackers
 * would cost more than the search. What PlainRows is for scans.
 */
export class PlainGet {
  readonly #copier = new CellCopier()
  readonly #hash = new BloomHash()
  readonly #heads: RowHead[] = []
  readonly #tags = new PlainTags()

  /**
   * Appends the row's cells and returns their number, or NOT_PLAIN or, for more than `cellsMax` of them, TOO_WIDE with the target as it was.
   * `first` sorts before every cell of the row.
   */
  read(
    runs: readonly CellRun[],
    get: Get,
    first: SeekKey,
    readPoint: number,
    target: CellBlockBuilder,
    cellsMax: number,
  ): number {
    const { row, cacheBlocks } = get
    this.#tags.begin(get)
    const heads = this.#heads
    const hash = this.#hash.reset()
    try {
      for (const run of runs) {
        if (run.findRow !== undefined) {
          const found = run.findRow(row, first, hash, readPoint, cacheBlocks)
          if (found === undefined) continue
          heads.push({ iterator: found, maxSequenceId: run.maxSequenceId })
        } else {
          if (!run.mayHaveRow(row, hash)) continue
          const iterator = run.pointIterator(readPoint, cacheBlocks)
          heads.push({ iterator, maxSequenceId: run.maxSequenceId })
          iterator.seek(first.buffer, 0)
          if (!isAtRow(iterator, row)) this.#leave(heads.length - 1)
        }
        if (heads.length > RUNS_MAX) return TOO_WIDE
      }
      if (heads.length === 0) return 0
      const { length, count } = target
      const read =
        heads.length === 1
          ? this.#readRow(heads[0]!.iterator, row, target, cellsMax)
          : this.#mergeRow(heads, row, target, cellsMax)
      if (read === 0) return target.count - count
      target.length = length
      target.count = count
      return read
    } finally {
      // Setting the length to 0 would take longer.
      while (heads.length > 0) heads.pop()!.iterator.close()
    }
  }

  #leave(at: number): void {
    const [head] = this.#heads.splice(at, 1)
    head!.iterator.close()
  }

  /** As #readRow. A column's newest version is the least of the heads, which later ones of other runs cannot hide. */
  #mergeRow(heads: readonly RowHead[], row: Buffer, target: CellBlockBuilder, cellsMax: number): RowRead {
    for (let cells = 0; heads.length > 0; cells++) {
      if (cells >= cellsMax) return TOO_WIDE
      const { iterator } = newestOf(heads)
      const { memory, cell, cellBytes, tagsBytes } = iterator
      const { view } = memory
      const type = view.getUint8(cell + view.getInt32(cell) + 7)
      // The tombstones of the row stand among the cells of the empty qualifier.
      if (type !== CellType.Put || hasEmptyQualifier(view, cell, row.length)) return NOT_PLAIN
      if (tagsBytes > 0 && !this.#tags.allows(iterator)) return NOT_PLAIN
      this.#copier.append(target, memory, cell, cellBytes)
      for (let i = heads.length - 1; i >= 0; i--) {
        const other = heads[i]!.iterator
        if (other !== iterator && isSameColumn(view, cell, other.memory.view, other.cell)) this.#pass(i, row)
      }
      // Last, as the others were compared with its cell.
      this.#pass(
        heads.findIndex((head) => head.iterator === iterator),
        row,
      )
    }
    return 0
  }

  /** To the next column of the row in one run. */
  #pass(at: number, row: Buffer): void {
    const { iterator } = this.#heads[at]!
    iterator.leaveColumn()
    if (!isAtRow(iterator, row)) this.#leave(at)
  }

  #readRow(iterator: CellIterator, row: Buffer, target: CellBlockBuilder, cellsMax: number): RowRead {
    let isNewColumn = true
    let cells = 0
    do {
      if (cells++ >= cellsMax) return TOO_WIDE
      const { memory, cell, cellBytes } = iterator
      const { view } = memory
      const type = view.getUint8(cell + view.getInt32(cell) + 7)
      if (type !== CellType.Put) return NOT_PLAIN
      if (iterator.tagsBytes > 0 && !this.#tags.allows(iterator)) return NOT_PLAIN
      if (isNewColumn) this.#copier.append(target, memory, cell, cellBytes)
      const isEmpty = hasEmptyQualifier(view, cell, row.length)
      if (isEmpty) iterator.next()
      else iterator.leaveColumn()
      if (!iterator.valid) return 0
      isNewColumn = !isEmpty || !hasEmptyQualifier(iterator.memory.view, iterator.cell, row.length)
    } while (isOfRow(iterator.memory.view, iterator.cell, row))
    return 0
  }
}

/** The head with the least cell; of equal keys that of the newer run. */
function newestOf(heads: readonly RowHead[]): RowHead {
  let least = heads[0]!
  for (let i = 1; i < heads.length; i++) {
    const head = heads[i]!
    const order = compareHeadCells(head.iterator, least.iterator)
    if (order < 0 || (order === 0 && head.maxSequenceId > least.maxSequenceId)) least = head
  }
  return least
}

function compareHeadCells(a: CellIterator, b: CellIterator): number {
  return isSameColumn(a.memory.view, a.cell, b.memory.view, b.cell)
    ? compareVersions(a.memory.view, a.cell, b.memory.view, b.cell)
    : compareFamilyCells(a.buffer, a.cell, b.buffer, b.cell)
}

function isAtRow({ valid, memory, cell }: CellIterator, row: Buffer): boolean {
  return valid && isOfRow(memory.view, cell, row)
}
