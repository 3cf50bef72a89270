import type { HBaseOptions } from '../../../adapters/hbase/config/hbase-options.ts'
import type { Time } from '../../../adapters/hbase/retry/time.ts'
import { RpcError } from '../../../adapters/hbase/rpc/rpc-error.ts'

export function cancelled(): RpcError {
  return new RpcError('CALL_CANCELLED', 'the client has hung up')
}

/** The outcome of a call that no server answers. */
export function unanswered(time: Time, { rpcTimeoutMs }: HBaseOptions): Promise<never> {
  return new Promise((_, reject) => {
    time.after(rpcTimeoutMs, () => reject(new RpcError('CALL_TIMEOUT', 'no answer in time')))
  })
}
