import { isHBaseError } from '../../model/errors.ts'
import { parseRegionName, parseReplicaName } from '../../model/region-name.ts'
import type { TableName } from '../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../store/call.ts'
import type { AdvertisedCatalog } from './advertised.ts'
import { allTables } from './listed-tables.ts'
import { replicaNamed } from './replicas.ts'

/**
 * The table of a region or a copy, by its full or its encoded name; undefined where there is no such region. The table within a full name counts
 * only if it has that region, since a client may send any name.
 */
export async function tableOfRegion(
  catalog: AdvertisedCatalog,
  name: Buffer,
  asked: Call,
): Promise<TableName | undefined> {
  const call = onOwnBehalf(asked)
  const parsed = parseRegionName(parseReplicaName(name)?.first.name ?? name)
  const encoded = parsed?.encodedName ?? name.toString('latin1')
  const has = async (table: TableName): Promise<boolean> => {
    try {
      return (await replicaNamed(catalog, table, encoded, call)) !== undefined
    } catch (error) {
      if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return false
      throw error
    }
  }
  if (parsed !== undefined && (await has(parsed.table as TableName))) return parsed.table as TableName
  for (const { name: table } of await allTables(catalog, call)) if (await has(table)) return table
  return undefined
}
