import { forAdmins } from '../contract/for-admins.ts'
import type { RpcMethods } from '../contract/rpc-service.ts'
import type { AdminContext } from './admin-context.ts'
import { regionMethods } from './regions.ts'
import { replicateHandler } from './replication/replicate.ts'
import { serverMethods } from './server.ts'
import { upkeepMethods } from './upkeep.ts'

const FOR_ADMINS = [
  'ClearCompactionQueues',
  'ClearRegionBlockCache',
  'ClearSlowLogsResponses',
  'CompactionSwitch',
  'RollWALWriter',
  'UpdateConfiguration',
]

/** The AdminService of a region server: the methods that clients call, and that by which another cluster sends its changes. The others are for HBase's own servers. */
export function adminService(context: AdminContext): RpcMethods {
  const methods = new Map([
    ...regionMethods(context),
    ...upkeepMethods(context),
    ...serverMethods(context),
    ['ReplicateWALEntry', replicateHandler(context)] as const,
  ])
  return forAdmins(context.store, methods, FOR_ADMINS)
}
