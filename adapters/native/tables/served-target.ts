import { HBaseError } from '../../../src/model/errors.ts'
import { tableNotFound } from '../../../src/model/table-checks.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { regionNotOnline } from '../../../src/store/refusals.ts'
import type { Target } from '../../../src/store/target.ts'
import type { ServedRegion } from '../region/served-region.ts'

/** Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED. */
export function enabledTable<Table extends { readonly isEnabled: boolean }>(
  name: TableName,
  table: Table | undefined,
): Table {
  if (table === undefined) throw tableNotFound(name)
  if (!table.isEnabled) throw new HBaseError('TABLE_NOT_ENABLED', `${name} is disabled.`)
  return table
}

/** The region that a request names, if it is of the table. Throws NOT_SERVING_REGION. */
export function servedRegion<Served extends ServedRegion>(
  target: Exclude<Target, string>,
  region: Served | undefined,
): Served {
  if (region?.table.name !== target.table) throw regionNotOnline(target.encodedName)
  region.checkServed(target.replica)
  return region
}
