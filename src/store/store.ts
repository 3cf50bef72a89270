/**
 * The seam between doors and stores. Nothing else crosses it.
 *
 * A store is made of facets, each an object of its own, so that what stands between a door and a store (access control,
 * quotas, mirroring) wraps one facet and hands on the others.
 *
 * The seam is message-shaped: numbers, strings, buffers and plain objects cross it and nothing that is called back. What a
 * store hands out (scanners, lent memory) is used and given back by id; metrics are read as a snapshot; events are asked
 * for. A door may therefore run in another thread than its store.
 *
 * A store throws HBaseErrors only. It writes to no buffer that it is given and keeps no reference to one after its promise
 * has settled. Calls may overlap; what one call was answered, a later call sees.
 */

import type { MetricReading } from '../model/metric.ts'
import type { Catalog } from './catalog.ts'
import type { Handouts } from './handouts.ts'
import type { Rows } from './rows.ts'
import type { Upkeep } from './upkeep.ts'

export interface Store {
  /** As the ready line and the logs call it: `native`, `memory`, `hbase`. */
  readonly kind: string
  readonly rows: Rows
  readonly handouts: Handouts
  readonly catalog: Catalog
  readonly upkeep: Upkeep

  /** A UUID that stays the same for as long as the data does. Throws as reads do where a cluster must be asked. */
  clusterId(): Promise<string>
  /** What the store counts, as it is now; always the same metrics. */
  metrics(): Promise<readonly MetricReading[]>
  /**
   * Why the store does not serve just now; undefined while it does, or does not know better. A call may have the store
   * look again, so that a later call knows better.
   */
  outage(): Promise<string | undefined>
  /** Ends all work and leaves nothing behind that a restart must repair. Later calls throw UNAVAILABLE. */
  close(): Promise<void>
}
