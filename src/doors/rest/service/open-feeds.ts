/** The feeds that clients read now. */

import { HBaseError } from '../../../model/errors.ts'
import type { Call } from '../../../store/call.ts'

export interface OpenFeed {
  /** The call of the client's request, which also ends when the server stops. */
  readonly call: Call
  close(): void
}

export class OpenFeeds {
  readonly #countMax: number
  readonly #stopped = new AbortController()
  readonly #open = new Set<OpenFeed>()
  /** Changes that were sent, each of a row. */
  lines = 0

  constructor(countMax: number) {
    this.#countMax = countMax
  }

  get size(): number {
    return this.#open.size
  }

  get isStopped(): boolean {
    return this.#stopped.signal.aborted
  }

  /** The feed closes with its client's connection. Throws OVERLOADED. */
  open(call: Call): OpenFeed {
    if (this.#open.size >= this.#countMax)
      throw new HBaseError(
        'OVERLOADED',
        `${this.#open.size} change feeds are open already (--change-feeds-max): close one that is not needed, or let one reader pass its changes on`,
      )
    const { signal } = this.#stopped
    const ended = call.signal === undefined ? signal : AbortSignal.any([call.signal, signal])
    const close = (): void => {
      this.#open.delete(feed)
      call.signal?.removeEventListener('abort', close)
    }
    const feed: OpenFeed = { call: { ...call, signal: ended }, close }
    this.#open.add(feed)
    call.signal?.addEventListener('abort', close)
    if (call.signal?.aborted === true) close()
    return feed
  }

  /** Every feed ends with a last line. */
  stop(): void {
    this.#stopped.abort()
  }
}
