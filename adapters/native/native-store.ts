/** The embedded engine behind the Store interface; docs/formats.md describes its files. */

import type { HBaseError } from '../../src/model/errors.ts'
import { type Metric, type MetricReading, readMetrics } from '../../src/model/metric.ts'
import type { Catalog } from '../../src/store/catalog.ts'
import type { CatalogEventLog } from '../../src/store/catalog-events.ts'
import type { Handouts } from '../../src/store/handouts.ts'
import type { Rows } from '../../src/store/rows.ts'
import type { Store, StoreDamage } from '../../src/store/store.ts'
import type { Upkeep } from '../../src/store/upkeep.ts'
import type { EngineCalls } from './engine/engine-calls.ts'
import type { NativeHandouts } from './facets/native-handouts.ts'
import type { KnownDamage } from './region/known-damage.ts'

export interface NativeStoreParts {
  readonly rows: Rows
  readonly handouts: NativeHandouts
  readonly catalog: Catalog
  readonly upkeep: Upkeep
  readonly calls: EngineCalls
  readonly events: CatalogEventLog
  readonly clusterId: string
  readonly metrics: readonly Metric[]
  readonly damage: KnownDamage
  /** See Store.troubles. */
  troubles(): readonly string[]
  /** Why no writes are taken, if none are. */
  failure(): HBaseError | undefined
  /** Tries to take writes again. Throws where that is not possible yet. */
  restart(): Promise<void>
  /** Flushes the memstores and frees files and directory; called once, when no call is under way. */
  release(): Promise<void>
}

export class NativeStore implements Store {
  readonly kind = 'native'
  readonly carriesTags = true
  readonly rows: Rows
  readonly handouts: Handouts
  readonly catalog: Catalog
  readonly upkeep: Upkeep
  readonly #parts: NativeStoreParts
  #closing: Promise<void> | undefined

  /** For openNativeStore. */
  constructor(parts: NativeStoreParts) {
    this.rows = parts.rows
    this.handouts = parts.handouts
    this.catalog = parts.catalog
    this.upkeep = parts.upkeep
    this.#parts = parts
  }

  async clusterId(): Promise<string> {
    return this.#parts.clusterId
  }

  async metrics(): Promise<readonly MetricReading[]> {
    return readMetrics(this.#parts.metrics)
  }

  async outage(): Promise<string | undefined> {
    const parts = this.#parts
    // Without clients, the probes of a server's health are what brings it back.
    if (parts.failure() !== undefined) await parts.restart().catch(() => undefined)
    return parts.failure()?.message
  }

  async damage(): Promise<readonly StoreDamage[]> {
    return this.#parts.damage.list()
  }

  async troubles(): Promise<readonly string[]> {
    return this.#parts.troubles()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const { calls, events, handouts } = this.#parts
    events.close()
    await calls.close()
    handouts.closeAll()
    await this.#parts.release()
  }
}
