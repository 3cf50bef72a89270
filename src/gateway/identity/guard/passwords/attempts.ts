/** Counts failed logins. After many failures further logins are refused unchecked for a time, which grows with each failure. */

import { HBaseError } from '../../../../model/errors.ts'

/** Failures without a wait: of a name from one network (see clientNetwork), of a network, of a name from all networks. */
const FREE = { pair: 5, network: 30, name: 100 } as const
const WAIT_MS_FIRST = 1000
const WAIT_MS_MAX = 60_000
/** Failures are forgotten after this time without another one. */
const FORGOTTEN_MS = 600_000
/** Names and networks that are kept. The oldest is dropped first. */
const KEPT_MAX = 30_000

interface Failures {
  count: number
  lastMs: number
}

export class Attempts {
  readonly #failures = new Map<string, Failures>()
  readonly #now: () => number

  /** `now`: milliseconds since any fixed moment. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Throws THROTTLED while the name or the network has to wait. */
  check(name: string, network: string): void {
    const waitMs = this.waitMs(name, network)
    if (waitMs > 0)
      throw new HBaseError('THROTTLED', `too many failed logins: try again in ${Math.ceil(waitMs / 1000)} s`)
  }

  /** Milliseconds that the name or the network still has to wait; 0 or less: none. */
  waitMs(name: string, network: string): number {
    const now = this.#now()
    return Math.max(...keysOf(name, network).map(([key, free]) => this.#waitMs(key, free, now)))
  }

  #waitMs(key: string, free: number, now: number): number {
    const failures = this.#failures.get(key)
    if (failures === undefined || failures.count < free) return 0
    const ms = Math.min(WAIT_MS_MAX, WAIT_MS_FIRST * 2 ** (failures.count - free))
    return failures.lastMs + ms - now
  }

  failed(name: string, network: string): void {
    const now = this.#now()
    for (const [key] of keysOf(name, network)) {
      const known = this.#failures.get(key)
      // Put at the end: the map is ordered by the last failure.
      this.#failures.delete(key)
      const isOver = known === undefined || now - known.lastMs > FORGOTTEN_MS
      this.#failures.set(key, { count: isOver ? 1 : known.count + 1, lastMs: now })
    }
    for (const [key, { lastMs }] of this.#failures) {
      if (this.#failures.size <= KEPT_MAX && now - lastMs <= FORGOTTEN_MS) break
      this.#failures.delete(key)
    }
  }

  /** Forgets the failures of the name from this network. */
  succeeded(name: string, network: string): void {
    this.#failures.delete(keysOf(name, network)[0]![0])
  }
}

function keysOf(name: string, network: string): [key: string, free: number][] {
  return [
    [`pair ${network} ${name}`, FREE.pair],
    [`network ${network}`, FREE.network],
    [`name ${name}`, FREE.name],
  ]
}
