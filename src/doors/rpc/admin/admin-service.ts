import { forAdmins } from '../contract/for-admins.ts'
import type { RpcMethods } from '../contract/rpc-service.ts'
import type { AdminContext } from './admin-context.ts'
import { regionMethods } from './regions.ts'
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

/** The AdminService of a region server: the methods that clients call. The others are for HBase's own servers. */
export function adminService(context: AdminContext): RpcMethods {
  const methods = new Map([...regionMethods(context), ...upkeepMethods(context), ...serverMethods(context)])
  return forAdmins(context.store, methods, FOR_ADMINS)
}
