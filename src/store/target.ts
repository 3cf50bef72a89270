/** The target of a request of rows: a table, or one region of it. */

import type { TableName } from '../model/table-name.ts'

/**
 * One region, which a client knows from an earlier look at the catalog. The store answers from this region only. A region
 * that is gone, or of another table, is NOT_SERVING_REGION: the client then looks again.
 */
export interface RegionRef {
  readonly table: TableName
  /** As RegionLocation.encodedName. */
  readonly encodedName: string
  /**
   * A copy of the region, by its number, for reads alone; 0 or undefined: the region itself. A copy that is not there is
   * NOT_SERVING_REGION. A store whose copies are other names of the region need not look at the number.
   */
  readonly replica?: number
}

export type Target = TableName | RegionRef

export function targetTable(target: Target): TableName {
  return typeof target === 'string' ? target : target.table
}

/** Undefined where the target is a whole table. */
export function targetRegion(target: Target): RegionRef | undefined {
  return typeof target === 'string' ? undefined : target
}
