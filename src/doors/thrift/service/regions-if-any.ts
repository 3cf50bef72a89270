import type { AdvertisedCatalog } from '../../../gateway/catalog/advertised.ts'
import { type Replica, replicasOf } from '../../../gateway/catalog/replicas.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'

/** The regions of a table, with their copies; none where the table does not exist. */
export async function regionsIfAny(
  catalog: AdvertisedCatalog,
  table: TableName,
  call: Call,
): Promise<Replica[]> {
  try {
    return await replicasOf(catalog, table, call)
  } catch (error) {
    if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return []
    throw error
  }
}
