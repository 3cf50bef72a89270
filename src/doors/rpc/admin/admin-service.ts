import type { RpcMethods } from '../rpc-service.ts'
import type { AdminContext } from './admin-context.ts'
import { regionMethods } from './regions.ts'
import { serverMethods } from './server.ts'
import { upkeepMethods } from './upkeep.ts'

/** HBase: AdminService of a region server, as far as clients call it; the rest is between HBase's own servers. */
export function adminService(context: AdminContext): RpcMethods {
  return new Map([...regionMethods(context), ...upkeepMethods(context), ...serverMethods(context)])
}
