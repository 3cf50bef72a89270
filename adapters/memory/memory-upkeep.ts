import { abbreviated } from '../../src/model/bytes.ts'
import { HBaseError } from '../../src/model/errors.ts'
import type { TableName } from '../../src/model/table-name.ts'
import type { Call } from '../../src/store/call.ts'
import type { RegionLocation } from '../../src/store/catalog.ts'
import { regionNotOnline } from '../../src/store/refusals.ts'
import type { CompactionState } from '../../src/store/region-figures.ts'
import type { Compaction, Compactions, Flushes } from '../../src/store/upkeep.ts'
import type { MemoryTable } from './memory-table.ts'
import type { MemoryTables } from './memory-tables.ts'

/**
 * Flushes and compactions without files: a flush or a major compaction drops the cells that it would leave out of a file. A minor
 * compaction drops none.
 */
export class MemoryUpkeep implements Flushes, Compactions {
  readonly #tables: MemoryTables

  constructor(tables: MemoryTables) {
    this.#tables = tables
  }

  async flushTable(name: TableName, call: Call): Promise<void> {
    const table = this.#enabledTable(name, call)
    for (const region of table.regions) table.flush(region, this.#now())
  }

  async flushRegion(name: Buffer, family: Buffer | undefined, call: Call): Promise<boolean> {
    const { table, region } = this.#region(name, call)
    if (family !== undefined) table.family(family, region.startKey)
    return table.flush(region, this.#now())
  }

  async compactTable(name: TableName, compaction: Compaction, call: Call): Promise<void> {
    const table = this.#enabledTable(name, call)
    for (const region of table.regions) this.#compact(table, region, compaction)
  }

  async compactRegion(name: Buffer, compaction: Compaction, call: Call): Promise<void> {
    const { table, region } = this.#region(name, call)
    this.#compact(table, region, compaction)
  }

  async compactionState(name: TableName, call: Call): Promise<CompactionState> {
    this.#tables.table(name, call)
    return 'NONE'
  }

  #compact(table: MemoryTable, region: RegionLocation, { family, major }: Compaction): void {
    if (family !== undefined) table.family(family, region.startKey)
    if (major) table.compact(region, family, this.#now())
  }

  #now(): bigint {
    return BigInt(this.#tables.clock.now())
  }

  #enabledTable(name: TableName, call: Call): MemoryTable {
    const table = this.#tables.table(name, call)
    if (table.state === 'DISABLED') throw new HBaseError('TABLE_NOT_ENABLED', name)
    return table
  }

  /** The region of that name. Throws ILLEGAL_ARGUMENT for an unknown region. */
  #region(wanted: Buffer, call: Call): { table: MemoryTable; region: RegionLocation } {
    this.#tables.check(call)
    const found = this.#tables.regionNamed(wanted)
    if (found?.table.isClosed(found.region)) throw regionNotOnline(found.region.encodedName)
    if (found !== undefined) return found
    throw new HBaseError('ILLEGAL_ARGUMENT', `Invalid region: ${abbreviated(wanted)}`)
  }
}
