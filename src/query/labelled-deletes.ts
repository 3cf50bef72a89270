import { EMPTY, equalRange } from '../model/bytes.ts'
import { CellType } from '../model/cell.ts'
import { readTimestamp } from '../model/timestamp.ts'
import { CellVisibility } from '../model/visibility.ts'

interface TimedVisibility {
  readonly visibility: CellVisibility
  readonly timestamp: bigint
}

/**
 * The tombstones of one row and family that can still hide a cell, where cells have labels: a tombstone hides the cells of its own
 * expression. HBase: VisibilityScanDeleteTracker, with its oddities: beside a tombstone with labels one of the same kind without
 * them hides nothing, and a column's last tombstone alone counts. QUIRK: recorded in test/gateway/labels.
 */
export class LabelledDeletes {
  empty = true
  #familyStamp: bigint | undefined
  readonly #families: TimedVisibility[] = []
  readonly #familyVersionStamps = new Set<bigint>()
  readonly #familyVersions: TimedVisibility[] = []
  /** Of the column's last tombstone; 0: it has none. */
  #type = 0
  #timestamp = 0n
  #qualifier: Buffer = EMPTY
  #columns: CellVisibility[] = []
  #versions: CellVisibility[] = []

  startRow(): void {
    if (this.empty) return
    this.empty = true
    this.#familyStamp = undefined
    this.#families.length = 0
    this.#familyVersionStamps.clear()
    this.#familyVersions.length = 0
    this.#leaveColumn()
  }

  #leaveColumn(): void {
    this.#type = 0
    this.#columns = []
    this.#versions = []
  }

  /** A tombstone, in the order of cells. */
  add(
    buffer: Buffer,
    qualifier: number,
    length: number,
    time: number,
    type: number,
    tags: number,
    tagsBytes: number,
  ): void {
    this.empty = false
    const timestamp = readTimestamp(buffer, time)
    const visibility = CellVisibility.of(buffer, tags, tagsBytes)
    if (type === CellType.DeleteFamily) {
      if (!visibility.isEmpty) this.#families.push({ visibility, timestamp })
      else if (this.#familyStamp === undefined || timestamp > this.#familyStamp) this.#familyStamp = timestamp
      return
    }
    if (type === CellType.DeleteFamilyVersion) {
      this.#familyVersionStamps.add(timestamp)
      if (!visibility.isEmpty) this.#familyVersions.push({ visibility, timestamp })
      return
    }
    if (this.#type !== 0) {
      if (!this.#isColumn(buffer, qualifier, length)) this.#leaveColumn()
      else if (type === CellType.Delete && this.#timestamp !== timestamp) this.#versions = []
    }
    this.#qualifier = Buffer.from(buffer.subarray(qualifier, qualifier + length))
    this.#type = type
    this.#timestamp = timestamp
    if (!visibility.isEmpty) (type === CellType.DeleteColumn ? this.#columns : this.#versions).push(visibility)
  }

  /** Whether the tombstones so far hide the cell. */
  hides(
    buffer: Buffer,
    qualifier: number,
    length: number,
    time: number,
    tags: number,
    tagsBytes: number,
  ): boolean {
    const timestamp = readTimestamp(buffer, time)
    const cell = CellVisibility.of(buffer, tags, tagsBytes)
    if (this.#familyHides(timestamp, cell) || this.#familyVersionHides(timestamp, cell)) return true
    if (this.#type === 0) return false
    if (!this.#isColumn(buffer, qualifier, length)) {
      this.#leaveColumn()
      return false
    }
    if (this.#type === CellType.DeleteColumn && isHiddenBy(this.#columns, cell)) return true
    return timestamp === this.#timestamp && isHiddenBy(this.#versions, cell)
  }

  #familyHides(timestamp: bigint, cell: CellVisibility): boolean {
    if (this.#families.length > 0)
      return this.#families.some((each) => timestamp <= each.timestamp && each.visibility.isThatOf(cell))
    return this.#familyStamp !== undefined && cell.isEmpty && timestamp <= this.#familyStamp
  }

  #familyVersionHides(timestamp: bigint, cell: CellVisibility): boolean {
    if (!this.#familyVersionStamps.has(timestamp)) return false
    if (this.#familyVersions.length === 0) return cell.isEmpty
    return this.#familyVersions.some(
      (each) => timestamp === each.timestamp && each.visibility.isThatOf(cell),
    )
  }

  #isColumn(buffer: Buffer, qualifier: number, length: number): boolean {
    return equalRange(buffer, qualifier, length, this.#qualifier, 0, this.#qualifier.length)
  }
}

/** By the tombstones with labels where there are any, else by one without. */
function isHiddenBy(labelled: readonly CellVisibility[], cell: CellVisibility): boolean {
  return labelled.length === 0 ? cell.isEmpty : labelled.some((each) => each.isThatOf(cell))
}
