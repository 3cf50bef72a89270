import { type ClusterStatus, Option, type ServerLoad } from '../../wire/rpc/gen/cluster-status_pb.ts'
import type { ServerName as ServerNameMessage } from '../../wire/rpc/gen/hbase_pb.ts'
import { clusterStatus, serverOf, serverText } from '../context/cluster-report.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { coprocessorsText, regionLoadText, regionNameText, serverLoadText } from '../output/load-text.ts'
import { opaque } from '../ruby/shell-objects.ts'
import { textOf, type Value } from '../ruby/values.ts'
import { statusReport } from './server-status.ts'

export const STATUS_COMMANDS: readonly ShellCommand[] = [
  { name: 'status', min: 0, max: 2, run: status },
  { name: 'rit', min: 0, max: 0, run: rit },
  { name: 'list_deadservers', min: 0, max: 0, run: listDeadServers },
  { name: 'list_liveservers', min: 0, max: 0, run: listLiveServers },
]

const FORMATS: readonly string[] = ['summary', 'simple', 'detailed', 'replication']

const ALL = [
  Option.HBASE_VERSION,
  Option.CLUSTER_ID,
  Option.LIVE_SERVERS,
  Option.DEAD_SERVERS,
  Option.MASTER,
  Option.BACKUP_MASTERS,
  Option.MASTER_COPROCESSORS,
  Option.REGIONS_IN_TRANSITION,
]

async function status(context: CommandContext, args: readonly Value[]): Promise<Value> {
  const [format, part] = [args[0] ?? null, args[1] ?? null].map(textOf)
  if (args[0] !== undefined && !FORMATS.includes(format!))
    // HBase's shell prints the summary for every other word.
    context.warn(`status has no '${format}': this is the summary; there are ${FORMATS.join(', ')}`)
  const { servers } = context.store.upkeep
  if (servers !== undefined && format !== 'replication') {
    await statusReport(context, servers, format === 'simple' || format === 'detailed' ? format : 'summary')
    return null
  }
  const cluster = await clusterStatus(context, ALL)
  if (format === 'detailed') return detailed(context, cluster)
  if (format === 'replication') return replication(context, cluster, part!.toUpperCase())
  if (format === 'simple') simple(context, cluster)
  else summary(context, cluster)
  return null
}

function summary({ out }: CommandContext, cluster: ClusterStatus): void {
  const servers = cluster.liveServers.length
  const regions = cluster.liveServers.reduce((sum, { serverLoad }) => sum + regionsOf(serverLoad), 0)
  const average = servers === 0 ? 0 : regions / servers
  out.line(
    `1 active master, ${cluster.backupMasters.length} backup masters, ${servers} servers, ${cluster.deadServers.length} dead, ${average.toFixed(4)} average load`,
  )
}

function regionsOf(load: ServerLoad | undefined): number {
  return load?.regionLoads.length ?? 0
}

function simple(context: CommandContext, cluster: ClusterStatus): void {
  const { out } = context
  masters(context, cluster)
  out.line(`${cluster.liveServers.length} live servers`)
  let [requests, regions] = [0n, 0]
  for (const { server, serverLoad } of cluster.liveServers) {
    out.line(`    ${spacedName(server!)}`)
    out.line(`        ${serverLoadText(serverLoad!)}`)
    requests += serverLoad!.numberOfRequests
    regions += regionsOf(serverLoad)
  }
  deadServers(context, cluster)
  out.line(`Aggregate load: ${requests}, regions: ${regions}`)
}

function masters({ out }: CommandContext, { master, backupMasters }: ClusterStatus): void {
  out.line(`active master:  ${master === undefined ? '' : spacedName(master)}`)
  out.line(`${backupMasters.length} backup masters`)
  for (const each of backupMasters) out.line(`    ${spacedName(each)}`)
}

function deadServers({ out }: CommandContext, { deadServers: dead }: ClusterStatus): void {
  out.line(`${dead.length} dead servers`)
  for (const each of dead) out.line(`    ${serverText(serverOf(each))}`)
}

function spacedName({ hostName, port, startCode }: ServerNameMessage): string {
  return `${hostName}:${port} ${startCode}`
}

function detailed(context: CommandContext, cluster: ClusterStatus): Value {
  const { out } = context
  out.line(`version ${cluster.hbaseVersion?.version ?? ''}`)
  out.line(`${cluster.regionsInTransition.length} regionsInTransition`)
  for (const { spec, regionState } of cluster.regionsInTransition) {
    const name = Buffer.from(spec?.value ?? []).toString('latin1')
    out.line(`    ${name}, state=${regionState?.state ?? ''}, ts=${regionState?.stamp ?? ''}`)
  }
  masters(context, cluster)
  out.line(`master coprocessors: ${coprocessorsText(cluster.masterCoprocessors.map(({ name }) => name))}`)
  out.line(`${cluster.liveServers.length} live servers`)
  for (const { server, serverLoad } of cluster.liveServers) {
    out.line(`    ${spacedName(server!)}`)
    out.line(`        ${serverLoadText(serverLoad!)}`)
    const loads = serverLoad!.regionLoads.toSorted((a, b) =>
      Buffer.compare(a.regionSpecifier!.value, b.regionSpecifier!.value),
    )
    for (const load of loads) {
      out.line(`        ${regionNameText(load)}`)
      out.line(`            ${regionLoadText(load)}`)
    }
  }
  deadServers(context, cluster)
  return opaque('ServerNames')
}

function replication({ out }: CommandContext, cluster: ClusterStatus, part: string): Value {
  out.line(`version ${cluster.hbaseVersion?.version ?? ''}`)
  out.line(`${cluster.liveServers.length} live servers`)
  for (const { server, serverLoad } of cluster.liveServers) {
    const sink = serverLoad!.replLoadSink
    if (sink === undefined) continue
    out.line(`    ${server!.hostName}:`)
    const isWaiting = sink.timeStampsOfLastAppliedOp === sink.timestampStarted
    const sinkText = isWaiting
      ? ` TimeStampStarted=${sink.timestampStarted}, Waiting for OPs... `
      : ` TimeStampStarted=${sink.timestampStarted}, AgeOfLastAppliedOp=${sink.ageOfLastAppliedOp}, TimeStampsOfLastAppliedOp=${javaDate(sink.timeStampsOfLastAppliedOp)}`
    if (part !== 'SINK') out.line(`       SOURCE:${serverLoad!.replLoadSource.map(sourceText).join('')}`)
    if (part !== 'SOURCE') out.line(`      SINK:${sinkText}`)
  }
  return opaque('ServerNames')
}

type Source = ServerLoad['replLoadSource'][number]

function sourceText(source: Source): string {
  const queue = source.recovered ? 'Recovered Queue' : 'Normal Queue'
  const head = ` PeerID=${source.peerID}\n         ${queue}: ${source.queueId}`
  if (!source.running) return `${head}\n           No Reader/Shipper threads runnning yet.`
  const shipped =
    source.timeStampOfLastShippedOp === 0n
      ? 'No Ops shipped since last restart'
      : `AgeOfLastShippedOp=${source.ageOfLastShippedOp}, TimeStampOfLastShippedOp=${javaDate(source.timeStampOfLastShippedOp)}`
  const edits = source.editsSinceRestart
    ? `, TimeStampOfNextToReplicate=${javaDate(source.timeStampOfNextToReplicate)}`
    : ', No edits for this source since it started'
  return `${head}\n           ${shipped}, SizeOfLogQueue=${source.sizeOfLogQueue}, EditsReadFromLogQueue=${source.editsRead}, OpsShippedToTarget=${source.oPsShipped}${edits}, Replication Lag=${source.replicationLag}`
}

/** A time as Java's Date prints it, in UTC. */
function javaDate(millis: bigint): string {
  const [day, date, month, year, time] = new Date(Number(millis)).toUTCString().split(/,? /)
  return `${day} ${month} ${date} ${time} UTC ${year}`
}

async function rit(context: CommandContext): Promise<void> {
  const { regionsInTransition } = await clusterStatus(context, [Option.REGIONS_IN_TRANSITION])
  for (const { spec, regionState } of regionsInTransition)
    context.out.row([`${Buffer.from(spec?.value ?? []).toString('latin1')} state=${regionState?.state}`])
  context.out.footer(regionsInTransition.length)
}

async function listDeadServers(context: CommandContext): Promise<void> {
  context.out.header(['SERVERNAME'])
  const dead =
    (await context.store.upkeep.servers?.servers(context.call))?.dead ??
    (await clusterStatus(context, [Option.DEAD_SERVERS])).deadServers.map(serverOf)
  for (const each of dead) context.out.row([serverText(each)])
  context.out.footer(dead.length)
}

async function listLiveServers(context: CommandContext): Promise<void> {
  context.out.header(['SERVERNAME'])
  const known = await context.store.upkeep.servers?.servers(context.call)
  const live =
    known?.live.map(({ server }) => server) ??
    (await clusterStatus(context, [Option.LIVE_SERVERS])).liveServers.map(({ server }) => serverOf(server!))
  for (const each of live) context.out.row([serverText(each)])
  context.out.footer(live.length)
}
