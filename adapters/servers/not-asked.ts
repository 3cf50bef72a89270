import { HBaseError } from '../../src/model/errors.ts'
import type { StoreReach } from '../../src/store/store-reach.ts'

/** The refusal of something that the protocol has no words for. `what`: as `a scan of tombstones`. */
export function notAsked({ protocol }: Pick<StoreReach, 'protocol'>, what: string): HBaseError {
  return new HBaseError(
    'UNSUPPORTED',
    `${what} is not a thing ${protocol} can ask for: name the server's native RPC, rpc:HOST:PORT`,
  )
}
