import { HBaseError } from '../../../src/model/errors.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { CatalogEvent } from '../../../src/store/catalog.ts'
import { unknownRegion } from '../../../src/store/refusals.ts'
import {
  checkIsOneTable,
  checkMergesSeveral,
  checkSplitsWithin,
  tableOfRegionIsDisabled,
  unexpectedState,
} from '../../../src/store/region-refusals.ts'
import type { RegionUpkeep } from '../../../src/store/upkeep.ts'
import type { Engine } from '../engine/engine.ts'
import type { RegionRecord } from '../manifest/manifest-edit.ts'
import type { Region } from '../region/region.ts'
import type { RegionSplits } from '../split/region-splits.ts'
import { encodedNameOf, type NamedReplica } from '../tables/table-map.ts'
import type { TableRegions } from '../tables/table-regions.ts'

export class NativeRegions implements RegionUpkeep {
  readonly #engine: Engine
  readonly #splits: RegionSplits

  constructor(engine: Engine, splits: RegionSplits) {
    this.#engine = engine
    this.#splits = splits
  }

  splitTable(name: TableName, at: Buffer | undefined, call: Call): Promise<void> {
    return this.#change(name, call, async () => {
      const table = this.#engine.tables.get(name)
      const chosen = at === undefined ? table.regions : [table.regions[table.indexOf(at, 0, at.length)]!]
      let failure: unknown
      for (const region of chosen) {
        try {
          await this.#split(region, at)
        } catch (error) {
          failure ??= error
        }
      }
      if (failure !== undefined) throw failure
    })
  }

  splitRegion(name: Buffer, at: Buffer | undefined, call: Call): Promise<void> {
    return this.#changeOf(name, call, (region) => this.#split(region, at))
  }

  async #split(region: Region, at: Buffer | undefined): Promise<void> {
    checkSplitsWithin(at, region)
    const { name } = region.table
    if (!this.#tableOf(region).isEnabled) throw new HBaseError('TABLE_NOT_ENABLED', name)
    await this.#splits.split(region, at)
  }

  async mergeRegions(names: readonly Buffer[], forcible: boolean, call: Call): Promise<void> {
    checkMergesSeveral(names)
    await this.#changeOf(names[0]!, call, async (first) => {
      const regions = names.map((name) => this.#region(name))
      checkIsOneTable(regions.map(({ table }) => table.name))
      await this.#splits.merge(this.#tableOf(first), regions, forcible)
    })
  }

  /** There is one server: a move ends where it began, with the memstore in files, as a move leaves it. */
  moveRegion(name: Buffer, _target: ServerName | undefined, call: Call): Promise<void> {
    return this.#changeReplica(name, call, async (named) => {
      this.#checkIsOpen(named)
      await this.#flush(named)
    })
  }

  assignRegion(name: Buffer, call: Call): Promise<void> {
    return this.#changeReplica(name, call, async (named) => {
      const { region, replica } = named
      const table = region.table.name
      if (!this.#tableOf(region).isEnabled) throw tableOfRegionIsDisabled(table, encodedNameOf(named))
      if (region.isServed(replica)) throw unexpectedState('OPEN', table, encodedNameOf(named))
      await this.#setClosed(named, false)
    })
  }

  unassignRegion(name: Buffer, call: Call): Promise<void> {
    return this.#changeReplica(name, call, async (named) => {
      this.#checkIsOpen(named)
      await this.#flush(named)
      await this.#setClosed(named, true)
    })
  }

  /** A copy has no memstore of its own. */
  async #flush({ region, replica }: NamedReplica): Promise<void> {
    if (replica === 0) await this.#engine.flusher.flush(region)
  }

  async #setClosed({ region, replica }: NamedReplica, isClosed: boolean): Promise<void> {
    if (replica === 0) {
      await this.#commit(region, (record) => ({ ...record, isClosed }))
      region.setClosed(isClosed, region.closed.copies)
      return
    }
    const others = region.closed.copies.filter((number) => number !== replica)
    const closedCopies = isClosed ? [...others, replica].sort((a, b) => a - b) : others
    await this.#commit(region, (record) => ({ ...record, closedCopies }))
    region.setClosed(region.closed.isClosed, closedCopies)
  }

  truncateRegion(name: Buffer, call: Call): Promise<void> {
    return this.#changeOf(name, call, async (region) => {
      const { name: table } = region.table
      if (!this.#tableOf(region).isEnabled) throw new HBaseError('TABLE_NOT_ENABLED', table)
      await this.#splits.truncate(region)
    })
  }

  #checkIsOpen(named: NamedReplica): void {
    const { region, replica } = named
    if (region.isServed(replica) && this.#tableOf(region).isEnabled) return
    throw unexpectedState('CLOSED', region.table.name, encodedNameOf(named))
  }

  /** Records a change of one region, which keeps its number. */
  #commit(region: Region, change: (record: RegionRecord) => RegionRecord): Promise<void> {
    const { flusher, catalogLog } = this.#engine
    return flusher.exclusively(() => {
      const table = region.table.name
      const { regions } = catalogLog.catalog.tables.get(table)!
      const record = change(regions.find(({ number }) => number === region.number)!)
      return catalogLog.commit({ kind: 'regions', table, replaced: [region.number], regions: [record] })
    })
  }

  #tableOf(region: Region): TableRegions {
    return this.#engine.tables.get(region.table.name)
  }

  /** Throws DO_NOT_RETRY for a region that is not there. */
  #region(name: Buffer): Region {
    const region = this.#engine.tables.regionNamed(name)
    if (region === undefined) throw unknownRegion(name)
    return region
  }

  async #changeReplica(
    name: Buffer,
    call: Call,
    change: (named: NamedReplica) => Promise<void>,
  ): Promise<void> {
    const { tables } = this.#engine
    const table = (await tables.replicaNamed(name))?.region.table.name
    await this.#change(table, call, async () => {
      const named = await tables.replicaNamed(name)
      if (named === undefined) throw unknownRegion(name)
      await change(named)
    })
  }

  async #changeOf(name: Buffer, call: Call, change: (region: Region) => Promise<void>): Promise<void> {
    const table = this.#engine.tables.regionNamed(name)?.table.name
    await this.#change(table, call, () => change(this.#region(name)))
  }

  #change(table: TableName | undefined, call: Call, change: () => Promise<void>): Promise<void> {
    const events: CatalogEvent[] = table === undefined ? [] : [{ kind: 'regions', table }]
    return this.#engine.changes.run(call, events, change)
  }
}
