/** The state of the cluster as its master reports it, and region servers by the names that users type. */

import type { ServerName } from '../../model/server-name.ts'
import type { ClusterStatus, Option } from '../../wire/rpc/gen/cluster-status_pb.ts'
import type { ServerName as ServerNameMessage } from '../../wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../wire/rpc/rpc-method.ts'
import { beyondReach, refuse } from '../output/shell-error.ts'
import type { CommandContext } from './command.ts'
import type { ServerCalls } from './server-calls.ts'

const GET_CLUSTER_STATUS = rpcMethod(MasterService.method.getClusterStatus)

/** The calls of the cluster's servers. Throws where the connection cannot make such calls. */
export function serversOf({ servers }: Pick<CommandContext, 'servers'>): ServerCalls {
  return servers ?? beyondReach('this command needs a connection to HBase, or to Tidegate, by its native RPC')
}

export async function clusterStatus(
  context: CommandContext,
  options: readonly Option[],
): Promise<ClusterStatus> {
  const request = { options: [...options] }
  const servers = serversOf(context)
  const answer = await servers.askMaster('status of the cluster', GET_CLUSTER_STATUS, request, context.call)
  return answer.clusterStatus!
}

/** The server with the name `HOST,PORT,STARTCODE`. Throws for other texts. HBase: ServerName.valueOf. */
export function serverNamed(text: string): ServerName {
  return fullName(text) ?? refuse(`Not a server's name, HOST,PORT,STARTCODE: ${text}`)
}

function fullName(text: string): ServerName | undefined {
  const match = /^([^,]+),(\d{1,5}),(\d+)$/.exec(text)
  return match === null ? undefined : { host: match[1]!, port: Number(match[2]), startCode: Number(match[3]) }
}

/** The servers with these names: full names, or `HOST` or `HOST,PORT` of live servers. */
export function serversNamed(names: readonly string[], live: readonly ServerName[]): ServerName[] {
  return names.flatMap((name) => {
    const whole = fullName(name)
    if (whole !== undefined) return [whole]
    const [host, port] = name.split(',')
    return live.filter((server) => server.host === host && (port === undefined || port === `${server.port}`))
  })
}

export function serverText({ host, port, startCode }: ServerName): string {
  return `${host},${port},${startCode}`
}

export function serverOf({ hostName, port, startCode }: ServerNameMessage): ServerName {
  return { host: hostName, port, startCode: Number(startCode) }
}

export function serverMessage({ host, port, startCode }: ServerName): {
  hostName: string
  port: number
  startCode: bigint
} {
  return { hostName: host, port, startCode: BigInt(startCode) }
}
