import { EMPTY, equalRange, readInt32 } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import { compareTimestamps } from '../../../src/model/timestamp.ts'

/** Verdict of the tombstones so far on a cell. */
export const Deletion = {
  None: 0,
  /** Only this version is deleted. */
  Version: 1,
  /** This version and all older ones of the column are deleted. */
  Column: 2,
} as const
export type Deletion = (typeof Deletion)[keyof typeof Deletion]

/**
 * The tombstones of one row that can still hide a cell. A tombstone sorts before the cells that it hides, whichever was
 * written first: family tombstones have the empty qualifier, so they come first in the row; a column's tombstones stand
 * among its versions. HBase: ScanDeleteTracker.
 */
export class DeleteTracker {
  empty = true
  #hasFamily = false
  #familyHigh = 0
  #familyLow = 0
  /** Halves of the timestamps that DeleteFamilyVersion names, in pairs, newest first. */
  readonly #familyVersions: number[] = []
  #columnType = 0
  #qualifier: Buffer = EMPTY
  #length = 0
  #columnHigh = 0
  #columnLow = 0

  startRow(): void {
    if (this.empty) return
    this.empty = true
    this.#hasFamily = false
    this.#familyVersions.length = 0
    this.#columnType = 0
  }

  add(buffer: Buffer, qualifier: number, length: number, timestamp: number, type: number): void {
    const high = readInt32(buffer, timestamp)
    const low = readInt32(buffer, timestamp + 4)
    if (this.#hasFamily && compareTimestamps(high, low, this.#familyHigh, this.#familyLow) <= 0) return
    this.empty = false
    if (type === CellType.DeleteFamily) {
      this.#hasFamily = true
      this.#familyHigh = high
      this.#familyLow = low
      return
    }
    if (type === CellType.DeleteFamilyVersion) {
      this.#familyVersions.push(high, low)
      return
    }
    // A column tombstone already hides the version that a version tombstone below it names.
    if (type < this.#columnType && this.#isColumn(buffer, qualifier, length)) return
    if (length > this.#qualifier.length) this.#qualifier = Buffer.allocUnsafe(length * 2)
    const copy = this.#qualifier
    for (let i = 0; i < length; i++) copy[i] = buffer[qualifier + i]!
    this.#length = length
    this.#columnType = type
    this.#columnHigh = high
    this.#columnLow = low
  }

  check(buffer: Buffer, qualifier: number, length: number, timestamp: number): Deletion {
    const high = readInt32(buffer, timestamp)
    const low = readInt32(buffer, timestamp + 4)
    if (this.#hasFamily && compareTimestamps(high, low, this.#familyHigh, this.#familyLow) <= 0) {
      return Deletion.Column
    }
    if (this.#isFamilyVersion(high, low)) return Deletion.Version
    if (this.#columnType !== 0) {
      if (this.#isColumn(buffer, qualifier, length)) {
        if (this.#columnType === CellType.DeleteColumn) return Deletion.Column
        if (high === this.#columnHigh && low === this.#columnLow) return Deletion.Version
      }
      this.#columnType = 0
      this.empty = !this.#hasFamily && this.#familyVersions.length === 0
    }
    return Deletion.None
  }

  #isColumn(buffer: Buffer, qualifier: number, length: number): boolean {
    return equalRange(buffer, qualifier, length, this.#qualifier, 0, this.#length)
  }

  #isFamilyVersion(high: number, low: number): boolean {
    const stamps = this.#familyVersions
    let from = 0
    let to = stamps.length >> 1
    while (from < to) {
      const middle = (from + to) >> 1
      const order = compareTimestamps(stamps[2 * middle]!, stamps[2 * middle + 1]!, high, low)
      if (order === 0) return true
      if (order > 0) from = middle + 1
      else to = middle
    }
    return false
  }
}
