/** Whether a row is as a client expects it. HBase: HRegion.checkAndMutateInternal. */

import { CellBlockBuilder, CellCursor } from '../../../src/model/cell-block.ts'
import type { Condition } from '../../../src/model/mutation.ts'
import { conditionGet, conditionHolds } from '../../../src/query/condition.ts'
import type { Region } from '../region/region.ts'

export interface ConditionOutcome {
  readonly holds: boolean
  /** The timestamp of the cell that was looked at: what is put in its place must not be older. */
  readonly timestamp: bigint | undefined
}

/** Sees all that was written, committed or not. Throws NO_SUCH_COLUMN_FAMILY, and as conditionHolds. */
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
