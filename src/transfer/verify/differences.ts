/** Differences between two stores, and which of them last. */

export type DifferenceKind = 'missing' | 'extra' | 'value' | 'tags'

export interface CellDifference {
  readonly column: Buffer
  readonly timestamp: bigint
  readonly type: number
  /** `missing` and `extra`: of the destination. `value`, `tags`: both have the cell, with other ones. */
  readonly kind: DifferenceKind
  /** Equal for the same difference at a later look: the same cell, and the same bytes on both sides. */
  readonly identity: string
}

export interface RowDifference {
  readonly row: Buffer
  /** In the order of cells, at most CELLS_OF_ROW_MAX of them. */
  readonly cells: readonly CellDifference[]
  /** Differing cells beyond these. */
  readonly more: number
}

/** Differing cells of one row that are kept in memory. */
export const CELLS_OF_ROW_MAX = 1000

/** The differences of a row that are still the same at a later look; undefined: none. */
export function lasting(before: RowDifference, now: RowDifference | undefined): RowDifference | undefined {
  if (now === undefined) return undefined
  const identities = new Set(now.cells.map(({ identity }) => identity))
  const cells = before.cells.filter(({ identity }) => identities.has(identity))
  return cells.length === 0 ? undefined : { row: before.row, cells, more: Math.min(before.more, now.more) }
}
