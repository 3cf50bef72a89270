import { readInt32 } from '../../../src/model/bytes.ts'
import { CellType } from '../../../src/model/cell.ts'
import { compareTimestamps, millisHigh, millisLow } from '../../../src/model/timestamp.ts'
import { LabelledDeletes } from '../../../src/query/labelled-deletes.ts'
import type { CellMerge } from '../read/cell-merge.ts'
import { isCellExpired } from '../read/cell-time-to-live.ts'
import { DeleteTracker, Deletion } from '../read/delete-tracker.ts'
import type { FamilyRules } from '../read/family-rules.ts'
import { MatchCode } from '../read/match-code.ts'
import { WildcardColumns } from '../read/wildcard-columns.ts'

/** Decides which cells a flush or a compaction writes, row by row and in order. */
export interface Retention {
  startRow(): void
  match(cells: CellMerge): MatchCode
}

/** The moment of a flush or compaction. */
export interface RetentionTime {
  /** Milliseconds since 1970, by which cells expire. */
  readonly now: number
  /** The least read point of an open scanner; what was written later may yet be needed as it stands. */
  readonly readPoint: number
}

/** Rules of a compaction of all files of a store, which may drop tombstones. */
export interface TombstoneDrop {
  /** Halves of the least timestamp of a put in the files. */
  readonly earliestPutHigh: number
  readonly earliestPutLow: number
  /** Tombstones younger than this stay. HBase: hbase.hstore.time.to.purge.deletes. */
  readonly purgeDeletesMs: number
}

/**
 * Drops expired cells, surplus versions, and the cells that tombstones of the same input hide. HBase:
 * MinorCompactionScanQueryMatcher and, with `drop`, MajorCompactionScanQueryMatcher.
 *
 * NextColumn passes over the tombstones too that follow in the column. So a flush loses a tombstone that is older than the
 * last version that the family keeps.
 * Cells newer than the read point stay, do not count as versions, and hide nothing. Open scanners hold the runs that they
 * read; a scanner that is opened anew at the same read point needs those cells' predecessors.
 */
export class RetentionMatcher implements Retention {
  readonly #columns: WildcardColumns
  readonly #deletes = new DeleteTracker()
  /** In place of `deletes`, where cells have labels. */
  readonly #labelled: LabelledDeletes | undefined
  readonly #keepDeletedCells: FamilyRules['keepDeletedCells']
  readonly #drop: TombstoneDrop | undefined
  readonly #now: number
  readonly #readPoint: number
  readonly #expires: boolean
  readonly #skipsExpired: boolean
  readonly #oldestHigh: number
  readonly #oldestLow: number
  readonly #unpurgedHigh: number
  readonly #unpurgedLow: number

  /** Without `drop` all tombstones that are looked at stay. */
  constructor(rules: FamilyRules, { now, readPoint }: RetentionTime, drop?: TombstoneDrop) {
    this.#columns = new WildcardColumns(rules)
    this.#keepDeletedCells = rules.keepDeletedCells
    this.#drop = drop
    this.#labelled = rules.isLabelled === true ? new LabelledDeletes() : undefined
    this.#now = now
    this.#readPoint = readPoint
    const oldest = now - rules.timeToLiveMs
    this.#expires = Number.isFinite(oldest)
    this.#skipsExpired = rules.minVersions <= 0
    this.#oldestHigh = this.#expires ? millisHigh(oldest) : 0
    this.#oldestLow = this.#expires ? millisLow(oldest) : 0
    const unpurged = now - (drop?.purgeDeletesMs ?? 0)
    this.#unpurgedHigh = millisHigh(unpurged)
    this.#unpurgedLow = millisLow(unpurged)
  }

  startRow(): void {
    this.#columns.startRow()
    this.#deletes.startRow()
    this.#labelled?.startRow()
  }

  match(cells: CellMerge): MatchCode {
    const { buffer, cell } = cells
    const family = cell + 10 + ((buffer[cell + 8]! << 8) | buffer[cell + 9]!)
    const qualifier = family + 1 + buffer[family]!
    const timestamp = cell + readInt32(buffer, cell) - 1
    const length = timestamp - qualifier
    const high = readInt32(buffer, timestamp)
    const low = readInt32(buffer, timestamp + 4)
    const expired = this.#expires && compareTimestamps(high, low, this.#oldestHigh, this.#oldestLow) < 0
    if (expired && this.#skipsExpired) return MatchCode.NextColumn
    const { iterator } = cells
    const { tagsBytes } = iterator
    const tags = tagsBytes === 0 ? 0 : iterator.tags
    if (tagsBytes > 0 && isCellExpired(buffer, tags, tagsBytes, timestamp, this.#now)) return MatchCode.Skip
    const type = buffer[timestamp + 8]!
    const isNewer = this.#readPoint < Number.POSITIVE_INFINITY && cells.iterator.sequenceId > this.#readPoint
    const deletes = this.#deletes
    const labelled = this.#labelled
    if (type >= CellType.Delete && type <= CellType.DeleteFamily) {
      if (isNewer) return MatchCode.Include
      if (this.#hides(expired)) {
        if (labelled === undefined) deletes.add(buffer, qualifier, length, timestamp, type)
        else labelled.add(buffer, qualifier, length, timestamp, type, tags, tagsBytes)
      }
      if (this.#drop === undefined) return MatchCode.Include
      const code = this.#tryDrop(this.#drop, high, low, expired)
      if (code !== undefined) return code
      // It hides cells of all columns, and stands among the versions of the one without a qualifier.
      if (type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion) return MatchCode.Include
    } else if (labelled !== undefined) {
      if (!labelled.empty && labelled.hides(buffer, qualifier, length, timestamp, tags, tagsBytes))
        return MatchCode.Skip
    } else if (!deletes.empty) {
      const deletion = deletes.check(buffer, qualifier, length, timestamp)
      if (deletion === Deletion.Column) return MatchCode.NextColumn
      if (deletion === Deletion.Version) return MatchCode.Skip
    }
    return isNewer
      ? MatchCode.Include
      : this.#columns.check(buffer, qualifier, length, timestamp, type, expired)
  }

  /** Whether a tombstone hides cells: one that is kept for readers of the past hides none of them. */
  #hides(expired: boolean): boolean {
    const keep = this.#keepDeletedCells
    return keep === 'FALSE' || (keep === 'TTL' && expired)
  }

  /** Undefined for a tombstone that stays with the versions that it stands between. */
  #tryDrop(drop: TombstoneDrop, high: number, low: number, expired: boolean): MatchCode | undefined {
    const isFresh = compareTimestamps(high, low, this.#unpurgedHigh, this.#unpurgedLow) >= 0
    if (drop.purgeDeletesMs > 0 && isFresh) return MatchCode.Include
    if (this.#hides(expired)) return MatchCode.Skip
    const hasNoPut = compareTimestamps(high, low, drop.earliestPutHigh, drop.earliestPutLow) < 0
    return hasNoPut ? MatchCode.NextColumn : undefined
  }
}

/**
 * Keeps every cell: HBase's IncludeAllCompactionQueryMatcher. In a family with NEW_VERSION_BEHAVIOR cells of other files
 * decide on the cells of one, and overwritten and hidden cells count as versions.
 */
export const KEEP_ALL: Retention = {
  startRow: () => undefined,
  match: () => MatchCode.Include,
}
