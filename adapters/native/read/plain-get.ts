import { CellType } from '../../../src/model/cell.ts'
import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { Get } from '../../../src/model/query.ts'
import { BloomHash } from '../hfile/bloom-hash.ts'
import type { CellIterator, CellRun } from '../region/cell-run.ts'
import { CellCopier } from './cell-copier.ts'
import { type FamilyRead, timesRead } from './family-reads.ts'
import { hasEmptyQualifier } from './plain-rows.ts'
import type { SeekKey } from './seek-key.ts'

/** The row has cells that need the matcher, or cells in several runs. */
export const NOT_PLAIN = -1

/** True if the get takes the newest version of every column of a row of puts. */
export function readsPlainRow({ family: { rules }, qualifiers }: FamilyRead, get: Get): boolean {
  return (
    qualifiers === undefined &&
    Math.min(get.maxVersions, rules.maxVersions) === 1 &&
    !rules.newVersionBehavior &&
    rules.timeToLiveMs === Number.POSITIVE_INFINITY &&
    timesRead(get, rules).isAllTime &&
    get.asOf === undefined &&
    get.familyLimit < 0 &&
    get.familyOffset === 0
  )
}

/**
 * The short way to one row: most rows that are asked for have puts alone, in one run, and making a merge, a matcher and their
 * trackers would cost more than the search. What PlainRows is for scans.
 */
export class PlainGet {
  readonly #copier = new CellCopier()
  readonly #hash = new BloomHash()

  /**
   * Appends the row's cells and returns their number, or NOT_PLAIN with the target as it was. `first` sorts before every cell
   * of the row.
   */
  read(
    runs: readonly CellRun[],
    { row, cacheBlocks }: Get,
    first: SeekKey,
    readPoint: number,
    target: CellBlockBuilder,
  ): number {
    const { length, count } = target
    let found = 0
    const hash = this.#hash.reset()
    for (const run of runs) {
      if (!run.mayHaveRow(row, hash)) continue
      const iterator = run.pointIterator(readPoint, cacheBlocks)
      try {
        iterator.seek(first.buffer, 0)
        if (!iterator.valid || !isOfRow(iterator, row)) continue
        if (found === 0 && this.#readRow(iterator, row, target)) {
          found = target.count - count
          continue
        }
      } finally {
        iterator.close()
      }
      target.length = length
      target.count = count
      return NOT_PLAIN
    }
    return found
  }

  /** False if the row is not plain. */
  #readRow(iterator: CellIterator, row: Buffer, target: CellBlockBuilder): boolean {
    let isNewColumn = true
    do {
      const { memory, cell, cellBytes } = iterator
      const { view } = memory
      const type = view.getUint8(cell + view.getInt32(cell) + 7)
      if (type !== CellType.Put || iterator.tagsBytes > 0) return false
      if (isNewColumn) this.#copier.append(target, memory, cell, cellBytes)
      const isEmpty = hasEmptyQualifier(view, cell, row.length)
      if (isEmpty) iterator.next()
      else iterator.leaveColumn()
      if (!iterator.valid) return true
      isNewColumn = !isEmpty || !hasEmptyQualifier(iterator.memory.view, iterator.cell, row.length)
    } while (isOfRow(iterator, row))
    return true
  }
}

/** Compares from the end: rows that follow each other mostly differ there. */
function isOfRow({ memory: { view }, cell }: CellIterator, row: Buffer): boolean {
  if (view.getUint16(cell + 8) !== row.length) return false
  const start = cell + 10
  for (let i = row.length - 1; i >= 0; i--) if (view.getUint8(start + i) !== row[i]) return false
  return true
}
