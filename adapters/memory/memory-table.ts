import { compareBytes, EMPTY } from '../../src/model/bytes.ts'
import { type FamilyDescriptor, findFamily, type TableDescriptor } from '../../src/model/descriptor.ts'
import type { Query } from '../../src/model/query.ts'
import { regionName } from '../../src/model/region-name.ts'
import { noSuchColumnFamily } from '../../src/model/table-description.ts'
import type { TableState } from '../../src/store.ts'
import { compareWithinRow, type StoredCell } from './stored-cell.ts'
import { visibleCells } from './visible-cells.ts'

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
  #descriptor: TableDescriptor
  readonly #rows: MemoryRow[] = []

  constructor(descriptor: TableDescriptor, splitKeys: readonly Buffer[], regionId: number) {
    this.#descriptor = descriptor
    this.splitKeys = splitKeys
    this.regionId = regionId
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

  /** What a query sees of a row. Throws NO_SUCH_COLUMN_FAMILY. */
  read(key: Buffer, query: Query, now: bigint): StoredCell[] {
    for (const { family } of query.columns) this.family(family, key)
    const row = this.#row(key)
    return row === undefined ? [] : this.readRow(row, query, now, false)
  }

  /** As read, of a row as it was when the caller got it. A raw read sees tombstones and what they hide. */
  readRow(row: MemoryRow, query: Query, now: bigint, raw: boolean): StoredCell[] {
    const { families } = this.descriptor
    const all = families.map((family) => ({ family: family.name, qualifiers: undefined }))
    const columns = query.columns.length > 0 ? query.columns : all
    return columns.flatMap(({ family: name, qualifiers }) => {
      const cells = row.cells.filter((cell) => cell.family.equals(name))
      return visibleCells(cells, this.family(name, row.key), qualifiers, query, raw, now)
    })
  }

  /** Adds cells of one row, in the order in which they were written. */
  write(cells: readonly StoredCell[]): void {
    const key = cells[0]?.row
    if (key === undefined) return
    const index = this.#indexOf(key)
    const before = this.#row(key)
    // The sort is stable: of equal keys, what comes first in the array stays first.
    const after = [...cells].reverse().concat(before?.cells ?? [])
    const row = { key, cells: after.sort(compareWithinRow) }
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
