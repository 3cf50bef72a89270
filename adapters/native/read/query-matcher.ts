import { readInt32 } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import type { TimeRange } from '../../../src/model/time-range.ts'
import { compareTimestamps, millisHigh, millisLow } from '../../../src/model/timestamp.ts'
import { LabelledDeletes } from '../../../src/query/labelled-deletes.ts'
import type { CellMerge } from './cell-merge.ts'
import { isCellExpired } from './cell-time-to-live.ts'
import type { ColumnTracker } from './column-tracker.ts'
import { DeleteTracker, Deletion } from './delete-tracker.ts'
import type { FamilyRules } from './family-rules.ts'
import { MatchCode } from './match-code.ts'
import type { Matcher } from './matcher.ts'

/**
 * Decides on the cells of a family, row by row and in order: it excludes expired cells, tombstones, hidden cells, cells
 * outside the time range or in unwanted columns, and surplus versions. HBase: NormalUserScanQueryMatcher and RawScanQueryMatcher.
 */
export class QueryMatcher implements Matcher {
  readonly #columns: ColumnTracker
  readonly #range: TimeRange
  readonly #raw: boolean
  readonly #now: number
  /** Tombstones that lie outside the time range hide nothing in it: KEEP_DELETED_CELLS. */
  readonly #seesPastTombstones: boolean
  readonly #expires: boolean
  readonly #skipsExpired: boolean
  readonly #oldestHigh: number
  readonly #oldestLow: number
  readonly #deletes: DeleteTracker = new DeleteTracker()
  /** In place of `deletes`, where cells have labels. */
  readonly #labelled: LabelledDeletes | undefined

  constructor(rules: FamilyRules, columns: ColumnTracker, range: TimeRange, raw: boolean, now: number) {
    this.#columns = columns
    this.#range = range
    this.#raw = raw
    this.#labelled = rules.isLabelled === true && !raw ? new LabelledDeletes() : undefined
    this.#now = now
    this.#seesPastTombstones = rules.keepDeletedCells !== 'FALSE'
    const oldest = now - rules.timeToLiveMs
    this.#expires = !raw && Number.isFinite(oldest)
    this.#skipsExpired = rules.minVersions <= 0
    this.#oldestHigh = this.#expires ? millisHigh(oldest) : 0
    this.#oldestLow = this.#expires ? millisLow(oldest) : 0
  }

  get wantedColumn(): Buffer | undefined {
    return this.#columns.wanted
  }

  startRow(): void {
    this.#columns.startRow()
    this.#deletes.startRow()
    this.#labelled?.startRow()
  }

  match(cells: CellMerge): MatchCode {
    const columns = this.#columns
    if (columns.done) return MatchCode.NextRow
    const { buffer, cell } = cells
    const family = cell + 10 + ((buffer[cell + 8]! << 8) | buffer[cell + 9]!)
    const qualifier = family + 1 + buffer[family]!
    const timestamp = cell + readInt32(buffer, cell) - 1
    const length = timestamp - qualifier
    const expired = this.#expires && this.#isExpired(buffer, timestamp)
    if (expired && this.#skipsExpired) return columns.leaveColumn(buffer, qualifier, length)
    const { iterator } = cells
    if (
      iterator.tagsBytes > 0 &&
      isCellExpired(buffer, iterator.tags, iterator.tagsBytes, timestamp, this.#now)
    ) {
      return MatchCode.Skip
    }
    const type = buffer[timestamp + 8]!
    if (this.#labelled !== undefined) {
      if (this.#isHiddenByLabelled(this.#labelled, cells, qualifier, timestamp)) return MatchCode.Skip
    } else if (!this.#raw) {
      const deletes = this.#deletes
      if (type >= CellType.Delete && type <= CellType.DeleteFamily) {
        if (this.#isTombstoneInForce(buffer, timestamp))
          deletes.add(buffer, qualifier, length, timestamp, type)
        return MatchCode.Skip
      }
      if (!deletes.empty) {
        const deletion = deletes.check(buffer, qualifier, length, timestamp)
        if (deletion === Deletion.Column) return columns.leaveColumn(buffer, qualifier, length)
        if (deletion === Deletion.Version) return MatchCode.Skip
      }
    }
    if (!this.#range.isAllTime) {
      const high = readInt32(buffer, timestamp)
      const low = readInt32(buffer, timestamp + 4)
      if (this.#range.endsAtOrBefore(high, low)) return MatchCode.Skip
      if (!this.#range.startsAtOrBefore(high, low)) return columns.leaveColumn(buffer, qualifier, length)
    }
    return columns.check(buffer, qualifier, length, timestamp, type, expired)
  }

  /** True for a tombstone, too. */
  #isHiddenByLabelled(
    deletes: LabelledDeletes,
    { buffer, iterator }: CellMerge,
    qualifier: number,
    time: number,
  ): boolean {
    const { tagsBytes } = iterator
    const tags = tagsBytes === 0 ? 0 : iterator.tags
    const [type, length] = [buffer[time + 8]!, time - qualifier]
    if (type >= CellType.Delete && type <= CellType.DeleteFamily) {
      if (this.#isTombstoneInForce(buffer, time))
        deletes.add(buffer, qualifier, length, time, type, tags, tagsBytes)
      return true
    }
    return !deletes.empty && deletes.hides(buffer, qualifier, length, time, tags, tagsBytes)
  }

  leaveColumn({ buffer, cell }: CellMerge): MatchCode {
    const family = cell + 10 + ((buffer[cell + 8]! << 8) | buffer[cell + 9]!)
    const qualifier = family + 1 + buffer[family]!
    return this.#columns.leaveColumn(buffer, qualifier, cell + readInt32(buffer, cell) - 1 - qualifier)
  }

  #isExpired(buffer: Buffer, timestamp: number): boolean {
    const high = readInt32(buffer, timestamp)
    const low = readInt32(buffer, timestamp + 4)
    return compareTimestamps(high, low, this.#oldestHigh, this.#oldestLow) < 0
  }

  /** A tombstone newer than the range can hide cells in the range; one older than the range cannot. */
  #isTombstoneInForce(buffer: Buffer, timestamp: number): boolean {
    if (this.#range.isAllTime) return true
    const high = readInt32(buffer, timestamp)
    const low = readInt32(buffer, timestamp + 4)
    return this.#seesPastTombstones
      ? this.#range.includes(high, low)
      : this.#range.startsAtOrBefore(high, low)
  }
}
