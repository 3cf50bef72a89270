import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import { tableNotFound } from '../../../src/model/table-checks.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { Target } from '../../../src/store/target.ts'
import type { ReadTables } from '../facets/native-reads.ts'
import type { ReadTarget } from '../region/target-regions.ts'
import { ServedTable } from '../tables/served-table.ts'
import { enabledTable, servedRegion } from '../tables/served-target.ts'
import type { ReadsOfRegion, RegionView, TableView } from '../threads/reader-messages.ts'
import { ReaderRegion, type ReaderRegionTools } from './reader-region.ts'

class ReaderTable extends ServedTable<ReaderRegion> {
  /** See TableView. */
  readonly id: number
  descriptor: TableDescriptor

  constructor(id: number, descriptor: TableDescriptor, isEnabled: boolean, regions: readonly ReaderRegion[]) {
    super(isEnabled, regions)
    this.id = id
    this.descriptor = descriptor
  }
}

/** The tables that another thread writes, as that thread has shown them last. */
export class ReaderTables implements ReadTables {
  readonly #tables = new Map<TableName, ReaderTable>()
  readonly #regions = new Map<number, ReaderRegion>()
  readonly #byEncodedName = new Map<string, ReaderRegion>()
  /** Regions whose tables have not come yet. */
  readonly #early = new Map<number, RegionView>()
  readonly #tools: ReaderRegionTools
  readonly #begin: () => void
  /** Called once regions are served no more. */
  onGone: () => void = () => undefined

  /** `begin`: begins a read. */
  constructor(tools: ReaderRegionTools, begin: () => void) {
    this.#tools = tools
    this.#begin = begin
  }

  /** Begins a read of the target: what is read after that is the state of this moment or a later one. Throws as TableMap.served. */
  served(target: Target): ReadTarget {
    this.#begin()
    if (typeof target === 'string') return enabledTable(target, this.#tables.get(target))
    enabledTable(target.table, this.#tables.get(target.table))
    return servedRegion(target, this.#byEncodedName.get(target.encodedName))
  }

  /** True for a table that the thread knows, though the latest changes of tables may not have come yet. */
  knows(name: TableName): boolean {
    return this.#tables.has(name)
  }

  /** The table, enabled or not, as it is at this moment or a later one. Throws TABLE_NOT_FOUND. */
  descriptor(name: TableName): TableDescriptor {
    this.#begin()
    const table = this.#tables.get(name)
    if (table === undefined) throw tableNotFound(name)
    return table.descriptor
  }

  has(target: Target, served: ReadTarget): boolean {
    if (typeof target === 'string') return this.#tables.get(target) === served
    const region = this.#byEncodedName.get(target.encodedName)
    return region === served && region.isOpen
  }

  showRegion(view: RegionView): void {
    const region = this.#regions.get(view.number)
    if (region === undefined) {
      this.#forget(view.number)
      this.#early.set(view.number, view)
    } else region.show(view)
  }

  /** Forgets a region that came before its table. */
  #forget(number: number): void {
    for (const { runs } of this.#early.get(number)?.families ?? [])
      for (const run of runs) this.#tools.runs.pass(run)
    this.#early.delete(number)
  }

  showTable({ id, descriptor: { families, ...rest }, isEnabled, regions: numbers }: TableView): void {
    const descriptor = {
      ...rest,
      families: families.map((family) => ({ ...family, name: Buffer.from(family.name) })),
    }
    const regions = numbers.flatMap((number) => {
      const known = this.#regions.get(number)
      known?.setTable(descriptor)
      return known ?? this.#newRegion(number, descriptor) ?? []
    })
    const table = this.#tables.get(descriptor.name)
    if (table?.id !== id)
      this.#tables.set(descriptor.name, new ReaderTable(id, descriptor, isEnabled, regions))
    else {
      table.descriptor = descriptor
      table.isEnabled = isEnabled
      table.regions = regions
    }
  }

  #newRegion(number: number, descriptor: ReaderRegion['table']): ReaderRegion | undefined {
    const view = this.#early.get(number)
    if (view === undefined) return undefined
    this.#early.delete(number)
    const region = new ReaderRegion(descriptor, view, this.#tools)
    this.#regions.set(number, region)
    this.#byEncodedName.set(region.encodedName, region)
    return region
  }

  removeTable(name: TableName): void {
    this.#tables.delete(name)
    this.onGone()
  }

  removeRegion(number: number): void {
    this.#forget(number)
    const region = this.#regions.get(number)
    if (region === undefined) return
    this.#regions.delete(number)
    if (this.#byEncodedName.get(region.encodedName) === region) this.#byEncodedName.delete(region.encodedName)
    region.gone()
    this.onGone()
  }

  /** The reads of each region since the last call. */
  takeReads(): ReadsOfRegion[] {
    const counts: ReadsOfRegion[] = []
    for (const region of this.#regions.values()) {
      const { reads, filteredReads } = region.takeReads()
      if (reads > 0 || filteredReads !== 0) counts.push({ region: region.number, reads, filteredReads })
    }
    return counts
  }
}
