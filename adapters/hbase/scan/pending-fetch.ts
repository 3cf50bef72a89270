import { type Call, checkIsAwaited } from '../../../src/store/call.ts'
import type { Time } from '../retry/time.ts'
import { areGone, unwatchCallers, watchCallers } from '../rpc/caller-watch.ts'
import type { FetchedRows } from './fetched-rows.ts'

/** A fetch of a scanner that is under way while nobody waits for it, or one caller after the other. */
export class PendingFetch {
  readonly rows: Promise<FetchedRows>
  readonly onDrop: (() => void) | undefined
  readonly #caller: AbortSignal | undefined

  /** `caller`: with whom it ends. */
  constructor(rows: Promise<FetchedRows>, caller: AbortSignal | undefined, onDrop?: () => void) {
    this.rows = rows
    this.#caller = caller
    this.onDrop = onDrop
  }

  /** Whether it ends when the call's caller hangs up. */
  isOf({ signal }: Call): boolean {
    return signal === this.#caller
  }

  /**
   * Its rows; undefined where they are not here at `until`, as `time` has it. Rejects with its own failure, with CALLER_GONE
   * or TIMEOUT where the call is not awaited any more. The fetch goes on either way.
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
