/** Where a request of rows goes: a table, or one region of it. */

import type { TableName } from '../model/table-name.ts'

/**
 * One region, as a client knows it from an earlier look at the catalog. A request that names a region is answered of this
 * region only. One that is not there any more, or that is not of that table, is NOT_SERVING_REGION: the client looks again.
 */
export interface RegionRef {
  readonly table: TableName
  /** As RegionLocation.encodedName. */
  readonly encodedName: string
}

export type Target = TableName | RegionRef

export function targetTable(target: Target): TableName {
  return typeof target === 'string' ? target : target.table
}

/** Undefined where the target is a whole table. */
export function targetRegion(target: Target): RegionRef | undefined {
  return typeof target === 'string' ? undefined : target
}
