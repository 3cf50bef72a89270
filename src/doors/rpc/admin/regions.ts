/** What a region server tells of its regions. */

import { clusterOf } from '../../../gateway/own-cluster.ts'
import { abbreviated } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import { META_TABLE } from '../../../model/meta-table.ts'
import { parseRegionName } from '../../../model/region-name.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { CompactionState, RegionLoad } from '../../../store/upkeep.ts'
import { AdminService, GetRegionInfoResponse_CompactionState } from '../../../wire/rpc/gen/admin_pb.ts'
import { tableNameFromMessage } from '../../../wire/rpc/table-name-message.ts'
import { loadMessage, regionMessage, specifierOf } from '../messages/region-message.ts'
import { generated, type RpcHandler } from '../rpc-service.ts'
import type { AdminContext } from './admin-context.ts'

const { method } = AdminService

export function regionMethods(context: AdminContext): (readonly [string, RpcHandler])[] {
  const { regions } = context
  return [
    generated(method.getRegionInfo, async ({ region: asked, compactionState }, { call }) => {
      const region = await regions.region(specifierOf(asked!), call)
      const isMeta = region.table === META_TABLE
      return {
        regionInfo: regionMessage(region),
        splittable: !isMeta,
        // HBase: HRegion.isMergeable, which looks for references alone.
        mergeable: true,
        ...(compactionState && { compactionState: await stateOf(context, region.table, call) }),
      }
    }),
    generated(method.getOnlineRegion, async (_, { call }) => ({
      regionInfo: (await regions.online(call)).map(regionMessage),
    })),
    generated(method.getStoreFile, async ({ region: asked, family }, { call }) => {
      const { store } = context
      const region = await regions.region(specifierOf(asked!), call)
      const families = (await store.catalog.table(region.table, call)).families.map(({ name }) => name)
      const wanted = family.map((name) => Buffer.from(name))
      const none = wanted.find((name) => !families.some((known) => known.equals(name)))
      if (none !== undefined)
        throw new HBaseError('DO_NOT_RETRY', `No column family : ${abbreviated(none)} available`)
      const named = wanted.length === 0 ? families : wanted
      return { storeFile: (await store.upkeep.files?.storeFiles(region.name, named, call)) ?? [] }
    }),
    generated(method.getRegionLoad, async ({ tableName }, { call }) => {
      const table = tableName && tableNameFromMessage(tableName)
      return { regionLoads: (await loads(context, table, call)).map(loadMessage) }
    }),
  ]
}

/** That of the whole table: a store does not tell it by region. */
async function stateOf(
  { store: { upkeep } }: AdminContext,
  table: TableName,
  call: Call,
): Promise<GetRegionInfoResponse_CompactionState> {
  const state: CompactionState =
    table === META_TABLE ? 'NONE' : ((await upkeep.compactions?.compactionState(table, call)) ?? 'NONE')
  return GetRegionInfoResponse_CompactionState[state]
}

/** Of all tables, where none is named. */
async function loads(
  { store, regions }: AdminContext,
  table: TableName | undefined,
  call: Call,
): Promise<RegionLoad[]> {
  const { liveServers } = await clusterOf(store).status(call)
  const all = liveServers.flatMap((server) => server.regions)
  if (store.upkeep.cluster !== undefined) return all.filter(({ name }) => isOf(name, table))
  const online = new Set((await regions.online(call)).map(({ name }) => name.toString('latin1')))
  return all.filter(({ name }) => online.has(name.toString('latin1')) && isOf(name, table))
}

function isOf(name: Buffer, table: TableName | undefined): boolean {
  if (table === undefined) return true
  return table === META_TABLE
    ? name.toString('latin1').startsWith(`${META_TABLE},`)
    : parseRegionName(name)?.table === table
}
