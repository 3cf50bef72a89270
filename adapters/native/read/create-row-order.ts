import { passingRows } from '../../../src/filter/passing-rows.ts'
import type { Scan } from '../../../src/model/query.ts'
import { ForwardOrder } from './forward-order.ts'
import { RangedOrder } from './ranged-order.ts'
import { ReversedOrder } from './reversed-order.ts'
import type { RowOrder } from './row-order.ts'
import { RowRangeCursor } from './row-range-cursor.ts'
import type { ScannedFamilies } from './scanned-families.ts'

/** The order in which a scan comes to its rows: one with a filter on rows only comes to those that may pass. */
export function createRowOrder(families: ScannedFamilies, scan: Scan): RowOrder {
  const { filter, reversed } = scan
  const order = reversed ? new ReversedOrder(families, scan) : new ForwardOrder(families, scan)
  const ranges = filter && passingRows(filter)
  return ranges === undefined ? order : new RangedOrder(order, new RowRangeCursor(ranges, reversed), families)
}
