/**
 * The copies of hbase:meta's region, which clients learn from the registry and not from hbase:meta: those that a cluster has, or that the
 * descriptor asks for in a store of our own.
 */

import { META_TABLE } from '../../model/meta-table.ts'
import { OWN_CALL } from '../../store/call.ts'
import type { AdvertisedStore } from './advertised.ts'
import { replicasOf } from './replicas.ts'

/** A client waits at most so long for a cluster's answer. */
const LOOK_MS_MAX = 2000
/** For so long the cluster is not asked again. */
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

  /** Their numbers, in order; those of the look before where the cluster does not answer in time. */
  numbers(): Promise<readonly number[]> {
    // A store of our own is asked each time: a client finds the copies that it has just asked for.
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
      // The region itself can be named all the same: it lies on this server.
    }
    return this.#numbers
  }
}
