/** Regions over Thrift 2. Its locations have no region ids, and so no region names: these come from the row keys of hbase:meta. */

import { compareBytes, EMPTY } from '../../../src/model/bytes.ts'
import { CellCursor } from '../../../src/model/cell-block.ts'
import { META_REGION, META_TABLE } from '../../../src/model/meta-table.ts'
import { regionName } from '../../../src/model/region-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { RegionLocation } from '../../../src/store/catalog.ts'
import { type ReadResults, readResults } from '../../../src/wire/thrift/row-results-reader.ts'
import type { ThriftServer } from './thrift-server.ts'

export interface THRegionLocation {
  readonly serverName: { readonly hostName: string; readonly port?: number; readonly startCode?: bigint }
  readonly regionInfo: {
    readonly regionId: bigint
    readonly startKey?: Buffer
    readonly endKey?: Buffer
    readonly replicaId?: number
  }
}

const COMMA = 0x2c
/** More regions than any table has. */
const REGIONS_MAX = 100_000

/** The regions in order of their start keys, without their copies. */
export async function regionLocations(
  server: ThriftServer,
  table: TableName,
  locations: readonly THRegionLocation[],
  call: Call,
): Promise<RegionLocation[]> {
  const found = locations.filter(({ regionInfo }) => (regionInfo.replicaId ?? 0) === 0)
  const isWithoutIds = table !== META_TABLE && found.some(({ regionInfo }) => regionInfo.regionId === 0n)
  const ids = isWithoutIds ? await regionIds(server, table, call) : new Map<string, number>()
  return found
    .map(({ serverName, regionInfo }) => {
      const { startKey = EMPTY, endKey = EMPTY } = regionInfo
      const { hostName: host, port = 0, startCode = 0n } = serverName
      const regionId = ids.get(startKey.toString('latin1')) ?? Number(regionInfo.regionId)
      return {
        table,
        startKey,
        endKey,
        regionId,
        ...regionName(table, startKey, regionId),
        ...(table === META_TABLE && META_REGION),
        server: host === '' ? undefined : { host, port, startCode: Number(startCode) },
      }
    })
    .sort((a, b) => compareBytes(a.startKey, b.startKey))
}

/** The ids by start keys, as latin1. Of a split region and its first half, which have one key, the newer id counts. */
async function regionIds(server: ThriftServer, table: TableName, call: Call): Promise<Map<string, number>> {
  const tscan = {
    // With one comma the start row would sort after the first region: see compareMetaRows.
    startRow: Buffer.from(`${table},,`),
    // The minus is the byte after the comma.
    stopRow: Buffer.from(`${table}-`),
    columns: [{ family: Buffer.from('info'), qualifier: Buffer.from('regioninfo') }],
  }
  const args = { table: Buffer.from(META_TABLE), tscan, numRows: REGIONS_MAX }
  const { cells } = await server.ask<ReadResults>(
    { operation: `regions of ${table}`, method: 'getScannerResults', args, readResult: readResults },
    call,
  )
  const ids = new Map<string, number>()
  const cursor = new CellCursor(cells)
  while (cursor.next()) {
    const row = cursor.buffer.subarray(cursor.rowOffset, cursor.rowOffset + cursor.rowLength)
    const [first, last] = [row.indexOf(COMMA), row.lastIndexOf(COMMA)]
    const startKey = row.toString('latin1', first + 1, last)
    const id = Number(/^\d+/.exec(row.toString('latin1', last + 1))?.[0] ?? Number.NaN)
    if (first < last && id > (ids.get(startKey) ?? 0)) ids.set(startKey, id)
  }
  return ids
}
