import { unwatchCallers, watchCallers } from '../rpc/caller-watch.ts'
import { RpcError } from '../rpc/rpc-error.ts'

/** The outcome of `promise`, or CALL_CANCELLED when the caller hangs up; `late` then gets the value that arrives afterwards. */
export function untilGone<T>(
  caller: AbortSignal | undefined,
  promise: Promise<T>,
  late: (value: T) => void,
): Promise<T> {
  if (caller === undefined) return promise
  return new Promise((resolve, reject) => {
    let isGone = false
    const waiting = {
      callerGone: (): void => {
        isGone = true
        reject(new RpcError('CALL_CANCELLED', 'the client has hung up', { sent: true }))
      },
    }
    if (caller.aborted) waiting.callerGone()
    else watchCallers(caller, waiting)
    promise
      .then((value) => (isGone ? late(value) : resolve(value)), reject)
      .finally(() => unwatchCallers(caller, waiting))
  })
}
