import { isHBaseError } from '../../../model/errors.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { RegionLocation, Store } from '../../../store.ts'

/** The regions of a table, none where there is no such table. */
export async function regionsIfAny(store: Store, table: TableName): Promise<RegionLocation[]> {
  try {
    return await store.regions(table)
  } catch (error) {
    if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return []
    throw error
  }
}
