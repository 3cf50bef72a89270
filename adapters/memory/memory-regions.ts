import { HBaseError } from '../../src/model/errors.ts'
import { replicaName } from '../../src/model/region-name.ts'
import type { ServerName } from '../../src/model/server-name.ts'
import type { TableName } from '../../src/model/table-name.ts'
import type { Call } from '../../src/store/call.ts'
import type { RegionLocation } from '../../src/store/catalog.ts'
import { unknownRegion } from '../../src/store/refusals.ts'
import {
  checkedMerge,
  checkedSplitRow,
  checkIsOneTable,
  checkMergesSeveral,
  checkSplitsWithin,
  regionIsClosed,
  tableOfRegionIsDisabled,
  unexpectedState,
} from '../../src/store/region-refusals.ts'
import type { RegionUpkeep } from '../../src/store/upkeep.ts'
import type { MemoryTable } from './memory-table.ts'
import type { MemoryTables } from './memory-tables.ts'

/** A region, or a copy of it. */
interface MemoryReplica {
  readonly table: MemoryTable
  readonly region: RegionLocation
  /** 0: the region itself. */
  readonly replica: number
  readonly encodedName: string
}

/**
 * Changes of regions. The table keeps the rows, and regions are only borders between them. So no split finds its own middle, and no region grows
 * too large.
 */
export class MemoryRegions implements RegionUpkeep {
  readonly #tables: MemoryTables

  constructor(tables: MemoryTables) {
    this.#tables = tables
  }

  async splitTable(name: TableName, at: Buffer | undefined, call: Call): Promise<void> {
    const table = this.#tables.table(name, call)
    const chosen = at === undefined ? table.regions : [table.regionAt(at)]
    const refused: unknown[] = []
    for (const region of chosen) {
      try {
        this.#split(table, region, at)
      } catch (error) {
        refused.push(error)
      }
    }
    if (refused.length > 0) throw refused[0]
  }

  async splitRegion(name: Buffer, at: Buffer | undefined, call: Call): Promise<void> {
    const { table, region } = this.#region(name, call)
    this.#split(table, region, at)
  }

  #split(table: MemoryTable, region: RegionLocation, at: Buffer | undefined): void {
    checkSplitsWithin(at, region)
    if (table.state === 'DISABLED') {
      throw new HBaseError('TABLE_NOT_ENABLED', table.descriptor.name)
    }
    if (table.isClosed(region)) throw regionIsClosed(region)
    const row = checkedSplitRow(at, region, table.descriptor)
    const now = this.#tables.clock.now()
    this.#exchange(table, [region], [region.startKey, row], Math.max(region.regionId + 1, now))
  }

  async mergeRegions(names: readonly Buffer[], forcible: boolean, call: Call): Promise<void> {
    checkMergesSeveral(names)
    const found = names.map((name) => this.#region(name, call))
    checkIsOneTable(found.map(({ region }) => region.table))
    const { table } = found[0]!
    const all = checkedMerge({
      present: table.regions,
      named: found.map(({ region }) => region),
      forcible,
      table: table.descriptor,
      isOnline: (region) => table.state === 'ENABLED' && !table.isClosed(region),
    })
    this.#exchange(table, all, [all[0]!.startKey], Math.max(...all.map(({ regionId }) => regionId)) + 1)
  }

  #exchange(
    table: MemoryTable,
    replaced: readonly RegionLocation[],
    startKeys: readonly Buffer[],
    regionId: number,
  ): void {
    table.exchange(replaced, startKeys, regionId, BigInt(this.#tables.clock.now()))
    this.#tables.events.add({ kind: 'regions', table: table.descriptor.name })
  }

  async moveRegion(name: Buffer, _target: ServerName | undefined, call: Call): Promise<void> {
    const { table, region, replica } = this.#openReplica(name, call)
    if (replica === 0) table.flush(region, BigInt(this.#tables.clock.now()))
  }

  async assignRegion(name: Buffer, call: Call): Promise<void> {
    const { table, region, replica, encodedName } = this.#replica(name, call)
    if (table.state === 'DISABLED') throw tableOfRegionIsDisabled(region.table, encodedName)
    if (!table.isClosed(region, replica)) throw unexpectedState('OPEN', region.table, encodedName)
    table.setClosed(region, replica, false)
    this.#tables.events.add({ kind: 'regions', table: region.table })
  }

  async unassignRegion(name: Buffer, call: Call): Promise<void> {
    const { table, region, replica } = this.#openReplica(name, call)
    if (replica === 0) table.flush(region, BigInt(this.#tables.clock.now()))
    table.setClosed(region, replica, true)
    this.#tables.events.add({ kind: 'regions', table: region.table })
  }

  async truncateRegion(name: Buffer, call: Call): Promise<void> {
    const { table, region } = this.#region(name, call)
    if (table.state === 'DISABLED') throw new HBaseError('TABLE_NOT_ENABLED', region.table)
    if (table.isClosed(region)) throw regionIsClosed(region)
    table.dropRows(region)
    this.#exchange(
      table,
      [region],
      [region.startKey],
      Math.max(region.regionId + 1, this.#tables.clock.now()),
    )
  }

  #openReplica(name: Buffer, call: Call): MemoryReplica {
    const found = this.#replica(name, call)
    const { table, region, replica, encodedName } = found
    if (table.state === 'ENABLED' && !table.isClosed(region, replica)) return found
    throw unexpectedState('CLOSED', region.table, encodedName)
  }

  #replica(name: Buffer, call: Call): MemoryReplica {
    this.#tables.check(call)
    const found = this.#tables.replicaNamed(name)
    if (found === undefined) throw unknownRegion(name)
    const { region, replica } = found
    const { encodedName } = replica === 0 ? region : replicaName(region.name, replica)
    return { ...found, encodedName }
  }

  /** The region of that name. Throws DO_NOT_RETRY for an unknown region. */
  #region(name: Buffer, call: Call): { table: MemoryTable; region: RegionLocation } {
    this.#tables.check(call)
    const found = this.#tables.regionNamed(name)
    if (found === undefined) throw unknownRegion(name)
    return found
  }
}
