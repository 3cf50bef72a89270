import { passingRows } from '../../../src/filter/evaluate/passing-rows.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { ScanContext } from './family-runs.ts'
import { ForwardOrder } from './forward-order.ts'
import { RangedOrder } from './ranged-order.ts'
import { ReversedOrder } from './reversed-order.ts'
import type { RowOrder } from './row-order.ts'
import { RowRangeCursor } from './row-range-cursor.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/** The order in which a scan comes to its rows: one with a filter on rows comes only to those that may pass, unless it counts rows. */
export function createRowOrder(
  families: ScannedFamilies,
  scan: Scan,
  { prepared }: Pick<ScanContext, 'prepared'>,
): RowOrder {
  const { filter, reversed, countsRows } = scan
  const order = reversed ? new ReversedOrder(families, scan) : new ForwardOrder(families, scan)
  const ranges =
    filter && countsRows !== true
      ? prepared === undefined
        ? passingRows(filter)
        : prepared.ranges
      : undefined
  return ranges === undefined ? order : new RangedOrder(order, new RowRangeCursor(ranges, reversed), families)
}
