/**
 * The cells that a flush or a major compaction keeps of those that it reads: HBase's CompactionScanQueryMatcher as one loop
 * over a sorted array.
 */

import { CellType } from '../model/cell.ts'
import {
  type FamilyDescriptor,
  type KeepDeletedCells,
  keepDeletedCellsOf,
  maxVersionsOf,
  minVersionsOf,
} from '../model/descriptor.ts'
import { ALL_VERSIONS, scan } from '../model/query.ts'
import { decide } from './hidden-by-labels.ts'
import { LabelledDeletes } from './labelled-deletes.ts'
import { hasNewVersionBehavior } from './present-puts.ts'
import { isTombstone, type StoredCell } from './stored-cell.ts'
import { hasOutlivedItself, oldestAlive, visibleCells } from './visible-cells.ts'

interface RetentionRules {
  readonly maxVersions: number
  readonly minVersions: number
  readonly keepDeletedCells: KeepDeletedCells
  /** Cells before this time have expired. */
  readonly oldest: bigint
  readonly now: bigint
  /** The least timestamp of a put, for a compaction that drops tombstones. */
  readonly earliestPut: bigint | undefined
  readonly isLabelled: boolean
}

/** The moment of a flush or compaction. */
export interface RetentionTime {
  /** Milliseconds since 1970, by which cells expire. */
  readonly now: bigint
  /** True for cells written after the least read point of an open scanner. Such a cell is kept, does not count as a version, and hides nothing. */
  readonly isNewer: (cell: StoredCell) => boolean
  /** True: tombstones hide only cells with the same labels. */
  readonly isLabelled?: boolean
}

type Verdict = 'keep' | 'drop' | 'drop the rest of the column'

/**
 * The kept cells. `cells`: one family of one row, in cell order, of equal keys the newer first. `earliestPut`: the least
 * timestamp of a put among all cells that a major compaction reads; undefined for a flush, which keeps tombstones.
 */
export function retainedCells<Cell extends StoredCell>(
  cells: readonly Cell[],
  family: FamilyDescriptor,
  { now, isNewer, isLabelled = false }: RetentionTime,
  earliestPut?: bigint,
): Cell[] {
  if (hasNewVersionBehavior(family)) {
    // HBase: IncludeAllCompactionQueryMatcher.
    if (earliestPut === undefined || keepDeletedCellsOf(family) !== 'FALSE') return [...cells]
    const read = [{ family, qualifiers: undefined, isLabelled }]
    const judged = cells.filter((cell) => !isNewer(cell))
    const seen = visibleCells(judged, read, scan({ maxVersions: ALL_VERSIONS }), now, false)
    return withoutRestOfFull(cells, seen, maxVersionsOf(family)).filter(
      (cell) => isNewer(cell) || seen.includes(cell),
    )
  }
  const judge = new RowJudge({
    maxVersions: maxVersionsOf(family),
    minVersions: minVersionsOf(family),
    keepDeletedCells: keepDeletedCellsOf(family),
    oldest: oldestAlive(family, now),
    now,
    earliestPut,
    isLabelled,
  })
  let passedOver: Buffer | undefined
  return cells.filter((cell) => {
    if (passedOver?.equals(cell.qualifier) === true) return false
    passedOver = undefined
    const verdict = judge.verdictOn(cell, isNewer(cell))
    // HBase: ScanQueryMatcher.getKeyForNextColumn. The column without a qualifier has the family's tombstones, so it is read on.
    if (verdict === 'drop the rest of the column' && cell.qualifier.length > 0) passedOver = cell.qualifier
    return verdict === 'keep'
  })
}

/** The cells without those that follow, in a column, after as many present versions as the family keeps. Newer writes are no exception. */
function withoutRestOfFull<Cell extends StoredCell>(
  cells: readonly Cell[],
  present: readonly StoredCell[],
  maxVersions: number,
): Cell[] {
  let column: Buffer | undefined
  let versions = 0
  return cells.filter((cell) => {
    if (column?.equals(cell.qualifier) !== true) versions = 0
    column = cell.qualifier
    if (versions >= maxVersions && column.length > 0) return false
    if (present.includes(cell)) versions++
    return true
  })
}

class RowJudge {
  readonly #rules: RetentionRules
  readonly #tombstones: StoredCell[] = []
  readonly #labelled = new LabelledDeletes()
  #before: StoredCell | undefined
  #versions = 0

  constructor(rules: RetentionRules) {
    this.#rules = rules
  }

  verdictOn(cell: StoredCell, isNewer: boolean): Verdict {
    const { minVersions, oldest, now } = this.#rules
    if (cell.timestamp < oldest && minVersions === 0) return 'drop the rest of the column'
    if (hasOutlivedItself(cell, now)) return 'drop'
    if (isTombstone(cell)) {
      return isNewer ? 'keep' : (this.#tombstoneVerdict(cell) ?? this.#count(cell))
    }
    return this.#hiddenVerdict(cell) ?? (isNewer ? 'keep' : this.#count(cell))
  }

  #tombstoneVerdict(cell: StoredCell): Verdict | undefined {
    const { keepDeletedCells, oldest, earliestPut } = this.#rules
    const hides = keepDeletedCells === 'FALSE' || (keepDeletedCells === 'TTL' && cell.timestamp < oldest)
    if (hides && this.#rules.isLabelled) decide(this.#labelled, cell)
    else if (hides) this.#tombstones.push(cell)
    if (earliestPut === undefined) return 'keep'
    if (hides) return 'drop'
    if (cell.timestamp < earliestPut) return 'drop the rest of the column'
    // A tombstone of the family concerns all columns, so versions of the column without a qualifier do not push it out.
    return isOfFamily(cell) ? 'keep' : undefined
  }

  #hiddenVerdict(cell: StoredCell): Verdict | undefined {
    if (this.#rules.isLabelled) return decide(this.#labelled, cell) ? 'drop' : undefined
    const isHiddenBy = (type: number, qualifier?: Buffer): boolean =>
      this.#tombstones.some((tombstone) => {
        if (tombstone.type !== type || qualifier?.equals(tombstone.qualifier) === false) return false
        const isOfAllVersions = type === CellType.DeleteFamily || type === CellType.DeleteColumn
        return isOfAllVersions
          ? cell.timestamp <= tombstone.timestamp
          : cell.timestamp === tombstone.timestamp
      })
    if (isHiddenBy(CellType.DeleteFamily)) return 'drop the rest of the column'
    if (isHiddenBy(CellType.DeleteFamilyVersion)) return 'drop'
    if (isHiddenBy(CellType.DeleteColumn, cell.qualifier)) return 'drop the rest of the column'
    return isHiddenBy(CellType.Delete, cell.qualifier) ? 'drop' : undefined
  }

  #count(cell: StoredCell): Verdict {
    const { maxVersions, minVersions, oldest } = this.#rules
    const before = this.#before
    if (before?.qualifier.equals(cell.qualifier) !== true) this.#versions = 0
    else if (before.timestamp === cell.timestamp && before.type === cell.type) return 'drop'
    if (!isTombstone(cell)) this.#versions++
    const isSurplus =
      this.#versions > maxVersions || (cell.timestamp < oldest && this.#versions > minVersions)
    if (isSurplus) return 'drop the rest of the column'
    this.#before = cell
    return 'keep'
  }
}

function isOfFamily({ type }: StoredCell): boolean {
  return type === CellType.DeleteFamily || type === CellType.DeleteFamilyVersion
}
