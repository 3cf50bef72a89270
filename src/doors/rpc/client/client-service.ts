import type { RpcMethods } from '../contract/rpc-service.ts'
import { bulkLoads } from './bulk-load.ts'
import type { ClientContext } from './client-context.ts'
import { execService } from './exec-service.ts'
import { getHandler } from './get.ts'
import { multiHandler } from './multi.ts'
import { mutateHandler } from './mutate.ts'
import { scanHandler } from './scan.ts'

/** The ClientService of a region server. */
export function clientService(context: ClientContext): RpcMethods {
  return new Map([
    ['Get', getHandler(context)],
    ['Mutate', mutateHandler(context)],
    ['Scan', scanHandler(context)],
    ['Multi', multiHandler(context)],
    execService(context),
    ...bulkLoads(context),
  ])
}
