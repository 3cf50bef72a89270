import { nameIn } from '../../wire/rpc/enum-names.ts'
import { LockedResourceType, LockType } from '../../wire/rpc/gen/lock-service_pb.ts'
import { MasterService } from '../../wire/rpc/gen/master_pb.ts'
import { ProcedureState } from '../../wire/rpc/gen/procedure_pb.ts'
import { rpcMethod } from '../../wire/rpc/rpc-method.ts'
import { serversOf } from '../context/cluster-report.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { refuse } from '../output/shell-error.ts'
import { rubyTime } from '../output/timestamp-text.ts'
import { opaque } from '../ruby/shell-objects.ts'
import type { Value } from '../ruby/values.ts'

export const PROCEDURE_COMMANDS: readonly ShellCommand[] = [
  { name: 'list_procedures', min: 0, max: 0, run: listProcedures },
  { name: 'list_locks', min: 0, max: 0, run: listLocks },
]

/** Commands of region server groups. This shell only finds out whether the master has groups. */
export const GROUP_COMMANDS: readonly ShellCommand[] = [
  { name: 'list_rsgroups', min: 0, max: 1, run: listGroups },
  ...(
    'get_rsgroup add_rsgroup remove_rsgroup balance_rsgroup move_servers_rsgroup move_tables_rsgroup move_namespaces_rsgroup ' +
    'move_servers_tables_rsgroup move_servers_namespaces_rsgroup get_server_rsgroup get_table_rsgroup remove_servers_rsgroup ' +
    'rename_rsgroup alter_rsgroup_config show_rsgroup_config get_namespace_rsgroup'
  )
    .split(' ')
    .map((name) => ({ name, min: 0, max: undefined, run: askForGroups })),
]

const { method } = MasterService
const PROCEDURES = rpcMethod(method.getProcedures)
const LOCKS = rpcMethod(method.getLocks)
const ENDPOINT = rpcMethod(method.execMasterService)

async function listProcedures(context: CommandContext): Promise<void> {
  const { out } = context
  out.header(['PID', 'Name', 'State', 'Submitted', 'Last_Update', 'Parameters'])
  const { procedure } = await serversOf(context).askMaster('procedures', PROCEDURES, {}, context.call)
  for (const each of procedure) {
    const times = [each.submittedTime, each.lastUpdate].map((time) => rubyTime(wholeSeconds(time)))
    const state = nameIn(ProcedureState, each.state)
    // The parameters are messages of classes that this shell does not know.
    out.row([String(each.procId), each.className, state, ...times, '[]'])
  }
  out.footer(procedure.length)
}

function wholeSeconds(millis: bigint): number {
  return Math.floor(Number(millis) / 1000) * 1000
}

async function listLocks(context: CommandContext): Promise<Value> {
  const { out } = context
  const { lock } = await serversOf(context).askMaster('locks', LOCKS, {}, context.call)
  for (const each of lock) {
    out.line(`${nameIn(LockedResourceType, each.resourceType)}(${each.resourceName})`)
    const owner = each.exclusiveLockOwnerProcedure?.procId ?? ''
    if (each.lockType === LockType.EXCLUSIVE) out.line(`Lock type: EXCLUSIVE, procedure: ${owner}`)
    else out.line(`Lock type: SHARED, count: ${each.sharedLockCount}`)
    if (each.waitingProcedures.length > 0) {
      out.header(['Waiting procedures'])
      for (const waiting of each.waitingProcedures) out.row([String(waiting.procId)])
      out.footer(each.waitingProcedures.length)
    }
    out.line()
  }
  return lock.map(() => opaque('Lock'))
}

async function listGroups(context: CommandContext): Promise<void> {
  context.out.header(['NAME', 'SERVER / TABLE'])
  await askForGroups(context)
}

/** Throws always: the master's own refusal where it has no groups. */
async function askForGroups(context: CommandContext): Promise<void> {
  const request = {
    region: { type: 1 as const, value: Buffer.from('') },
    call: {
      row: Buffer.alloc(0),
      serviceName: 'RSGroupAdminService',
      methodName: 'ListRSGroupInfos',
      request: Buffer.alloc(0),
    },
  }
  await serversOf(context).askMaster('region server groups', ENDPOINT, request, context.call)
  refuse('region server groups are not known to this shell')
}
