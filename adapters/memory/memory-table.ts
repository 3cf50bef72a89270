import { compareBytes, EMPTY } from '../../src/model/bytes.ts'
import { type FamilyDescriptor, findFamily, type TableDescriptor } from '../../src/model/descriptor.ts'
import type { Get, Query } from '../../src/model/query.ts'
import { regionName } from '../../src/model/region-name.ts'
import { replication } from '../../src/model/region-replication.ts'
import { noSuchColumnFamily } from '../../src/model/table-description.ts'
import { LATEST_TIMESTAMP } from '../../src/model/timestamp.ts'
import { readColumns } from '../../src/query/read-columns.ts'
import { RegionRead } from '../../src/query/region-read.ts'
import { retainedCells } from '../../src/query/retained-cells.ts'
import { isInKeyRange } from '../../src/query/row-range.ts'
import {
  compareWithinRow,
  isTombstone,
  type StoredCell,
  type StoredRow,
} from '../../src/query/stored-cell.ts'
import type { RegionLocation, TableState } from '../../src/store/catalog.ts'
import { regionNotOnline } from '../../src/store/refusals.ts'

/** A cell with the number of the write that brought it. */
interface MemoryCell extends StoredCell {
  readonly sequence: bigint
}

/** A change makes a new row object, so that a reader keeps a whole row as it was. */
interface MemoryRow extends StoredRow {
  readonly cells: readonly MemoryCell[]
}

/** A table: its descriptor, its regions, and its rows in order. */
export class MemoryTable {
  state: TableState = 'ENABLED'
  /** In order of their start keys. */
  regions: readonly RegionLocation[]
  /** For each region, the numbers of the copies that are closed though the table may be enabled; 0 is the region itself. */
  readonly closed: Map<RegionLocation, readonly number[]> = new Map()
  /** True: tombstones hide only cells with the same labels. */
  readonly isLabelled: boolean
  #descriptor: TableDescriptor
  readonly #rows: MemoryRow[] = []
  #sequence = 1n
  /** For each region, the last write that a flush has brought to its files. */
  readonly #flushed = new Map<RegionLocation, bigint>()
  /** The read points of open scanners. */
  readonly #readPoints = new Set<{ readonly region: RegionLocation; readonly readPoint: bigint }>()
  readonly #random: () => number

  /** `regionId`: the time at which its regions are made, in milliseconds since 1970. */
  constructor(
    descriptor: TableDescriptor,
    splitKeys: readonly Buffer[],
    regionId: number,
    random: () => number,
    isLabelled: boolean,
  ) {
    this.isLabelled = isLabelled
    this.#descriptor = descriptor
    this.#random = random
    this.regions = [EMPTY, ...splitKeys].map((startKey, index) =>
      this.#newRegion(startKey, splitKeys[index] ?? EMPTY, regionId),
    )
  }

  #newRegion(startKey: Buffer, endKey: Buffer, regionId: number): RegionLocation {
    const table = this.#descriptor.name
    return { table, startKey, endKey, regionId, ...regionName(table, startKey, regionId), server: undefined }
  }

  /** Replaces neighbouring regions, which it flushes, by new ones that begin at these keys. */
  exchange(
    replaced: readonly RegionLocation[],
    startKeys: readonly Buffer[],
    regionId: number,
    now: bigint,
  ): void {
    for (const region of replaced) this.flush(region, now)
    const { endKey } = replaced.at(-1)!
    const heirs = startKeys.map((key, index) =>
      this.#newRegion(Buffer.from(key), startKeys[index + 1] ?? endKey, regionId),
    )
    for (const heir of heirs) this.#flushed.set(heir, this.#sequence)
    this.regions = this.regions.flatMap((region) => {
      if (region === replaced[0]) return heirs
      return replaced.includes(region) ? [] : [region]
    })
  }

  /** Drops the rows of a region, also those that open scanners have not read yet. */
  dropRows(region: RegionLocation): void {
    const kept = this.#rows.filter(({ key }) => !isInKeyRange(key, region))
    this.#rows.splice(0, this.#rows.length, ...kept)
  }

  get descriptor(): TableDescriptor {
    return this.#descriptor
  }

  get splitKeys(): Buffer[] {
    return this.regions.slice(1).map(({ startKey }) => startKey)
  }

  /** The last write that a scan opened now sees. */
  get readPoint(): bigint {
    return this.#sequence
  }

  /** The region that has the row. */
  regionAt(row: Buffer): RegionLocation {
    return this.regions.findLast(({ startKey }) => compareBytes(startKey, row) <= 0)!
  }

  /** True where the region itself (0), its copy of that number, or every copy ('any') is closed though the table may be enabled. */
  isClosed(region: RegionLocation, replica: Query['replica'] = 0): boolean {
    const closed = this.closed.get(region) ?? []
    return replica === 'any' ? closed.length >= replication(this.descriptor) : closed.includes(replica)
  }

  /** Closes or opens the region itself or a copy. */
  setClosed(region: RegionLocation, replica: number, isClosed: boolean): void {
    const others = (this.closed.get(region) ?? []).filter((number) => number !== replica)
    this.closed.set(region, isClosed ? [...others, replica].sort((a, b) => a - b) : others)
  }

  /** Throws NOT_SERVING_REGION where the row's region is closed. `replica`: as isClosed. */
  checkServed(row: Buffer, replica?: Query['replica']): void {
    const region = this.regionAt(row)
    if (this.isClosed(region, replica)) throw regionNotOnline(region.encodedName)
  }

  /** The rows as they were after the write of that number, without later writes. */
  rowsAt(readPoint: bigint): StoredRow[] {
    if (readPoint >= this.#sequence) return [...this.#rows]
    return this.#rows.map((row) => atReadPoint(row, readPoint))
  }

  /** The family of that name. Throws NO_SUCH_COLUMN_FAMILY, which names the region of the row. */
  family(name: Buffer, row: Buffer): FamilyDescriptor {
    const family = findFamily(this.descriptor, name)
    if (family === undefined) throw noSuchColumnFamily(name, this.regionAt(row).name, this.descriptor)
    return family
  }

  /** The cells of a row that a query sees, as of a read point or now. Throws NO_SUCH_COLUMN_FAMILY, and as RegionRead. */
  read(
    key: Buffer,
    query: Query & Pick<Get, 'raw'>,
    now: bigint,
    readPoint: bigint = this.#sequence,
  ): StoredCell[] {
    const columns = readColumns(query, this.descriptor, this.regionAt(key).name, this.isLabelled)
    const row = atReadPoint(this.#row(key) ?? { key, cells: [] }, readPoint)
    return new RegionRead(query, columns, { now, random: this.#random }).read(row)
  }

  /** Adds the cells of a batch, in the order in which they were written. */
  write(cells: readonly StoredCell[]): void {
    this.#sequence++
    const rows = new Map<string, MemoryCell[]>()
    for (const cell of cells) {
      const written = { ...cell, sequence: this.#sequence }
      const key = cell.row.toString('latin1')
      const ofRow = rows.get(key)
      if (ofRow === undefined) rows.set(key, [written])
      else ofRow.push(written)
    }
    for (const ofRow of rows.values()) this.#writeRow(ofRow[0]!.row, ofRow)
  }

  #writeRow(key: Buffer, cells: readonly MemoryCell[]): void {
    const index = this.#indexOf(key)
    const before = this.#row(key)
    // The sort is stable: equal cells keep their order.
    const newestFirst = [...cells].reverse().sort(compareWithinRow)
    // A batch has one sequence id, so the last of its cells with one key replaces the others.
    const added = newestFirst.filter(
      (cell, i) => i === 0 || compareWithinRow(newestFirst[i - 1]!, cell) !== 0,
    )
    const row = { key, cells: added.concat(before?.cells ?? []).sort(compareWithinRow) }
    this.#rows.splice(index, before === undefined ? 0 : 1, row)
  }

  /** Keeps the cells that a scanner at the read point sees, until the returned function is called. */
  keepReadPoint(region: RegionLocation, readPoint: bigint): () => void {
    const kept = { region, readPoint }
    this.#readPoints.add(kept)
    return () => void this.#readPoints.delete(kept)
  }

  /** Drops, of the cells written since the region's last flush, those that HBase's flush drops. True if there were any cells. */
  flush(region: RegionLocation, now: bigint): boolean {
    const flushed = this.#flushed.get(region) ?? 0n
    const hasUnflushedCells = this.#rows.some(
      ({ key, cells }) => isInKeyRange(key, region) && cells.some(({ sequence }) => sequence > flushed),
    )
    this.#retain(
      region,
      ({ sequence }) => sequence > flushed,
      (cells, family, isNewer) => retainedCells(cells, family, { now, isNewer, isLabelled: this.isLabelled }),
    )
    this.#flushed.set(region, this.#sequence)
    return hasUnflushedCells
  }

  /** Drops, of the flushed cells, those that HBase's major compaction drops. `wanted`: a family; undefined: all. */
  compact(region: RegionLocation, wanted: Buffer | undefined, now: bigint): void {
    const flushed = this.#flushed.get(region) ?? 0n
    const isCompacted = ({ sequence, family }: MemoryCell): boolean =>
      sequence <= flushed && (wanted === undefined || wanted.equals(family))
    const earliestPuts = new Map<string, bigint>()
    for (const { key, cells } of this.#rows) {
      if (!isInKeyRange(key, region)) continue
      for (const { family, timestamp } of cells.filter((cell) => isCompacted(cell) && !isTombstone(cell))) {
        const earliest = earliestPuts.get(family.toString('latin1')) ?? LATEST_TIMESTAMP
        earliestPuts.set(family.toString('latin1'), timestamp < earliest ? timestamp : earliest)
      }
    }
    this.#retain(region, isCompacted, (cells, family, isNewer) => {
      const earliest = earliestPuts.get(family.name.toString('latin1')) ?? LATEST_TIMESTAMP
      return retainedCells(cells, family, { now, isNewer, isLabelled: this.isLabelled }, earliest)
    })
  }

  /** Replaces the rewritten cells of each row and family of a region by those that `leave` returns. */
  #retain(
    region: RegionLocation,
    isRewritten: (cell: MemoryCell) => boolean,
    leave: (
      cells: MemoryCell[],
      family: FamilyDescriptor,
      isNewer: (cell: StoredCell) => boolean,
    ) => MemoryCell[],
  ): void {
    const readPoints = [...this.#readPoints].filter((kept) => overlaps(kept.region, region))
    const isNewer = (cell: StoredCell): boolean =>
      readPoints.some(({ readPoint }) => (cell as MemoryCell).sequence > readPoint)
    for (const [index, { key, cells }] of this.#rows.entries()) {
      if (!isInKeyRange(key, region)) continue
      const rewritten = cells.filter(isRewritten)
      const left = new Set(
        this.descriptor.families.flatMap((family) =>
          leave(
            rewritten.filter((cell) => cell.family.equals(family.name)),
            family,
            isNewer,
          ),
        ),
      )
      this.#rows[index] = { key, cells: cells.filter((cell) => !isRewritten(cell) || left.has(cell)) }
    }
  }

  /** Takes another descriptor and drops the cells of families that it does not have. */
  modify(descriptor: TableDescriptor): void {
    this.#descriptor = descriptor
    const copies = replication(descriptor)
    for (const [region, numbers] of this.closed)
      this.closed.set(
        region,
        numbers.filter((number) => number < copies),
      )
    for (const [index, { key, cells }] of this.#rows.entries()) {
      const kept = cells.filter((cell) => findFamily(descriptor, cell.family) !== undefined)
      this.#rows[index] = { key, cells: kept }
    }
  }

  #row(key: Buffer): MemoryRow | undefined {
    const row = this.#rows[this.#indexOf(key)]
    return row?.key.equals(key) === true ? row : undefined
  }

  /** The index of the row, or the one at which it would be inserted. */
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

/** True where the regions have rows in common: a split or a merge may have made the one from the other. */
function overlaps(a: RegionLocation, b: RegionLocation): boolean {
  return isInKeyRange(a.startKey, b) || isInKeyRange(b.startKey, a)
}

/** The row without the cells that were written after the read point. */
function atReadPoint({ key, cells }: MemoryRow, readPoint: bigint): MemoryRow {
  return { key, cells: cells.filter(({ sequence }) => sequence <= readPoint) }
}
