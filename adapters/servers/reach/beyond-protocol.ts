/** Refusals of requests that a server's protocol cannot express. */

import { HBaseError } from '../../../src/model/errors.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { StoreReach } from '../../../src/store/store-reach.ts'
import { type Target, targetRegion, targetTable } from '../../../src/store/target.ts'

/** The refusal of a request that the protocol cannot express. `what`: as `a scan of tombstones`. */
export function beyondProtocol({ protocol }: Pick<StoreReach, 'protocol'>, what: string): HBaseError {
  return new HBaseError(
    'UNSUPPORTED',
    `${what} is not a thing ${protocol} can ask for: name the server's native RPC, rpc:HOST:PORT`,
  )
}

/** The table of a request. Throws UNSUPPORTED for a region: servers of REST and Thrift know tables only. */
export function tableOfTarget(target: Target, reach: StoreReach): TableName {
  if (targetRegion(target) !== undefined) throw beyondProtocol(reach, 'a request of one region')
  return targetTable(target)
}
