/** Counts failed logins by password. After many failures further logins are refused unchecked for a time, which grows with each failure. */

import { type FailureKey, FailureWaits } from '../failure-waits.ts'
import { tooManyFailures } from '../login-errors.ts'

/** Failures without a wait: of a name from one network (see clientNetwork), of a network, of a name from all networks. */
const FREE = { pair: 5, network: 30, name: 100 } as const
const WAIT_MS_MAX = 60_000

export class Attempts {
  readonly #waits: FailureWaits

  /** `now`: milliseconds since any fixed moment. */
  constructor(now: () => number = () => performance.now()) {
    this.#waits = new FailureWaits(WAIT_MS_MAX, now)
  }

  /** Throws THROTTLED while the name or the network has to wait. */
  check(name: string, network: string): void {
    const waitMs = this.waitMs(name, network)
    if (waitMs > 0) throw tooManyFailures(waitMs)
  }

  /** Milliseconds that the name or the network still has to wait; 0 or less: none. */
  waitMs(name: string, network: string): number {
    return Math.max(...keysOf(name, network).map((key) => this.#waits.waitMs(key)))
  }

  failed(name: string, network: string): void {
    this.#waits.failed(keysOf(name, network))
  }

  /** Forgets the failures of the name from this network. */
  succeeded(name: string, network: string): void {
    this.#waits.forget(pairOf(name, network))
  }
}

function pairOf(name: string, network: string): FailureKey {
  return { key: `pair ${network} ${name}`, free: FREE.pair }
}

function keysOf(name: string, network: string): FailureKey[] {
  return [
    pairOf(name, network),
    { key: `network ${network}`, free: FREE.network },
    { key: `name ${name}`, free: FREE.name },
  ]
}
