import { CellBlock, CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import { ColumnsBuilder, type Get, get } from '../../../src/model/query.ts'
import type { Visibility } from '../../../src/model/visibility.ts'
import type { Region } from '../region/region.ts'

/** The read point that sees all cells of the memstores. */
const EVERYTHING: number = Number.POSITIVE_INFINITY
const NOTHING_KEPT: CellCursor = new CellCursor(CellBlock.EMPTY)

interface Versions {
  readonly handedOut: number
  /** Versions that the last reading found. */
  readonly known: number
  readonly isWhole: boolean
  /** Stands at the latest version that was handed out. */
  readonly cursor: CellCursor
}

/**
 * The versions of the columns that one mutation deletes by "the newest", from the newest on. A mutation may name one column as
 * often as it has cells: each reading finds twice as many versions as the one before, so that the work stays linear.
 */
export class NewestVersions {
  readonly #columns = new Map<string, Versions>()
  /** Most columns are named once, and nothing of their reading is kept. */
  readonly #first = new CellBlockBuilder()

  /** Forgets the columns, for the next mutation. */
  clear(): void {
    if (this.#columns.size > 0) this.#columns.clear()
  }

  /**
   * The version after the one that it last returned for the column of `deleted`, valid until the next call; undefined: none.
   * `visibility`: that of the versions to delete, where cells have labels.
   */
  next(region: Region, deleted: CellCursor, now: number, visibility?: Visibility): CellCursor | undefined {
    const { buffer, rowOffset, rowLength, familyOffset, familyLength } = deleted
    const { qualifierOffset, qualifierLength } = deleted
    const family = buffer.subarray(familyOffset, familyOffset + familyLength)
    const qualifier = buffer.subarray(qualifierOffset, qualifierOffset + qualifierLength)
    const column = `${family.toString('latin1')}:${qualifier.toString('latin1')}`
    const before = this.#columns.get(column)
    const handedOut = before?.handedOut ?? 0
    let versions = before
    if (versions === undefined || (!versions.isWhole && handedOut === versions.known)) {
      const row = buffer.subarray(rowOffset, rowOffset + rowLength)
      const columns = new ColumnsBuilder().addColumn(family, qualifier).build()
      const maxVersions = Math.max(1, 2 * handedOut)
      const query = get(row, { columns, maxVersions, visibility })
      versions = this.#read(region, query, handedOut, now)
    }
    const { cursor } = versions
    const isThere = cursor.next()
    const kept = handedOut === 0 ? NOTHING_KEPT : cursor
    this.#columns.set(column, { ...versions, handedOut: handedOut + 1, cursor: kept })
    return isThere ? cursor : undefined
  }

  /** Stands behind as many versions as are handed out already. */
  #read(region: Region, query: Get, handedOut: number, now: number): Versions {
    const found = handedOut === 0 ? this.#first : new CellBlockBuilder()
    found.length = 0
    const known = region.get(query, EVERYTHING, now, found)
    const cursor = new CellCursor(found.block())
    for (let i = 0; i < handedOut; i++) cursor.next()
    return { handedOut, known, isWhole: known < query.maxVersions, cursor }
  }
}
