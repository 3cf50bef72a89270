import { type Call, checkIsAwaited } from '../../../src/store/call.ts'
import type { Time } from '../retry/time.ts'
import { areGone, unwatchCallers, watchCallers } from '../rpc/caller-watch.ts'
import type { FetchedRows } from './fetched-rows.ts'

/** A scanner's fetch in flight. Different callers may wait for it, one after another, or none yet. */
export class PendingFetch {
  readonly rows: Promise<FetchedRows>
  readonly onDrop: (() => void) | undefined
  readonly #caller: AbortSignal | undefined

  /** The fetch ends when `caller` hangs up. */
  constructor(rows: Promise<FetchedRows>, caller: AbortSignal | undefined, onDrop?: () => void) {
    this.rows = rows
    this.#caller = caller
    this.onDrop = onDrop
  }

  /** True where the fetch ends when the call's caller hangs up. */
  isOf({ signal }: Call): boolean {
    return signal === this.#caller
  }

  /**
   * The rows; undefined where they have not come by `until`, in the time of `time.now`. Rejects with the fetch's failure, or
   * with CALLER_GONE or TIMEOUT where the caller no longer waits. The fetch continues in either case.
   */
  resultFor(call: Call, until: number, time: Time): Promise<FetchedRows | undefined> {
    const { signal, deadline } = call
    const isEndless = until === Number.POSITIVE_INFINITY && deadline === Number.POSITIVE_INFINITY
    if (isEndless && this.isOf(call)) return this.rows
    return new Promise((resolve, reject) => {
      const waitMs = Math.min(until - time.now(), deadline - time.epochMs())
      const stop = (): void => {
        try {
          checkIsAwaited(call, time.epochMs())
          resolve(undefined)
        } catch (error) {
          reject(error)
        }
      }
      if (areGone(signal)) {
        stop()
        return
      }
      const waiting = { callerGone: stop }
      const cancel = waitMs < Number.POSITIVE_INFINITY ? time.after(Math.max(0, waitMs), stop) : undefined
      watchCallers(signal, waiting)
      this.rows.then(resolve, reject).finally(() => {
        cancel?.()
        unwatchCallers(signal, waiting)
      })
    })
  }
}
