import type { Get } from '../../../src/model/query.ts'
import { type ResultCells, ResultCellsReader } from '../cells/result-cells.ts'
import type { LocatedRegion } from '../cluster/meta-row.ts'
import { GET } from '../messages/get-method.ts'
import { BatchGets } from './batch-gets.ts'
import { itemsByRegion } from './region-groups.ts'
import type { RegionRequest, Sharing } from './shared-calls.ts'

export interface GetOfRegion extends RegionRequest {
  readonly get: Get
}

export function getOf(region: LocatedRegion, get: Get): GetOfRegion {
  return { region, get, bytes: get.row.length }
}

export const SHARED_GETS: Sharing<GetOfRegion, ResultCells> = {
  sameRegionOnly: false,
  alone: async (connection, { region, get }, timeoutMs) => {
    const { message, cells } = await connection.call(GET, { regionName: region.name, get }, { timeoutMs })
    return new ResultCellsReader(cells).next(message)
  },
  together: async (connection, requests, timeoutMs) => {
    const { table } = requests[0]!.region
    const batch = new BatchGets(
      table,
      requests.map(({ get }) => get),
    )
    const failed = await batch.call(connection, itemsByRegion(requests), timeoutMs)
    const results: (ResultCells | undefined)[] = batch.results
    for (const { items } of failed) for (const item of items) results[item] = undefined
    return results
  },
}
