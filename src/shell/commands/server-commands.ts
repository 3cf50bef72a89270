import type { ServerName } from '../../model/server-name.ts'
import { AdminService } from '../../wire/rpc/gen/admin_pb.ts'
import { Option } from '../../wire/rpc/gen/cluster-status_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../wire/rpc/gen/hbase_pb.ts'
import { HbckService } from '../../wire/rpc/gen/hbck_pb.ts'
import { MasterService } from '../../wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../wire/rpc/rpc-method.ts'
import { booleanOf, flattened, listOf, tableOf } from '../arguments/argument-values.ts'
import {
  clusterStatus,
  serverMessage,
  serverNamed,
  serverOf,
  serversNamed,
  serversOf,
  serverText,
} from '../context/cluster-report.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { refuse } from '../output/shell-error.ts'
import { isTrue, textOf, type Value } from '../ruby/values.ts'

export const SERVER_COMMANDS: readonly ShellCommand[] = [
  { name: 'compaction_switch', min: 1, max: undefined, run: compactionSwitch },
  { name: 'compact_rs', min: 1, max: 2, run: compactServer },
  { name: 'wal_roll', min: 1, max: 1, run: rollLog },
  { name: 'clear_compaction_queues', min: 1, max: 2, run: clearCompactionQueues },
  { name: 'clear_block_cache', min: 1, max: 1, run: clearBlockCache },
  { name: 'update_config', min: 1, max: 1, run: updateConfig },
  { name: 'update_all_config', min: 0, max: 0, run: updateAllConfig },
  { name: 'stop_master', min: 0, max: 0, run: stopMaster },
  { name: 'stop_regionserver', min: 1, max: 1, run: stopRegionServer },
  { name: 'is_in_maintenance_mode', min: 0, max: 0, run: isInMaintenanceMode },
  { name: 'hbck_chore_run', min: 0, max: 0, run: hbckChoreRun },
  { name: 'clear_deadservers', min: 0, max: undefined, run: clearDeadServers },
  { name: 'list_decommissioned_regionservers', min: 0, max: 0, run: listDecommissioned },
  { name: 'decommission_regionservers', min: 1, max: 2, run: decommission },
  { name: 'recommission_regionserver', min: 1, max: 2, run: recommission },
  { name: 'clear_slowlog_responses', min: 0, max: 1, run: clearSlowLogs },
]

const { method: ofMaster } = MasterService
const { method: ofServer } = AdminService
const SWITCH_COMPACTION = rpcMethod(ofServer.compactionSwitch)
const COMPACT = rpcMethod(ofServer.compactRegion)
const ONLINE_REGIONS = rpcMethod(ofServer.getOnlineRegion)
const ROLL_LOG = rpcMethod(ofServer.rollWALWriter)
const CLEAR_QUEUES = rpcMethod(ofServer.clearCompactionQueues)
const CLEAR_CACHE = rpcMethod(ofServer.clearRegionBlockCache)
const UPDATE_CONFIGURATION = rpcMethod(ofServer.updateConfiguration)
const STOP_SERVER = rpcMethod(ofServer.stopServer)
const CLEAR_SLOW_LOGS = rpcMethod(ofServer.clearSlowLogsResponses)
const STOP_MASTER = rpcMethod(ofMaster.stopMaster)
const MAINTENANCE = rpcMethod(ofMaster.isMasterInMaintenanceMode)
const RUN_HBCK_CHORE = rpcMethod(HbckService.method.runHbckChore)
const CLEAR_DEAD = rpcMethod(ofMaster.clearDeadServers)
const LIST_DECOMMISSIONED = rpcMethod(ofMaster.listDecommissionedRegionServers)
const DECOMMISSION = rpcMethod(ofMaster.decommissionRegionServers)
const RECOMMISSION = rpcMethod(ofMaster.recommissionRegionServer)

async function live(context: CommandContext): Promise<ServerName[]> {
  const { liveServers } = await clusterStatus(context, [Option.LIVE_SERVERS])
  return liveServers.map(({ server }) => serverOf(server!))
}

/** The live servers with these names; all live servers where the names are absent. */
async function chosen(context: CommandContext, names: readonly Value[]): Promise<ServerName[]> {
  const all = await live(context)
  return names.length === 0 ? all : serversNamed(names.map(textOf), all)
}

async function compactionSwitch(context: CommandContext, [on, ...names]: readonly Value[]): Promise<void> {
  const { out, call } = context
  // HBase's shell prints the quotes of these two words.
  out.header(["['SERVER'", "'PREV_STATE']"])
  const servers = await chosen(context, flattened(names))
  for (const server of servers) {
    const { prevState } = await serversOf(context).askServer(
      server,
      'switch of compactions',
      SWITCH_COMPACTION,
      { enabled: booleanOf(on) },
      call,
    )
    out.row([serverText(server), String(prevState)])
  }
  out.footer(servers.length)
}

/** The live server with the name. Throws where there is none: Java's client cannot find its address. */
async function liveServer(context: CommandContext, named: Value): Promise<ServerName> {
  const server = serverNamed(textOf(named))
  const all = await live(context)
  const found = all.find(({ host, port }) => host === server.host && port === server.port)
  return found ?? refuse(`can not resolve ${textOf(named)}`)
}

async function compactServer(context: CommandContext, [named, major]: readonly Value[]): Promise<void> {
  const server = await liveServer(context, named!)
  const servers = serversOf(context)
  const { regionInfo } = await servers.askServer(server, 'regions', ONLINE_REGIONS, {}, context.call)
  for (const { tableName, startKey, regionId } of regionInfo) {
    const table = tableOf(
      Buffer.concat([Buffer.from(tableName!.namespace), Buffer.from(':'), Buffer.from(tableName!.qualifier)]),
    )
    const start = Buffer.from(startKey ?? [])
    const regions = await context.store.catalog.regions(table, context.call)
    const region = regions.find((each) => each.startKey.equals(start) && BigInt(each.regionId) === regionId)
    if (region === undefined) continue
    const type = RegionSpecifier_RegionSpecifierType.REGION_NAME
    const request = { region: { type, value: region.name }, major: isTrue(major) }
    await servers.askServer(server, 'compaction', COMPACT, request, context.call)
  }
}

async function rollLog(context: CommandContext, [named]: readonly Value[]): Promise<void> {
  const server = await liveServer(context, named!)
  await serversOf(context).askServer(server, 'roll of the log', ROLL_LOG, {}, context.call)
}

async function clearCompactionQueues(
  context: CommandContext,
  [named, stated]: readonly Value[],
): Promise<void> {
  const queueName = isTrue(stated) ? listOf(stated!).map(textOf) : ['long', 'short']
  for (const queue of queueName)
    if (queue !== 'long' && queue !== 'short') refuse(`Unknown queue name ${queue}`)
  const server = await liveServer(context, named!)
  await serversOf(context).askServer(server, 'queues', CLEAR_QUEUES, { queueName }, context.call)
}

async function clearBlockCache(context: CommandContext, [named]: readonly Value[]): Promise<void> {
  const regions = await context.store.catalog.regions(tableOf(named), context.call)
  let [blocks, size] = [0n, 0n]
  for (const { server, name } of regions) {
    if (server === undefined) continue
    const type = RegionSpecifier_RegionSpecifierType.REGION_NAME
    const request = { region: [{ type, value: name }] }
    const { stats } = await serversOf(context).askServer(
      server,
      'block cache',
      CLEAR_CACHE,
      request,
      context.call,
    )
    blocks += stats?.evictedBlocks ?? 0n
    size = stats?.maxCacheSize ?? size
  }
  context.out.row([`{evictedBlocks=${blocks}, maxCacheSize=${size}}`])
}

async function updateConfig(context: CommandContext, [named]: readonly Value[]): Promise<void> {
  const server = await liveServer(context, named!)
  await serversOf(context).askServer(server, 'configuration', UPDATE_CONFIGURATION, {}, context.call)
}

async function updateAllConfig(context: CommandContext): Promise<void> {
  for (const server of await live(context))
    await serversOf(context).askServer(server, 'configuration', UPDATE_CONFIGURATION, {}, context.call)
}

async function stopMaster(context: CommandContext): Promise<void> {
  await serversOf(context).askMaster('stop of the master', STOP_MASTER, {}, context.call)
}

async function stopRegionServer(context: CommandContext, [named]: readonly Value[]): Promise<void> {
  const [host, port] = textOf(named!).split(/[:,]/)
  const all = await live(context)
  const server = all.find((each) => each.host === host && String(each.port) === port)
  if (server === undefined) refuse(`can not resolve ${textOf(named!)}`)
  const request = { reason: `Called by admin client ${context.user}` }
  await serversOf(context).askServer(server, 'stop of a server', STOP_SERVER, request, context.call)
}

async function isInMaintenanceMode(context: CommandContext): Promise<Value> {
  const operation = 'maintenance mode'
  const { inMaintenanceMode } = await serversOf(context).askMaster(operation, MAINTENANCE, {}, context.call)
  context.out.row([String(inMaintenanceMode)])
  return inMaintenanceMode
}

async function hbckChoreRun(context: CommandContext): Promise<Value> {
  return (await serversOf(context).askHbck('hbck chore', RUN_HBCK_CHORE, {}, context.call)).ran
}

async function clearDeadServers(context: CommandContext, args: readonly Value[]): Promise<Value> {
  const { out, call } = context
  const named = flattened(args).map((each) => serverNamed(textOf(each)))
  const { deadServers } = await clusterStatus(context, [Option.DEAD_SERVERS])
  const chosenDead = named.length > 0 ? named : deadServers.map(serverOf)
  const request = { serverName: chosenDead.map(serverMessage) }
  const { serverName } = await serversOf(context).askMaster('dead servers', CLEAR_DEAD, request, call)
  const left = serverName.map((each) => serverText(serverOf(each)))
  if (left.length === 0) {
    out.row(['true'])
    return []
  }
  for (const text of ['Some dead server clear failed', 'SERVERNAME', ...left]) out.row([text])
  out.footer(left.length)
  return left.map((each) => Buffer.from(each))
}

async function listDecommissioned(context: CommandContext): Promise<void> {
  context.out.header(['DECOMMISSIONED REGION SERVERS'])
  const operation = 'decommissioned servers'
  const { serverName } = await serversOf(context).askMaster(operation, LIST_DECOMMISSIONED, {}, context.call)
  for (const each of serverName) context.out.row([serverText(serverOf(each))])
  context.out.footer(serverName.length)
}

async function decommission(context: CommandContext, [named, offload]: readonly Value[]): Promise<void> {
  const servers = serversNamed(listOf(named!).map(textOf), await live(context))
  if (servers.length === 0)
    refuse(`Could not find any server(s) with specified name(s): ${listOf(named!).map(textOf).join(', ')}`)
  const request = { serverName: servers.map(serverMessage), offload: booleanOf(offload) }
  await serversOf(context).askMaster('decommission', DECOMMISSION, request, context.call)
}

async function recommission(context: CommandContext, [named, regions]: readonly Value[]): Promise<void> {
  const [server] = serversNamed([textOf(named!)], await live(context))
  if (server === undefined) refuse(`Could not find any server with name ${textOf(named!)}`)
  const type = RegionSpecifier_RegionSpecifierType.ENCODED_REGION_NAME
  const region = (Array.isArray(regions) ? regions : []).map((each) => ({
    type,
    value: Buffer.from(textOf(each)),
  }))
  const request = { serverName: serverMessage(server), region }
  await serversOf(context).askMaster('recommission', RECOMMISSION, request, context.call)
}

async function clearSlowLogs(context: CommandContext, [named]: readonly Value[]): Promise<void> {
  const servers = await chosen(context, named === undefined ? [] : listOf(named))
  let cleared = 0
  for (const server of servers) {
    const answer = await serversOf(context).askServer(server, 'slow log', CLEAR_SLOW_LOGS, {}, context.call)
    if (answer.isCleaned) cleared++
  }
  context.out.line(`Cleared Slowlog responses from ${cleared}/${servers.length} RegionServers`)
}
