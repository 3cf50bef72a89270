import type { CellBlock } from '../../../src/model/cell-block.ts'
import { cellBlockBytes } from '../../../src/wire/rpc/request-frame.ts'
import type { RegionRequest, Sharing } from '../batch/shared-calls.ts'
import type { LocatedRegion } from '../cluster/meta-row.ts'
import { MULTI } from '../messages/multi-method.ts'
import { MUTATE } from '../messages/mutate-method.ts'
import type { Mutation } from '../messages/write-mutation.ts'
import type { RowChange } from './row-change.ts'

/** An unconditional put or delete of one row. Its answer only confirms it. */
export interface MutationOfRegion extends RegionRequest {
  readonly mutation: Mutation
  readonly cells: readonly CellBlock[]
}

/** The change must have a single mutation. */
export function regionMutation(region: LocatedRegion, { mutations, cells }: RowChange): MutationOfRegion {
  return { region, mutation: mutations[0]!, cells, bytes: cellBlockBytes(cells) }
}

/** One region's mutations share one append to its server's log; each still succeeds or fails by itself. */
export const SHARED_MUTATIONS: Sharing<MutationOfRegion, 'done'> = {
  sameRegionOnly: true,
  alone: async (connection, { region, mutation, cells }, options) => {
    const request = { regionName: region.name, mutation, nonceGroup: 0n }
    await connection.call(MUTATE, request, { ...options, cells })
    return 'done'
  },
  together: async (connection, requests, options) => {
    const regionName = requests[0]!.region.name
    const mutations = requests.map(({ mutation }) => mutation)
    const cells = requests.flatMap((request) => request.cells)
    const request = { regionActions: [{ regionName, mutations }], nonceGroup: 0n }
    const { message } = await connection.call(MULTI, request, { ...options, cells })
    const outcomes = requests.map((): 'done' | undefined => undefined)
    const { exception, results = [] } = message[0] ?? {}
    if (exception !== undefined) return outcomes
    for (const { index, exception: failure } of results) if (failure === undefined) outcomes[index] = 'done'
    return outcomes
  },
}
