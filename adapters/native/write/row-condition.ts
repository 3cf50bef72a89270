/** Whether a row is as a client expects it. HBase: HRegion.checkAndMutateInternal. */

import { compareBytes } from '../../../src/model/bytes.ts'
import type { CellParts } from '../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../src/model/cell-block.ts'
import type { CompareOperator } from '../../../src/model/filter.ts'
import type { Condition } from '../../../src/model/mutation.ts'
import { ColumnsBuilder, get } from '../../../src/model/query.ts'
import { noSuchColumnFamily } from '../../../src/model/table-description.ts'
import { TimeRange } from '../../../src/model/time-range.ts'
import type { Region } from '../region/region.ts'

export interface ConditionOutcome {
  readonly holds: boolean
  /** The timestamp of the cell that was looked at: what is put in its place must not be older. */
  readonly timestamp: bigint | undefined
}

/** Sees all that was written, committed or not. Throws NO_SUCH_COLUMN_FAMILY. */
export function evaluateCondition(
  region: Region,
  row: Buffer,
  condition: Condition,
  now: number,
): ConditionOutcome {
  const { family, qualifier, operator } = condition
  if (region.storeOf(family, 0, family.length) === undefined) {
    throw noSuchColumnFamily(family, region.name, region.table)
  }
  const columns = new ColumnsBuilder().addColumn(family, qualifier).build()
  const timeRange = condition.timeRange ?? TimeRange.ALL
  const found = new CellBlockBuilder(256)
  region.get(get(row, { columns, timeRange }), Number.POSITIVE_INFINITY, now, found)
  const [cell] = cellsOf(found.block())
  return { holds: holds(operator, condition.value, cell), timestamp: cell?.timestamp }
}

function holds(operator: CompareOperator, value: Buffer | undefined, cell: CellParts | undefined): boolean {
  if (value === undefined || value.length === 0) {
    const isNone = cell === undefined || cell.value.length === 0
    return isNone === (operator !== 'NOT_EQUAL')
  }
  return cell !== undefined && matches(operator, compareBytes(value, cell.value))
}

function matches(operator: CompareOperator, order: number): boolean {
  switch (operator) {
    case 'LESS':
      return order < 0
    case 'LESS_OR_EQUAL':
      return order <= 0
    case 'EQUAL':
      return order === 0
    case 'NOT_EQUAL':
      return order !== 0
    case 'GREATER_OR_EQUAL':
      return order >= 0
    case 'GREATER':
      return order > 0
  }
}
