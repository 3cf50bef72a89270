import { setImmediate } from 'node:timers/promises'
import { HBaseError } from '../../src/model/errors.ts'
import { replicaName } from '../../src/model/region-name.ts'
import { replication } from '../../src/model/region-replication.ts'
import { tableNotFound } from '../../src/model/table-checks.ts'
import type { TableName } from '../../src/model/table-name.ts'
import type { ReadConditions } from '../../src/query/region-read.ts'
import { type Call, checkIsAwaited } from '../../src/store/call.ts'
import type { RegionLocation } from '../../src/store/catalog.ts'
import { CatalogEventLog } from '../../src/store/catalog-events.ts'
import { regionNotOnline } from '../../src/store/refusals.ts'
import { type Target, targetTable } from '../../src/store/target.ts'
import type { MemoryTable } from './memory-table.ts'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

export interface ServedTarget {
  readonly table: MemoryTable
  /** Undefined: all regions of the table. */
  readonly region: RegionLocation | undefined
}

/** The number of rows to read before other calls get their turn. */
export const ROWS_PER_TURN = 100

/** The state that the facets of the memory store share: the tables, the clock, and whether the store is open. */
export class MemoryTables {
  readonly clock: Clock
  /** Numbers from 0 up to 1, by which a RandomRowFilter decides. */
  readonly random: () => number
  readonly byName: Map<TableName, MemoryTable> = new Map()
  readonly events: CatalogEventLog
  #isClosed = false

  /** See MemoryStoreOptions. */
  readonly visibilityLabels: boolean

  constructor(clock: Clock, random: () => number, visibilityLabels: boolean) {
    this.clock = clock
    this.visibilityLabels = visibilityLabels
    this.random = random
    this.events = new CatalogEventLog(() => clock.now())
  }

  /** Every method begins with this check. Throws UNAVAILABLE, CALLER_GONE, TIMEOUT. */
  check(call: Call): void {
    if (this.#isClosed) throw new HBaseError('UNAVAILABLE', 'the store is closed')
    checkIsAwaited(call, this.clock.now())
  }

  readConditions(): ReadConditions {
    return { now: BigInt(this.clock.now()), random: this.random }
  }

  /** The table of that name. Throws TABLE_NOT_FOUND, and as check. */
  table(name: TableName, call: Call): MemoryTable {
    this.check(call)
    const table = this.byName.get(name)
    if (table === undefined) throw tableNotFound(name)
    return table
  }

  /** The table and region that a request names. Throws TABLE_NOT_ENABLED, NOT_SERVING_REGION, and as table. */
  served(target: Target, call: Call): ServedTarget {
    const name = targetTable(target)
    const table = this.table(name, call)
    if (table.state === 'DISABLED') throw new HBaseError('TABLE_NOT_ENABLED', `${name} is disabled.`)
    if (typeof target === 'string') return { table, region: undefined }
    const region = table.regions.find(({ encodedName }) => encodedName === target.encodedName)
    if (region === undefined || table.isClosed(region, target.replica))
      throw regionNotOnline(target.encodedName)
    return { table, region }
  }

  /** Finds a region by its full or its encoded name. */
  regionNamed(wanted: Buffer): { table: MemoryTable; region: RegionLocation } | undefined {
    for (const table of this.byName.values()) {
      for (const region of table.regions) {
        const { name, encodedName } = region
        if (name.equals(wanted) || wanted.equals(Buffer.from(encodedName))) return { table, region }
      }
    }
    return undefined
  }

  /** Finds a region, or a copy of one, by its full or its encoded name. */
  replicaNamed(wanted: Buffer): { table: MemoryTable; region: RegionLocation; replica: number } | undefined {
    const written = this.regionNamed(wanted)
    if (written !== undefined) return { ...written, replica: 0 }
    for (const table of this.byName.values()) {
      for (const region of table.regions) {
        for (let replica = 1; replica < replication(table.descriptor); replica++) {
          const { name, encodedName } = replicaName(region.name, replica)
          if (name.equals(wanted) || wanted.equals(Buffer.from(encodedName)))
            return { table, region, replica }
        }
      }
    }
    return undefined
  }

  /** Gives other calls their turn. The client may hang up meanwhile. Throws as check. */
  async pause(call: Call): Promise<void> {
    await setImmediate()
    this.check(call)
  }

  close(): void {
    this.#isClosed = true
    this.byName.clear()
    this.events.close()
  }
}
