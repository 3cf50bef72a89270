import { EMPTY } from '../model/bytes.ts'
import { type FamilyDescriptor, maxVersionsOf } from '../model/descriptor.ts'
import { CellVisibility } from '../model/visibility.ts'
import { hides, isTombstone, type StoredCell } from './stored-cell.ts'

export function hasNewVersionBehavior({ attributes }: FamilyDescriptor): boolean {
  return attributes.get('NEW_VERSION_BEHAVIOR')?.toLowerCase() === 'true'
}

/**
 * The puts that a family with NEW_VERSION_BEHAVIOR has after the writes of a row in their order: a tombstone hides only earlier
 * puts, and a version that was pushed out does not come back. `cells` are of one family, in cell order.
 *
 * HBase's NewVersionBehaviorTracker does not repeat the writes. Its result is the same, with these exceptions. One write has several
 * tombstones of the whole family, or overwrites a version and has a tombstone too. A tombstone of a range of versions is written
 * after one of a single later version: the version that the latter hides still counts among the column's. A version was
 * overwritten twice or more before a tombstone of a single version: it counts more than once.
 */
export function presentPuts(
  cells: readonly StoredCell[],
  family: FamilyDescriptor,
  isLabelled = false,
): StoredCell[] {
  const present = new Set<StoredCell>()
  for (const written of cells.toSorted(inOrderOfWrites)) {
    if (isTombstone(written)) {
      for (const cell of present) {
        if (hides(written, cell) && (!isLabelled || hasSameLabels(written, cell))) present.delete(cell)
      }
      continue
    }
    const isOfColumn = (cell: StoredCell): boolean => cell.qualifier.equals(written.qualifier)
    for (const cell of present) {
      if (isOfColumn(cell) && cell.timestamp === written.timestamp) present.delete(cell)
    }
    present.add(written)
    const versions = cells.filter((cell) => present.has(cell) && isOfColumn(cell))
    for (const surplus of pushedOut(versions, maxVersionsOf(family))) present.delete(surplus)
  }
  return cells.filter((cell) => present.has(cell))
}

/** True where the tombstone and the cell have the same labels. */
function hasSameLabels(tombstone: StoredCell, cell: StoredCell): boolean {
  return CellVisibility.of(tombstone.tags ?? EMPTY).isThatOf(CellVisibility.of(cell.tags ?? EMPTY))
}

/** The versions after the first `maxVersions`. Versions of one write count as one. `versions`: of a column, in cell order. */
function pushedOut(versions: readonly StoredCell[], maxVersions: number): readonly StoredCell[] {
  const writes = new Set<bigint>()
  return versions.filter((version) => {
    if (writes.size >= maxVersions) return true
    writes.add(sequenceOf(version))
    return false
  })
}

/** The order of the writes. A tombstone comes after the puts of its own batch, which it hides too. */
function inOrderOfWrites(a: StoredCell, b: StoredCell): number {
  return Number(sequenceOf(a) - sequenceOf(b)) || Number(isTombstone(a)) - Number(isTombstone(b))
}

function sequenceOf({ sequence = 0n }: StoredCell): bigint {
  return sequence
}
