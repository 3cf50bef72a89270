/** Regions as Thrift 1 tells of them, and its one look into the catalogue hbase:meta. */

import type { AdvertisedCatalog, AdvertisedRegion } from '../../../../gateway/advertised.ts'
import { compareBytes, EMPTY, toStringBinary } from '../../../../model/bytes.ts'
import { HBaseError } from '../../../../model/errors.ts'
import type { Call } from '../../../../store/call.ts'

export function regionInfoOf(region: AdvertisedRegion): Record<string, unknown> {
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

/** A row of hbase:meta: `table,startKey,regionId`. What is left out sorts before everything. */
interface MetaRow {
  readonly table: Buffer
  readonly startKey: Buffer
  readonly regionId: Buffer
}

const COMMA = 0x2c

function parseMetaRow(row: Buffer): MetaRow {
  const first = row.indexOf(COMMA)
  if (first < 0) return { table: row, startKey: EMPTY, regionId: EMPTY }
  const last = row.lastIndexOf(COMMA)
  return {
    table: row.subarray(0, first),
    startKey: last === first ? row.subarray(first + 1) : row.subarray(first + 1, last),
    regionId: last === first ? EMPTY : row.subarray(last + 1),
  }
}

function compareMetaRows(a: MetaRow, b: MetaRow): number {
  return (
    compareBytes(a.table, b.table) ||
    compareBytes(a.startKey, b.startKey) ||
    compareBytes(a.regionId, b.regionId)
  )
}

/**
 * The region whose row in hbase:meta is the last one up to `row` (of all, where that is empty): what a reversed scan of
 * the catalogue finds first. Throws IO where there is none.
 */
export async function regionAt(
  catalog: AdvertisedCatalog,
  row: Buffer,
  call: Call,
): Promise<AdvertisedRegion> {
  const sought = parseMetaRow(row)
  const isAtOrBefore = (region: AdvertisedRegion) =>
    row.length === 0 || compareMetaRows(parseMetaRow(region.name), sought) <= 0
  const tables = (await catalog.listTables(call)).map(({ name }) => name)
  for (const table of tables.reverse()) {
    if (row.length > 0 && compareBytes(Buffer.from(table), sought.table) > 0) continue
    const region = (await catalog.regions(table, call)).findLast(isAtOrBefore)
    if (region !== undefined) return region
  }
  throw new HBaseError('IO', `Cannot find row in hbase:meta, row=${toStringBinary(row)}`)
}
