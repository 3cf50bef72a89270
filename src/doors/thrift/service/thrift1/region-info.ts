/** Thrift 1's TRegionInfo, and the search of getRegionInfo in hbase:meta. */

import type { AdvertisedCatalog, AdvertisedRegion } from '../../../../gateway/catalog/advertised.ts'
import { allTables } from '../../../../gateway/catalog/listed-tables.ts'
import { abbreviated, compareBytes } from '../../../../model/bytes.ts'
import { HBaseError } from '../../../../model/errors.ts'
import { compareMetaRows, META_TABLE } from '../../../../model/meta-table.ts'
import { type Call, onOwnBehalf } from '../../../../store/call.ts'
import { checkRowLength } from '../row-argument.ts'

export function regionInfoStruct(region: AdvertisedRegion): Record<string, unknown> {
  return {
    startKey: region.startKey,
    endKey: region.endKey,
    id: BigInt(region.regionId),
    name: region.name,
    version: 1,
    serverName: Buffer.from(region.server.host),
    port: region.server.port,
  }
}

/**
 * The region of the last row of hbase:meta up to `row`, or of its last row where `row` is empty: a reversed scan finds it first. Throws
 * ILLEGAL_ARGUMENT for a row that is too long, IO where there is no such region.
 */
export async function regionAt(
  catalog: AdvertisedCatalog,
  row: Buffer,
  call: Call,
): Promise<AdvertisedRegion> {
  checkRowLength('row', row)
  const isAtOrBefore = (key: Buffer) => row.length === 0 || compareMetaRows(key, row) <= 0
  const tables = (await allTables(catalog, onOwnBehalf(call), 'names')).flatMap(({ name }) =>
    name === META_TABLE ? [] : [name],
  )
  tables.sort((a, b) => compareBytes(Buffer.from(b), Buffer.from(a)))
  for (const table of tables) {
    // In hbase:meta, the rows of a table's regions follow the table's own row.
    if (!isAtOrBefore(Buffer.from(table))) continue
    const region = (await catalog.regions(table, call)).findLast(({ name }) => isAtOrBefore(name))
    if (region !== undefined) return region
  }
  throw new HBaseError('REFUSED', `Cannot find row in hbase:meta, row=${abbreviated(row)}`)
}
