/** Commands of the logs that HBase keeps in memory: decisions of the balancer, slow and large requests. */

import { BinaryReader, BinaryWriter } from '@bufbuild/protobuf/wire'
import { AdminService } from '../../wire/rpc/gen/admin_pb.ts'
import { Option } from '../../wire/rpc/gen/cluster-status_pb.ts'
import { MasterService } from '../../wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../wire/rpc/rpc-method.ts'
import { hashOf, int32Of, listOf } from '../arguments/argument-values.ts'
import { clusterStatus, serverOf, serversNamed, serversOf } from '../context/cluster-report.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { refuse } from '../output/shell-error.ts'
import { isTrue, type RubyHash, stringName, textOf, type Value } from '../ruby/values.ts'

export const LOG_COMMANDS: readonly ShellCommand[] = [
  {
    name: 'get_balancer_decisions',
    min: 0,
    max: 1,
    run: (context, args) => balancerLog(context, args, 'Decision'),
  },
  {
    name: 'get_balancer_rejections',
    min: 0,
    max: 1,
    run: (context, args) => balancerLog(context, args, 'Rejection'),
  },
  {
    name: 'get_slowlog_responses',
    min: 1,
    max: 2,
    run: (context, args) => requestLog(context, args, 'Slow'),
  },
  {
    name: 'get_largelog_responses',
    min: 1,
    max: 2,
    run: (context, args) => requestLog(context, args, 'Large'),
  },
]

const OF_MASTER = rpcMethod(MasterService.method.getLogEntries)
const OF_SERVER = rpcMethod(AdminService.method.getLogEntries)
const MESSAGES = 'org.apache.hadoop.hbase.shaded.protobuf.generated.'
const BALANCER_LIMIT = 250
const REQUEST_LIMIT = 10

async function balancerLog(
  context: CommandContext,
  [given]: readonly Value[],
  kind: 'Decision' | 'Rejection',
): Promise<void> {
  const limit = limitOf(hashOf(given), BALANCER_LIMIT)
  const request = {
    logClassName: `${MESSAGES}MasterProtos$Balancer${kind}sRequest`,
    logMessage: new BinaryWriter()
      .uint32((1 << 3) | 0)
      .uint32(limit)
      .finish(),
  }
  const answer = await serversOf(context).askMaster('log of the balancer', OF_MASTER, request, context.call)
  context.out.line(`Retrieved Balancer${kind} Responses`)
  printCount(context, answer.logMessage)
}

function limitOf(options: RubyHash, otherwise: number): number {
  const limit = options.get('LIMIT')
  return isTrue(limit) ? int32Of(limit!, 'LIMIT') : otherwise
}

/** HBase: SlowLogResponseRequest. */
async function requestLog(
  context: CommandContext,
  [named, given]: readonly Value[],
  kind: 'Slow' | 'Large',
): Promise<void> {
  const options = hashOf(given, 'Filter parameters are not Hash')
  const { liveServers } = await clusterStatus(context, [Option.LIVE_SERVERS])
  const live = liveServers.map(({ server }) => serverOf(server!))
  const names = listOf(named!).map(textOf)
  const servers = names.length === 1 && names[0] === '*' ? live : serversNamed(names, live)
  const logMessage = requestMessage(options, kind)
  const request = { logClassName: `${MESSAGES}AdminProtos$SlowLogResponseRequest`, logMessage }
  context.out.line(`Retrieved ${kind}Log Responses from RegionServers`)
  for (const server of servers) {
    const answer = await serversOf(context).askServer(server, 'slow log', OF_SERVER, request, context.call)
    printCount(context, answer.logMessage)
  }
}

function requestMessage(options: RubyHash, kind: 'Slow' | 'Large'): Uint8Array {
  const writer = new BinaryWriter()
  const fields = ['REGION_NAME', 'TABLE_NAME', 'CLIENT_IP', 'USER']
  fields.forEach((name, i) => {
    const text = stringName(options.get(name))
    if (text !== undefined) writer.uint32(((i + 1) << 3) | 2).string(text)
  })
  writer.uint32((5 << 3) | 0).uint32(limitOf(options, REQUEST_LIMIT))
  const joined = stringName(options.get('FILTER_BY_OP')) ?? 'OR'
  if (joined !== 'AND' && joined !== 'OR') refuse('FILTER_BY_OP should be either OR / AND')
  writer.uint32((6 << 3) | 0).int32(joined === 'AND' ? 0 : 1)
  return writer
    .uint32((7 << 3) | 0)
    .int32(kind === 'Large' ? 1 : 0)
    .finish()
}

/** Prints the number of records in an answer, since this shell does not know their fields. */
function printCount({ out }: CommandContext, message: Uint8Array): void {
  const reader = new BinaryReader(message)
  let records = 0
  while (reader.pos < reader.len) {
    const [, type] = reader.tag()
    reader.skip(type)
    records++
  }
  if (records > 0) out.line(`${records} records, whose fields this shell does not show`)
}
