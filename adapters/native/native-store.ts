/** The embedded engine behind the Store interface; docs/formats.md describes its files. */

import { assert } from '../../src/model/assert.ts'
import { type Metric, type MetricReading, readMetrics } from '../../src/model/metric.ts'
import type { Catalog } from '../../src/store/catalog.ts'
import type { Handouts } from '../../src/store/handouts.ts'
import type { Rows } from '../../src/store/rows.ts'
import type { Store, StoreDamage } from '../../src/store/store.ts'
import type { Upkeep } from '../../src/store/upkeep.ts'
import type { Engine } from './engine/engine.ts'
import type { NativeHandouts } from './facets/native-handouts.ts'
import type { ReaderConnection } from './threads/publisher.ts'
import type { ReaderPort } from './threads/reader-link.ts'
import { locatedDamage } from './upkeep/located-damage.ts'

export interface NativeStoreParts {
  readonly rows: Rows
  readonly handouts: NativeHandouts
  readonly catalog: Catalog
  readonly upkeep: Upkeep
  readonly metrics: readonly Metric[]
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
  readonly #engine: Engine
  readonly #parts: NativeStoreParts
  #closing: Promise<void> | undefined

  /** Called by openNativeStore only. */
  constructor(engine: Engine, parts: NativeStoreParts) {
    this.#engine = engine
    this.rows = parts.rows
    this.handouts = parts.handouts
    this.catalog = parts.catalog
    this.upkeep = parts.upkeep
    this.#parts = parts
  }

  /** Connects a thread that reads, by `openReader`. There may be as many as NativeStoreConfig.words has place for. */
  connectReader(port: ReaderPort): ReaderConnection {
    const { publisher } = this.#engine
    assert(publisher !== undefined, 'the store was opened without readers')
    return publisher.connect(port)
  }

  async clusterId(): Promise<string> {
    return this.#engine.catalogLog.catalog.clusterId!
  }

  async metrics(): Promise<readonly MetricReading[]> {
    return readMetrics(this.#parts.metrics)
  }

  async outage(): Promise<string | undefined> {
    const engine = this.#engine
    // Without clients, the probes of a server's health are what brings it back.
    if (engine.failure !== undefined) await engine.restart().catch(() => undefined)
    return engine.failure?.message
  }

  async damage(): Promise<readonly StoreDamage[]> {
    return locatedDamage(this.#engine)
  }

  async troubles(): Promise<readonly string[]> {
    return this.#engine.troubles()
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    const { calls, commits, events } = this.#engine
    events.close()
    const closed = calls.close()
    commits.wakeAll()
    await closed
    this.#parts.handouts.closeAll()
    await this.#parts.release()
  }
}
