import { compareBytes, EMPTY } from '../../src/model/bytes.ts'
import { type FamilyDescriptor, findFamily, type TableDescriptor } from '../../src/model/descriptor.ts'
import type { Query } from '../../src/model/query.ts'
import { regionName } from '../../src/model/region-name.ts'
import { noSuchColumnFamily } from '../../src/model/table-description.ts'
import type { TableState } from '../../src/store.ts'
import { FilteredRows } from './filtered-rows.ts'
import { compareWithinRow, type StoredCell } from './stored-cell.ts'
import { type ReadColumns, visibleCells } from './visible-cells.ts'

/** A change of a row makes a new one, so that whoever holds a row sees it whole and as it was. */
export interface MemoryRow {
  readonly key: Buffer
  /** In HBase's order; of equal keys the newer first. */
  readonly cells: readonly StoredCell[]
}

/** A table: its descriptor and its rows in order. */
export class MemoryTable {
  state: TableState = 'ENABLED'
  readonly splitKeys: readonly Buffer[]
  /** Milliseconds since 1970 at which its regions were made. */
  readonly regionId: number
  /** Where filters find chance. */
  readonly random: () => number
  #descriptor: TableDescriptor
  readonly #rows: MemoryRow[] = []

  constructor(
    descriptor: TableDescriptor,
    splitKeys: readonly Buffer[],
    regionId: number,
    random: () => number,
  ) {
    this.#descriptor = descriptor
    this.splitKeys = splitKeys
    this.regionId = regionId
    this.random = random
  }

  get descriptor(): TableDescriptor {
    return this.#descriptor
  }

  /** The rows as they are now, whatever is written later. */
  snapshot(): MemoryRow[] {
    return [...this.#rows]
  }

  /** Throws NO_SUCH_COLUMN_FAMILY, in which HBase names the region of the row. */
  family(name: Buffer, row: Buffer): FamilyDescriptor {
    const family = findFamily(this.descriptor, name)
    if (family !== undefined) return family
    const startKey = this.splitKeys.findLast((key) => compareBytes(key, row) <= 0) ?? EMPTY
    const region = regionName(this.descriptor.name, startKey, this.regionId)
    throw noSuchColumnFamily(name, region.name, this.descriptor)
  }

  /** What a query reads of the row, or of any row: the families that it names, or all. Throws as family does. */
  columnsOf(query: Query, row: Buffer): ReadColumns[] {
    if (query.columns.length === 0) {
      return this.descriptor.families.map((family) => ({ family, qualifiers: undefined }))
    }
    return query.columns.map(({ family, qualifiers }) => ({ family: this.family(family, row), qualifiers }))
  }

  /** What a query sees of a row. Throws NO_SUCH_COLUMN_FAMILY, and as FilteredRows. */
  read(key: Buffer, query: Query, now: bigint): StoredCell[] {
    const columns = this.columnsOf(query, key)
    const row = this.#row(key) ?? { key, cells: [] }
    if (query.filter === undefined) return visibleCells(row.cells, columns, query, now, false)
    const reading = { raw: false, reversed: false, batch: -1, now, random: this.random }
    return new FilteredRows(query.filter, columns, query, reading).read(row)
  }

  /** Adds the cells of a batch, in the order in which they were written. */
  write(cells: readonly StoredCell[]): void {
    const rows = new Map<string, StoredCell[]>()
    for (const cell of cells) {
      const key = cell.row.toString('latin1')
      const ofRow = rows.get(key)
      if (ofRow === undefined) rows.set(key, [cell])
      else ofRow.push(cell)
    }
    for (const ofRow of rows.values()) this.#writeRow(ofRow[0]!.row, ofRow)
  }

  #writeRow(key: Buffer, cells: readonly StoredCell[]): void {
    const index = this.#indexOf(key)
    const before = this.#row(key)
    // The sort is stable: what comes first in the array stays before its equals.
    const newestFirst = [...cells].reverse().sort(compareWithinRow)
    // A batch has one sequence id, so that of its cells with one key the last takes the place of the others.
    const added = newestFirst.filter(
      (cell, i) => i === 0 || compareWithinRow(newestFirst[i - 1]!, cell) !== 0,
    )
    const row = { key, cells: added.concat(before?.cells ?? []).sort(compareWithinRow) }
    this.#rows.splice(index, before === undefined ? 0 : 1, row)
  }

  /** Takes another descriptor and drops the cells of families that it does not have. */
  modify(descriptor: TableDescriptor): void {
    this.#descriptor = descriptor
    for (const [index, { key, cells }] of this.#rows.entries()) {
      const kept = cells.filter((cell) => findFamily(descriptor, cell.family) !== undefined)
      this.#rows[index] = { key, cells: kept }
    }
  }

  #row(key: Buffer): MemoryRow | undefined {
    const row = this.#rows[this.#indexOf(key)]
    return row?.key.equals(key) === true ? row : undefined
  }

  /** Where the row is, or would be. */
  #indexOf(key: Buffer): number {
    let from = 0
    let to = this.#rows.length
    while (from < to) {
      const middle = (from + to) >>> 1
      if (compareBytes(this.#rows[middle]!.key, key) < 0) from = middle + 1
      else to = middle
    }
    return from
  }
}
