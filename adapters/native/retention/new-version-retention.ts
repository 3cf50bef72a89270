import { ALL_VERSIONS } from '../../../src/model/query.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import type { CellMerge } from '../read/cell-merge.ts'
import type { FamilyRules } from '../read/family-rules.ts'
import { MatchCode } from '../read/match-code.ts'
import { NewVersionMatcher } from '../read/new-version-matcher.ts'
import type { Retention, RetentionTime } from './retention-matcher.ts'

/**
 * Keeps, in a compaction of all files, the cells of a family with NEW_VERSION_BEHAVIOR: the cells that a read of all versions finds.
 * HBase: MajorCompactionScanQueryMatcher with a NewVersionBehaviorTracker.
 */
export class NewVersionRetention implements Retention {
  readonly #matcher: NewVersionMatcher
  readonly #readPoint: number

  constructor(rules: FamilyRules, { now, readPoint }: RetentionTime) {
    this.#matcher = new NewVersionMatcher(rules, undefined, ALL_VERSIONS, TimeRange.ALL, now)
    this.#readPoint = readPoint
  }

  startRow(): void {
    this.#matcher.startRow()
  }

  match(cells: CellMerge): MatchCode {
    // A cell that an open scanner does not see yet hides none of those that it sees.
    return cells.iterator.sequenceId > this.#readPoint ? MatchCode.Include : this.#matcher.match(cells)
  }
}
