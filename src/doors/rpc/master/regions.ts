/** Changes of regions, and flushes of tables. */

import { clusterOf } from '../../../gateway/catalog/own-cluster.ts'
import { abbreviated } from '../../../model/bytes.ts'
import { HBaseError } from '../../../model/errors.ts'
import { META_TABLE } from '../../../model/meta-table.ts'
import { tableOfRegion } from '../../../model/region-name.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Call } from '../../../store/call.ts'
import type { RegionLoad } from '../../../store/upkeep.ts'
import type { ServerName as ServerNameMessage } from '../../../wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'
import { NO_NONCE } from './procedures.ts'
import { encodedName, fullName, nameOfInfo, regionsOf, specifiedName } from './region-names.ts'
import { requestedTable } from './table-messages.ts'

const { method } = MasterService
const DONE = {}

export function regions(context: MasterContext): (readonly [string, RpcHandler])[] {
  const { store, procedures, switches } = context
  const { upkeep } = store
  return [
    generated(method.splitRegion, async (message, { call }) => {
      const name = nameOfInfo(message.regionInfo!)
      if (message.regionInfo!.replicaId !== 0)
        throw new HBaseError('REFUSED', "Can't invoke split on non-default regions directly")
      if (!(await switches.isOn('split', call)))
        throw switchedOff(`Split region ${abbreviated(name)}`, 'split')
      const at = message.splitRow.length === 0 ? undefined : Buffer.from(message.splitRow)
      return procedures.run(message, call, (own) => regionsOf(upkeep).splitRegion(name, at, own))
    }),
    generated(method.mergeTableRegions, async (message, { call }) => {
      const names = message.region.map(specifiedName)
      if (!(await switches.isOn('merge', call)))
        throw switchedOff(`Merge of [${names.map(abbreviated).join(', ')}]`, 'merge')
      return procedures.run(message, call, (own) =>
        regionsOf(upkeep).mergeRegions(names, message.forcible, own),
      )
    }),
    generated(method.moveRegion, async ({ region, destServerName }, { call }) => {
      await regionsOf(upkeep).moveRegion(encodedName(region), serverOf(destServerName), call)
      return DONE
    }),
    generated(method.assignRegion, async ({ $typeName, region }, { call }) => {
      const name = fullName(region)
      const assign = (own: Call) => regionsOf(upkeep).assignRegion(name, own)
      await procedures.runToEnd({ ...NO_NONCE, $typeName }, call, assign)
      return DONE
    }),
    generated(method.unassignRegion, async ({ $typeName, region }, { call }) => {
      const name = fullName(region)
      const unassign = (own: Call) => regionsOf(upkeep).unassignRegion(name, own)
      await procedures.runToEnd({ ...NO_NONCE, $typeName }, call, unassign)
      return DONE
    }),
    // HBase's master marks the region as offline, for the repairs of old clients.
    generated(method.offlineRegion, async ({ region }, { call }) => {
      await regionsOf(upkeep).unassignRegion(fullName(region), call)
      return DONE
    }),
    generated(method.truncateRegion, async (message, { call }) => {
      const name = nameOfInfo(message.regionInfo!)
      const table = requestedTable(message.regionInfo!.tableName)
      if (table === META_TABLE)
        return procedures.submit(message, call, () => Promise.reject(metaIsKept()), true)
      return procedures.run(message, call, async (own) => {
        try {
          await regionsOf(upkeep).truncateRegion(name, own)
        } catch (error) {
          // HBase checks the table before the region: TruncateRegionProcedure.preflightChecks.
          await store.catalog.tableState(table, own)
          throw error
        }
      })
    }),
    generated(method.flushTable, async (message, { call }) => {
      const table = requestedTable(message.tableName)
      const families = message.columnFamily.map((family) => Buffer.from(family))
      return procedures.submit(message, call, (own) => flush(context, table, families, own), true)
    }),
    generated(method.getLastMajorCompactionTimestamp, async ({ tableName }, { call }) => {
      const table = requestedTable(tableName)
      return lastMajorCompaction(store, ({ name }) => tableOfRegion(name) === table, call)
    }),
    generated(method.getLastMajorCompactionTimestampForRegion, async ({ region }, { call }) => {
      const asked = specifiedName(region)
      return lastMajorCompaction(store, ({ name }) => name.equals(asked), call)
    }),
  ]
}

/** Time of the earliest last major compaction of the open regions; 0 where one of them has had none. HBase: ClusterMetrics. */
async function lastMajorCompaction(
  store: MasterContext['store'],
  isAsked: (load: RegionLoad) => boolean,
  call: Call,
): Promise<{ compactionTimestamp: bigint }> {
  const { liveServers } = await clusterOf(store).status(call)
  const asked = liveServers.flatMap(({ regions: loads }) => loads.filter(isAsked))
  const [first = 0, ...others] = asked.map((load) => load.lastMajorCompaction)
  return { compactionTimestamp: BigInt(others.reduce((least, each) => Math.min(least, each), first)) }
}

/** HBase: TruncateRegionProcedure.prepareTruncate. */
function metaIsKept(): HBaseError {
  return new HBaseError('REFUSED', "Can't truncate region in catalog tables")
}

function serverOf(message: ServerNameMessage | undefined) {
  return message && { host: message.hostName, port: message.port, startCode: Number(message.startCode) }
}

/** HBase: SplitTableRegionProcedure, MergeTableRegionsProcedure. */
function switchedOff(change: string, name: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `${change} failed due to ${name} switch off`)
}

/** Flushes a table. Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED, NO_SUCH_COLUMN_FAMILY. HBase: FlushTableProcedure. */
async function flush(
  { store: { catalog, upkeep } }: Pick<MasterContext, 'store'>,
  name: TableName,
  families: readonly Buffer[],
  call: Call,
): Promise<void> {
  // Only users who may flush learn of the families: others are refused for their permissions before.
  const table = await catalog.table(name, call)
  const known = new Set(table.families.map((family) => family.name.toString('latin1')))
  const unknown = families.filter((family) => !known.has(family.toString('latin1')))
  if (unknown.length > 0) {
    const list = unknown.map((family) => family.toString()).join(', ')
    throw new HBaseError('NO_SUCH_COLUMN_FAMILY', `Column families [${list}] don't exist in table ${name}`)
  }
  const { flushes } = upkeep
  if (families.length === 0 || (await catalog.tableState(name, call)) === 'DISABLED') {
    await flushes?.flushTable(name, call)
    return
  }
  for (const region of await catalog.regions(name, call)) {
    for (const family of families) await flushes?.flushRegion(region.name, family, call)
  }
}
