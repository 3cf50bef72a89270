import { forAdmins } from '../contract/for-admins.ts'
import type { RpcMethods } from '../contract/rpc-service.ts'
import { chores } from './chores.ts'
import { cluster } from './cluster.ts'
import { fileTrackers } from './file-trackers.ts'
import { hbckService } from './hbck-service.ts'
import { HeldSwitches } from './held-switches.ts'
import { listings } from './listings.ts'
import { logEntries } from './log-entries.ts'
import type { MasterContext } from './master-context.ts'
import type { MasterState } from './master-state.ts'
import { namespaces } from './namespaces.ts'
import { permissionMethods } from './permissions.ts'
import { quotaMethods } from './quotas.ts'
import { regions } from './regions.ts'
import { replicationPeers } from './replication-peers.ts'
import { servers } from './servers.ts'
import { snapshots } from './snapshots.ts'
import { switchMethods } from './switches.ts'
import { tables } from './tables.ts'

const FOR_ADMINS = [
  'AddReplicationPeer',
  'Balance',
  'ClearDeadServers',
  'DecommissionRegionServers',
  'DisableReplicationPeer',
  'EnableReplicationPeer',
  'ExecMasterService',
  'ExecProcedureWithRet',
  'FlushMasterStore',
  'GetReplicationPeerConfig',
  'IsRpcThrottleEnabled',
  'ListReplicationPeers',
  'Normalize',
  'RecommissionRegionServer',
  'RemoveReplicationPeer',
  'RunCatalogScan',
  'RunCleanerChore',
  'SwitchExceedThrottleQuota',
  'SwitchRpcThrottle',
  'UpdateReplicationPeerConfig',
]

/** The services of the active master, for one port. */
export function masterServices(
  of: Pick<MasterContext, 'store' | 'server' | 'infoPort'>,
  { procedures, decommissioned, off }: MasterState,
): ReadonlyMap<string, RpcMethods> {
  const { upkeep } = of.store
  const switches = upkeep.switches ?? new HeldSwitches(off, upkeep.permissions)
  const context = { ...of, procedures, decommissioned, switches }
  return new Map([
    ['MasterService', masterService(context)],
    ['HbckService', hbckService(context)],
  ])
}

function masterService(context: MasterContext): RpcMethods {
  const methods = new Map([
    ...cluster(context),
    ...servers(context),
    ...listings(context),
    ...namespaces(context),
    ...tables(context),
    ...fileTrackers(context),
    ...regions(context),
    ...snapshots(context),
    ...switchMethods(context),
    ...chores(context),
    ...quotaMethods(context),
    ...permissionMethods(context),
    ...replicationPeers(context),
    ...logEntries(),
  ])
  return forAdmins(context.store, methods, FOR_ADMINS)
}
