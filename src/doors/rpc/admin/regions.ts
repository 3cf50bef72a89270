/** Information about regions: their descriptions, states, loads and store files. */

import type { MessageInitShape } from '@bufbuild/protobuf'
import { clusterOf } from '../../../gateway/catalog/own-cluster.ts'
import { abbreviated } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import { META_TABLE } from '../../../model/meta-table.ts'
import { parseRegionName, tableOfRegion } from '../../../model/region-name.ts'
import { mapInSteps } from '../../../model/steps.ts'
import { parseTableName, type TableName } from '../../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../../store/call.ts'
import type { CompactionState } from '../../../store/region-figures.ts'
import type { RegionLoad } from '../../../store/upkeep.ts'
import {
  AdminService,
  GetRegionInfoResponse_CompactionState,
  type GetRegionInfoResponseSchema,
} from '../../../wire/rpc/gen/admin_pb.ts'
import { tableNameFromMessage, tableNameMessage } from '../../../wire/rpc/table-name-message.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import { loadMessage, regionMessage, specifierOf } from '../messages/region-message.ts'
import type { RegionSpecifier } from '../regions/region-specifier.ts'
import type { AdminContext } from './admin-context.ts'

const { method } = AdminService
const LARGE_VALUES_KEY = Buffer.from('.mob')

export function regionMethods(context: AdminContext): (readonly [string, RpcHandler])[] {
  const { regions } = context
  return [
    generated(method.getRegionInfo, async ({ region: asked, compactionState }, { call }) => {
      const specifier = specifierOf(asked!)
      const ofLargeValues = compactionState ? largeValuesTable(specifier) : undefined
      if (ofLargeValues !== undefined) return largeValuesState(ofLargeValues)
      const region = await regions.region(specifier, call)
      const isMeta = region.table === META_TABLE
      return {
        regionInfo: regionMessage(region),
        splittable: !isMeta,
        // HBase only checks for reference files: HRegion.isMergeable.
        mergeable: true,
        ...(compactionState && { compactionState: await stateOf(context, region.table, call) }),
      }
    }),
    generated(method.getOnlineRegion, async (_, { call }) => ({
      regionInfo: await manyATurn(mapInSteps(await regions.online(call), regionMessage)),
    })),
    generated(method.getStoreFile, async ({ region: asked, family }, { call }) => {
      const { store } = context
      const region = await regions.region(specifierOf(asked!), call)
      const families = (await store.catalog.table(region.table, onOwnBehalf(call))).families.map(
        ({ name }) => name,
      )
      const wanted = family.map((name) => Buffer.from(name))
      const none = wanted.find((name) => !families.some((known) => known.equals(name)))
      if (none !== undefined)
        throw new HBaseError('DO_NOT_RETRY', `No column family : ${abbreviated(none)} available`)
      const named = wanted.length === 0 ? families : wanted
      return { storeFile: (await store.upkeep.files?.storeFiles(region.first.name, named, call)) ?? [] }
    }),
    generated(method.getRegionLoad, async ({ tableName }, { call }) => {
      const table = tableName && tableNameFromMessage(tableName)
      return { regionLoads: await manyATurn(mapInSteps(await loads(context, table, call), loadMessage)) }
    }),
  ]
}

/** The table of a MOB region: the region name, which no table has, by which clients ask about a table's large values. HBase: MobUtils.getMobRegionInfo. */
function largeValuesTable({ name, isEncoded }: RegionSpecifier): TableName | undefined {
  const table = isEncoded ? undefined : parseRegionName(name)?.table
  if (table === undefined || !name.toString().startsWith(`${table},${LARGE_VALUES_KEY.toString()},0.`))
    return undefined
  return parseTableName(table)
}

/** The answer for a MOB region. Files of large values are never compacted by themselves. HBase: MasterRpcServices.getRegionInfo. */
function largeValuesState(table: TableName): MessageInitShape<typeof GetRegionInfoResponseSchema> {
  return {
    regionInfo: { regionId: 0n, tableName: tableNameMessage(table), startKey: LARGE_VALUES_KEY },
    compactionState: GetRegionInfoResponse_CompactionState.NONE,
  }
}

/** The compaction state of the region's table: a store does not report it by region. */
async function stateOf(
  { store: { upkeep } }: AdminContext,
  table: TableName,
  call: Call,
): Promise<GetRegionInfoResponse_CompactionState> {
  const state: CompactionState =
    table === META_TABLE ? 'NONE' : ((await upkeep.compactions?.compactionState(table, call)) ?? 'NONE')
  return GetRegionInfoResponse_CompactionState[state]
}

/** The loads of a table's regions; of all tables where none is named. */
async function loads(
  { store, regions }: AdminContext,
  table: TableName | undefined,
  call: Call,
): Promise<RegionLoad[]> {
  const { cluster } = store.upkeep
  // The cluster's region servers report the present loads; its master gets them only every few seconds.
  if (cluster !== undefined) return cluster.regionLoads(table, call)
  const { liveServers } = await clusterOf(store).status(call)
  const all = liveServers.flatMap((server) => server.regions)
  const online = new Set((await regions.online(call)).map(({ name }) => name.toString('latin1')))
  return all.filter(
    ({ name }) =>
      online.has(name.toString('latin1')) && (table === undefined || tableOfRegion(name) === table),
  )
}
