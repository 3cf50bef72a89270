import { compareRange, readInt32 } from '../../../src/model/bytes.ts'
import { LATEST_HIGH, LATEST_LOW } from '../../../src/model/timestamp.ts'
import type { ColumnTracker, VersionLimits } from './column-tracker.ts'
import { MatchCode } from './match-code.ts'

/** Tracks the columns that a query names, in byte order, and seeks over all others. HBase: ExplicitColumnTracker. */
export class ExplicitColumns implements ColumnTracker {
  readonly #qualifiers: readonly Buffer[]
  readonly #maxVersions: number
  readonly #minVersions: number
  #index = 0
  #versions = 0
  /**
   * Timestamp of the previous version, so that an overwritten version is left out. It begins as Long.MAX_VALUE, so a cell
   * with that very timestamp is never found by its column's name. HBase: ExplicitColumnTracker.resetTS.
   */
  #high = LATEST_HIGH
  #low = LATEST_LOW

  /** `qualifiers`: in byte order, each once, at least one. */
  constructor(qualifiers: readonly Buffer[], limits: VersionLimits) {
    this.#qualifiers = qualifiers
    this.#maxVersions = limits.maxVersions
    this.#minVersions = limits.minVersions
  }

  get done(): boolean {
    return this.#index >= this.#qualifiers.length
  }

  get wanted(): Buffer | undefined {
    return this.#qualifiers[this.#index]
  }

  startRow(): void {
    this.#index = 0
    this.#startColumn()
  }

  leaveColumn(buffer: Buffer, qualifier: number, length: number): MatchCode {
    for (;;) {
      const wanted = this.#qualifiers[this.#index]
      if (wanted === undefined) return MatchCode.NextRow
      const order = compareRange(buffer, qualifier, length, wanted, 0, wanted.length)
      if (order < 0) return MatchCode.NextColumn
      this.#nextWanted()
      if (order === 0) return this.done ? MatchCode.NextRow : MatchCode.NextColumn
    }
  }

  check(
    buffer: Buffer,
    qualifier: number,
    length: number,
    timestamp: number,
    _type: number,
    expired: boolean,
  ): MatchCode {
    for (;;) {
      const wanted = this.#qualifiers[this.#index]
      if (wanted === undefined) return MatchCode.NextRow
      const order = compareRange(buffer, qualifier, length, wanted, 0, wanted.length)
      if (order < 0) return MatchCode.NextColumn
      if (order === 0) break
      this.#nextWanted()
    }
    const high = readInt32(buffer, timestamp)
    const low = readInt32(buffer, timestamp + 4)
    if (high === this.#high && low === this.#low) return MatchCode.Skip
    this.#versions++
    if (this.#versions >= this.#maxVersions || (expired && this.#versions >= this.#minVersions)) {
      this.#nextWanted()
      return this.done ? MatchCode.IncludeAndNextRow : MatchCode.IncludeAndNextColumn
    }
    this.#high = high
    this.#low = low
    return MatchCode.Include
  }

  #nextWanted(): void {
    this.#index++
    this.#startColumn()
  }

  #startColumn(): void {
    this.#versions = 0
    this.#high = LATEST_HIGH
    this.#low = LATEST_LOW
  }
}
