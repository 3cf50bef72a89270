/** Evaluates the condition of a checked mutation. HBase: HRegion.checkAndMutateInternal. */

import { CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import type { Condition } from '../../../src/model/mutation.ts'
import { conditionGet, conditionHolds } from '../../../src/query/condition.ts'
import type { Region } from '../region/region.ts'

export interface ConditionOutcome {
  readonly holds: boolean
  /** Timestamp of the checked cell: the cell that replaces it must not be older. */
  readonly timestamp: bigint | undefined
}

/** Reads all writes so far, committed or not. Throws NO_SUCH_COLUMN_FAMILY, and as conditionHolds. */
export function evaluateCondition(
  region: Region,
  row: Buffer,
  condition: Condition,
  now: number,
): ConditionOutcome {
  if (condition.kind === 'column') region.checkFamily(condition.family)
  const found = new CellBlockBuilder(256)
  region.get(conditionGet(row, condition), Number.POSITIVE_INFINITY, now, found)
  const cursor = new CellCursor(found.block())
  const cell = cursor.next() ? cursor.parts() : undefined
  return { holds: conditionHolds(condition, cell), timestamp: cell?.timestamp }
}
