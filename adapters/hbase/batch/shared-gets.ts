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

export function regionGet(region: LocatedRegion, get: Get): GetOfRegion {
  return { region, get, bytes: get.row.length }
}

export const SHARED_GETS: Sharing<GetOfRegion, ResultCells> = {
  sameRegionOnly: false,
  alone: async (connection, { region, get }, options) => {
    const { message, cells } = await connection.call(GET, { regionName: region.name, get }, options)
    return new ResultCellsReader(cells).next(message)
  },
  together: async (connection, requests, options) => {
    const { table } = requests[0]!.region
    const batch = new BatchGets(
      table,
      requests.map(({ get }) => get),
    )
    await batch.call(connection, itemsByRegion(requests), options)
    return batch.results
  },
}
