/**
 * The copies of hbase:meta's region. Clients learn them from the registry and not from hbase:meta. A cluster reports its copies; in a store
 * of our own, the table's descriptor states their number.
 */

import { META_TABLE } from '../../model/meta-table.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { AdvertisedStore } from './advertised.ts'
import { replicasOf } from './replicas.ts'

/** The longest time that a client waits for the cluster's answer. */
const LOOK_MS_MAX = 2000
/** Time for which an answer of the cluster is used again. */
const FRESH_MS = 1000

export class MetaCopies {
  readonly #store: Pick<AdvertisedStore, 'catalog'>
  readonly #now: () => number
  #numbers: readonly number[] = []
  #looking: Promise<readonly number[]> | undefined
  #lookedAt = Number.NEGATIVE_INFINITY

  /** `now`: milliseconds since 1970. */
  constructor(store: Pick<AdvertisedStore, 'catalog'>, now: () => number = Date.now) {
    this.#store = store
    this.#now = now
  }

  /** The numbers of the copies, in order. Where the cluster does not answer in time: those of its last answer. */
  numbers(): Promise<readonly number[]> {
    // A store of our own is asked each time, so that a client finds copies that it has just made.
    if (!this.#store.catalog.hasSystemTables) return this.#look()
    if (this.#now() - this.#lookedAt < FRESH_MS) return Promise.resolve(this.#numbers)
    this.#looking ??= this.#look().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #look(): Promise<readonly number[]> {
    const now = this.#now()
    try {
      const call = { ...OWN_CALL, deadline: now + LOOK_MS_MAX }
      const replicas = await replicasOf(this.#store.catalog, META_TABLE, call)
      this.#numbers = replicas.map(({ replica }) => replica).filter((number) => number > 0)
      this.#lookedAt = now
    } catch {
      // The earlier answer will do: the region itself, on this server, is always there.
    }
    return this.#numbers
  }
}
