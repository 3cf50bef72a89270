/**
 * The seam between doors and stores. Nothing else crosses it.
 *
 * A store is made of facets, each an object of its own, so that a decorator (access control, quotas, mirroring) wraps one
 * facet and hands on the others.
 *
 * The seam is message-shaped: numbers, strings, buffers, plain objects and the model's own values (CellBlock, MutationBatch,
 * TimeRange, Map) cross it, and no callback. The abort signal and the memory of a call stay on the caller's side. Callers use and give
 * back scanners and lent memory by id, read metrics as a snapshot and ask for events. A door may therefore run in another
 * thread than its store.
 *
 * A caller does not write to what a store answers. A store throws HBaseErrors only. It does not write to a caller's buffer,
 * and keeps no reference to one after its promise has settled. Calls may overlap; a later call sees what an earlier call was
 * answered.
 */

import type { MetricReading } from '../model/metric.ts'
import type { Catalog } from './catalog.ts'
import type { Handouts } from './handouts.ts'
import type { Rows } from './rows.ts'
import type { StoreReach } from './store-reach.ts'
import type { Upkeep } from './upkeep.ts'

/** A file of the store whose data cannot be read, though everything else is served. */
export interface StoreDamage {
  /** Reads of this table fail where they need the file. */
  readonly table: string
  readonly path: string
  readonly reason: string
  /** The folder of the store, for `tidegate repair`. */
  readonly directory?: string
  /** Encoded names of the table's regions that need the file. */
  readonly regions?: readonly string[]
  /** The rows whose reads fail; undefined: they are not known, and may be all rows of the regions. */
  readonly rows?: readonly DamagedRows[]
}

export interface DamagedRows {
  /** The first row that may be unreadable. */
  readonly from: Buffer
  /** A row of which a part may be unreadable, and behind which all are sound. */
  readonly to: Buffer
}

export interface Store {
  /** Its name in the ready line and the logs: `native`, `memory`, `hbase`. */
  readonly kind: string
  /** Undefined: everything that the seam has words for can be asked, as far as the store has it. */
  readonly reach?: StoreReach
  /** True: cells come with their tags where a query asks for them, and are written with those that they have. */
  readonly carriesTags?: boolean
  readonly rows: Rows
  readonly handouts: Handouts
  readonly catalog: Catalog
  readonly upkeep: Upkeep

  /** A UUID that stays the same as long as the data exists. Throws as reads do where a cluster must be asked. */
  clusterId(): Promise<string>
  /** The store's metrics as they are now; always the same metrics. */
  metrics(): Promise<readonly MetricReading[]>
  /**
   * The reason why the store does not serve just now; undefined while it serves, or knows of no reason. A call may make the
   * store look again, for a later call to report. Answers within OUTAGE_WAIT_MS.
   */
  outage(): Promise<string | undefined>
  /** Damaged files that the store has found, while it serves the rest; none where a cluster looks after the files. */
  damage(): Promise<readonly StoreDamage[]>
  /** Work that fails for now, a sentence each, while the store serves requests: a flush on a full disk, say. */
  troubles(): Promise<readonly string[]>
  /** Ends all work and leaves nothing behind that a restart must repair. Later calls of the facets throw UNAVAILABLE. */
  close(): Promise<void>
}
