/** A store that stands for one server of REST or Thrift. These protocols have no requests for upkeep, but REST lists the servers of its cluster. */

import type { MetricReading } from '../../src/model/metric.ts'
import type { Catalog } from '../../src/store/catalog.ts'
import type { Rows } from '../../src/store/rows.ts'
import type { Store, StoreDamage } from '../../src/store/store.ts'
import type { StoreReach } from '../../src/store/store-reach.ts'
import type { Upkeep } from '../../src/store/upkeep.ts'
import type { ServerHandouts } from './scans/server-handouts.ts'

export interface ServerStoreParts {
  readonly kind: string
  readonly reach: StoreReach
  readonly rows: Rows
  readonly handouts: ServerHandouts
  readonly catalog: Catalog
  readonly upkeep?: Upkeep
  readonly clusterId: () => Promise<string>
  readonly close: () => void
}

export class ServerStore implements Store {
  readonly kind: string
  readonly reach: StoreReach
  readonly rows: Rows
  readonly handouts: ServerHandouts
  readonly catalog: Catalog
  readonly upkeep: Upkeep
  readonly #parts: ServerStoreParts

  constructor(parts: ServerStoreParts) {
    this.kind = parts.kind
    this.reach = parts.reach
    this.rows = parts.rows
    this.handouts = parts.handouts
    this.catalog = parts.catalog
    this.upkeep = parts.upkeep ?? {}
    this.#parts = parts
  }

  clusterId(): Promise<string> {
    return this.#parts.clusterId()
  }

  async metrics(): Promise<readonly MetricReading[]> {
    return []
  }

  async outage(): Promise<string | undefined> {
    return undefined
  }

  async damage(): Promise<readonly StoreDamage[]> {
    return []
  }

  async troubles(): Promise<readonly string[]> {
    return []
  }

  async close(): Promise<void> {
    await this.handouts.closeAll()
    this.#parts.close()
  }
}
