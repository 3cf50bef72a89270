import { compareRange, EMPTY, readInt32 } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import type { ColumnTracker, VersionLimits } from './column-tracker.ts'
import { MatchCode } from './match-code.ts'

/** Tracks every column of a row. HBase: ScanWildcardColumnTracker. */
export class WildcardColumns implements ColumnTracker {
  readonly done = false
  readonly wanted = undefined
  readonly #maxVersions: number
  readonly #minVersions: number
  readonly #endsColumns: boolean
  #qualifier: Buffer = EMPTY
  /** Length of the present qualifier; -1: none yet in this row. */
  #length = -1
  #versions = 0
  /** Timestamp and type of the last included cell, so that identical keys count once. -1: no type. */
  #high = 0
  #low = 0
  #type = -1

  /**
   * `endsColumns`: the last version that is wanted ends its column, which passes over the tombstones behind it too: a read
   * needs none of them.
   */
  constructor(limits: VersionLimits, endsColumns = false) {
    this.#maxVersions = limits.maxVersions
    this.#minVersions = limits.minVersions
    this.#endsColumns = endsColumns
  }

  startRow(): void {
    this.#length = -1
  }

  leaveColumn(): MatchCode {
    return MatchCode.NextColumn
  }

  check(
    buffer: Buffer,
    qualifier: number,
    length: number,
    timestamp: number,
    type: number,
    expired: boolean,
  ): MatchCode {
    const high = readInt32(buffer, timestamp)
    const low = readInt32(buffer, timestamp + 4)
    if (compareRange(buffer, qualifier, length, this.#qualifier, 0, this.#length) !== 0) {
      this.#startColumn(buffer, qualifier, length)
    } else if (type === this.#type && high === this.#high && low === this.#low) {
      return MatchCode.Skip
    }
    // Raw scans show tombstones, which are no versions.
    if (type < CellType.Delete) this.#versions++
    if (this.#versions > this.#maxVersions) return MatchCode.NextColumn
    if (expired && this.#versions > this.#minVersions) return MatchCode.NextColumn
    this.#high = high
    this.#low = low
    this.#type = type
    return this.#endsColumns && this.#versions === this.#maxVersions
      ? MatchCode.IncludeAndNextColumn
      : MatchCode.Include
  }

  #startColumn(buffer: Buffer, qualifier: number, length: number): void {
    if (length > this.#qualifier.length) this.#qualifier = Buffer.allocUnsafe(length * 2)
    const copy = this.#qualifier
    for (let i = 0; i < length; i++) copy[i] = buffer[qualifier + i]!
    this.#length = length
    this.#versions = 0
    this.#type = -1
  }
}
