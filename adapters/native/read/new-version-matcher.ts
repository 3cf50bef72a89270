import { compareRange, readInt32 } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import type { TimeRange } from '../../../src/model/time-range.ts'
import { MIN_TIMESTAMP, readTimestamp } from '../../../src/model/timestamp.ts'
import { CellVisibility } from '../../../src/model/visibility.ts'
import type { CellMerge } from './cell-merge.ts'
import { isCellExpired } from './cell-time-to-live.ts'
import type { FamilyRules } from './family-rules.ts'
import { MatchCode } from './match-code.ts'
import type { Matcher } from './matcher.ts'
import { WriteHistory } from './write-history.ts'

/**
 * A QueryMatcher for families with NEW_VERSION_BEHAVIOR: tombstones hide cells written before them, and versions count in
 * the order in which they were written. HBase: NewVersionBehaviorTracker. It keeps an object for every version, so such
 * families are slower.
 */
export class NewVersionMatcher implements Matcher {
  readonly #rules: FamilyRules
  readonly #qualifiers: readonly Buffer[] | undefined
  readonly #range: TimeRange
  readonly #versionsWanted: number
  readonly #now: number
  readonly #oldest: bigint
  #familyHistory: WriteHistory
  #history: WriteHistory
  /** Qualifier of the present column; undefined before the first column of the row. */
  #qualifier: Buffer | undefined
  /** Index of the next wanted column in `qualifiers`. */
  #index = 0
  #versions = 0
  #putTimestamp: bigint | undefined
  #putSequenceId = 0

  /** `qualifiers`: in byte order; undefined for every column. */
  constructor(
    rules: FamilyRules,
    qualifiers: readonly Buffer[] | undefined,
    maxVersions: number,
    range: TimeRange,
    now: number,
  ) {
    this.#rules = rules
    this.#qualifiers = qualifiers
    this.#versionsWanted = Math.min(maxVersions, rules.maxVersions)
    this.#range = range
    this.#now = now
    this.#oldest = Number.isFinite(rules.timeToLiveMs) ? BigInt(now - rules.timeToLiveMs) : MIN_TIMESTAMP
    this.#familyHistory = new WriteHistory(rules.maxVersions)
    this.#history = this.#familyHistory
  }

  get wantedColumn(): Buffer | undefined {
    return this.#qualifiers?.[this.#index]
  }

  startRow(): void {
    this.#familyHistory = new WriteHistory(this.#rules.maxVersions)
    this.#qualifier = undefined
    this.#index = 0
  }

  match(cells: CellMerge): MatchCode {
    const { buffer, cell } = cells
    const { tags, tagsBytes, sequenceId } = cells.iterator
    const family = cell + 10 + ((buffer[cell + 8]! << 8) | buffer[cell + 9]!)
    const qualifier = family + 1 + buffer[family]!
    const time = cell + readInt32(buffer, cell) - 1
    if (tagsBytes > 0 && isCellExpired(buffer, tags, tagsBytes, time, this.#now)) return MatchCode.Skip
    const type = buffer[time + 8]!
    const timestamp = readTimestamp(buffer, time)
    const visibility =
      this.#rules.isLabelled === true
        ? CellVisibility.of(buffer, tagsBytes === 0 ? 0 : tags, tagsBytes)
        : undefined
    const ofFamily = type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion
    if (!ofFamily) this.#enterColumn(buffer, qualifier, time - qualifier)
    if (type !== CellType.Put) {
      this.#addTombstone(type, timestamp, sequenceId, visibility)
      return MatchCode.Skip
    }
    const overwritten = this.#putTimestamp === timestamp
    const overwrittenAt = overwritten ? this.#putSequenceId : undefined
    if (!overwritten) {
      this.#putTimestamp = timestamp
      this.#putSequenceId = sequenceId
    }
    if (!this.#history.addPut(timestamp, sequenceId, overwrittenAt, visibility)) return MatchCode.Skip
    return this.#matchColumn(buffer, qualifier, time, timestamp)
  }

  leaveColumn(): MatchCode {
    const wanted = this.wantedColumn
    if (wanted !== undefined && this.#qualifier?.equals(wanted) === true) this.#index++
    return MatchCode.NextColumn
  }

  #enterColumn(buffer: Buffer, qualifier: number, length: number): void {
    const present = this.#qualifier
    if (present !== undefined && compareRange(buffer, qualifier, length, present, 0, present.length) === 0) {
      return
    }
    this.#qualifier = Buffer.from(buffer.subarray(qualifier, qualifier + length))
    this.#history = this.#familyHistory.copy()
    this.#versions = 0
    this.#putTimestamp = undefined
  }

  /** Leaves out a tombstone that hides nothing: one older than the time range or, with tombstones kept, outside it. */
  #addTombstone(
    type: number,
    timestamp: bigint,
    sequenceId: number,
    visibility: CellVisibility | undefined,
  ): void {
    const { isAllTime, min, max } = this.#range
    if (!isAllTime && timestamp < min) return
    if (!isAllTime && timestamp >= max && this.#rules.keepDeletedCells !== 'FALSE') return
    this.#putTimestamp = undefined
    if (type === CellType.DeleteFamily) {
      this.#familyHistory.addTombstone(timestamp, sequenceId, visibility)
      // The column without a qualifier shares its place with family tombstones and may have begun before them.
      if (this.#qualifier !== undefined) this.#history.addTombstone(timestamp, sequenceId, visibility)
    } else if (type === CellType.DeleteFamilyVersion) {
      this.#familyHistory.addVersionTombstone(timestamp, sequenceId, visibility)
      if (this.#qualifier !== undefined) this.#history.addVersionTombstone(timestamp, sequenceId, visibility)
    } else if (type === CellType.DeleteColumn) this.#history.addTombstone(timestamp, sequenceId, visibility)
    else this.#history.addVersionTombstone(timestamp, sequenceId, visibility)
  }

  #matchColumn(buffer: Buffer, qualifier: number, time: number, timestamp: bigint): MatchCode {
    const { isAllTime, min, max } = this.#range
    if (!isAllTime && timestamp >= max) return MatchCode.Skip
    if (!isAllTime && timestamp < min) return MatchCode.NextColumn
    for (let wanted = this.wantedColumn; wanted !== undefined; wanted = this.wantedColumn) {
      const order = compareRange(buffer, qualifier, time - qualifier, wanted, 0, wanted.length)
      if (order < 0) return MatchCode.NextColumn
      if (order === 0) break
      this.#index++
    }
    if (this.#qualifiers !== undefined && this.wantedColumn === undefined) return MatchCode.NextRow
    this.#versions++
    const expired = timestamp < this.#oldest
    if (expired && this.#versions > this.#rules.minVersions) return MatchCode.NextColumn
    if (this.#versions > this.#versionsWanted) return MatchCode.NextColumn
    const last =
      this.#versions === this.#versionsWanted || (expired && this.#versions === this.#rules.minVersions)
    return last ? MatchCode.IncludeAndNextColumn : MatchCode.Include
  }
}
