/**
 * A store that forgets everything when it is closed. Tests check the engine against it, and authors of stores can take it as
 * an example. Each facet is a class of its own. All share MemoryTables.
 */

import { randomUUID } from 'node:crypto'
import { CELL_BYTES_MAX } from '../../src/model/cell-size-limit.ts'
import type { MetricReading } from '../../src/model/metric.ts'
import type { Store } from '../../src/store/store.ts'
import { MemoryCatalog } from './memory-catalog.ts'
import { MemoryHandouts } from './memory-handouts.ts'
import { MemoryRegions } from './memory-regions.ts'
import { MemoryRows } from './memory-rows.ts'
import { type Clock, MemoryTables } from './memory-tables.ts'
import { MemoryUpkeep } from './memory-upkeep.ts'

export interface MemoryStoreOptions {
  readonly clock: Clock
  /** Numbers from 0 up to 1, by which a RandomRowFilter decides; Math.random where it is absent. */
  readonly random?: () => number
  /** The most bytes of a cell, with its key and its length, in tables without their own limit; HBase's default where it is absent. */
  readonly cellBytesMax?: number
  /** True: tombstones hide only cells with the same visibility labels. */
  readonly visibilityLabels?: boolean
}

export function openMemoryStore({
  clock,
  random = Math.random,
  visibilityLabels = false,
  cellBytesMax = CELL_BYTES_MAX,
}: MemoryStoreOptions): Store {
  const tables = new MemoryTables(clock, random, visibilityLabels)
  const handouts = new MemoryHandouts(tables)
  const upkeep = new MemoryUpkeep(tables)
  const clusterId = randomUUID()
  return {
    kind: 'memory',
    carriesTags: true,
    rows: new MemoryRows(tables, handouts, cellBytesMax),
    handouts,
    catalog: new MemoryCatalog(tables),
    upkeep: { flushes: upkeep, compactions: upkeep, regions: new MemoryRegions(tables) },
    clusterId: async () => clusterId,
    metrics: async (): Promise<MetricReading[]> => [],
    outage: async () => undefined,
    damage: async () => [],
    troubles: async () => [],
    async close(): Promise<void> {
      tables.close()
      handouts.closeAll()
    },
  }
}
