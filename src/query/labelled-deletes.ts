import { EMPTY, equalRange } from '../model/bytes.ts'
import { CellType } from '../model/cell.ts'
import { readTimestamp } from '../model/timestamp.ts'
import { CellVisibility } from '../model/visibility.ts'

interface TimedVisibility {
  readonly visibility: CellVisibility
  readonly timestamp: bigint
}

/**
 * The tombstones of one row and family that can still hide a cell, where cells have labels. A tombstone hides the cells with its own
 * expression, a tombstone without labels those without. HBase: VisibilityScanDeleteTracker, whose oddities test/gateway/policies/labels
 * has recorded. Only the kind and the time of a column's last tombstone count, so a version's tombstone below that of a column replaces
 * it. And a column's tombstone with labels hides the cell of its own time without labels.
 */
export class LabelledDeletes {
  empty = true
  readonly #families: TimedVisibility[] = []
  readonly #familyVersions: TimedVisibility[] = []
  /** The type of the column's last tombstone; 0: it has none. */
  #type = 0
  #timestamp = 0n
  #qualifier: Buffer = EMPTY
  #columns: CellVisibility[] = []
  #versions: CellVisibility[] = []

  startRow(): void {
    if (this.empty) return
    this.empty = true
    this.#families.length = 0
    this.#familyVersions.length = 0
    this.#leaveColumn()
  }

  #leaveColumn(): void {
    this.#type = 0
    this.#columns = []
    this.#versions = []
  }

  /** Adds a tombstone. They must come in cell order. */
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
      this.#families.push({ visibility, timestamp })
      return
    }
    if (type === CellType.DeleteFamilyVersion) {
      this.#familyVersions.push({ visibility, timestamp })
      return
    }
    if (this.#type !== 0) {
      if (!this.#isColumn(buffer, qualifier, length)) this.#leaveColumn()
      else if (type === CellType.Delete && this.#timestamp !== timestamp) this.#versions = []
    }
    this.#qualifier = Buffer.from(buffer.subarray(qualifier, qualifier + length))
    this.#type = type
    this.#timestamp = timestamp
    const ofKind = type === CellType.DeleteColumn ? this.#columns : this.#versions
    ofKind.push(visibility)
  }

  /** True where the tombstones so far hide the cell. */
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
    const isOf = ({ visibility }: TimedVisibility): boolean => visibility.isThatOf(cell)
    if (this.#families.some((each) => timestamp <= each.timestamp && isOf(each))) return true
    if (this.#familyVersions.some((each) => timestamp === each.timestamp && isOf(each))) return true
    if (this.#type === 0) return false
    if (!this.#isColumn(buffer, qualifier, length)) {
      this.#leaveColumn()
      return false
    }
    if (this.#type === CellType.DeleteColumn && isHiddenBy(this.#columns, cell)) return true
    return timestamp === this.#timestamp && isHiddenBy(this.#versions, cell)
  }

  #isColumn(buffer: Buffer, qualifier: number, length: number): boolean {
    return equalRange(buffer, qualifier, length, this.#qualifier, 0, this.#qualifier.length)
  }
}

/** True where a tombstone of the kind hides the cell. If the list is empty, a tombstone of another kind is the last one, and hides cells without labels. */
function isHiddenBy(tombstones: readonly CellVisibility[], cell: CellVisibility): boolean {
  return tombstones.length === 0 ? cell.isEmpty : tombstones.some((each) => each.isThatOf(cell))
}
