/** The open tables, and their regions by number. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { CellBlock, CellCursor } from '../../../src/model/cell-block.ts'
import { eachInTurns, mapInTurns } from '../../../src/model/many-a-turn.ts'
import { parseRegionName, parseReplicaName, replicaName } from '../../../src/model/region-name.ts'
import { replication } from '../../../src/model/region-replication.ts'
import { tableNotFound } from '../../../src/model/table-checks.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { copyOfEncodedName } from '../../../src/store/copy-search.ts'
import type { Target } from '../../../src/store/target.ts'
import type { StoreRun } from '../cells/store-run.ts'
import { descriptorOfRecord } from '../manifest/catalog.ts'
import type { FamilyRecord, FileRecord, RegionRecord, TableRecord } from '../manifest/manifest-edit.ts'
import type { RandomSource } from '../platform/file-system.ts'
import { RowReader } from '../read/row-reader.ts'
import type { RegionClosings } from '../region/closed-replicas.ts'
import { Region } from '../region/region.ts'
import type { RegionTools } from '../region/region-tools.ts'
import type { SharedRun } from '../region/shared-run.ts'
import type { StoreFiles } from '../region/store-files.ts'
import type { TargetRegions } from '../region/target-regions.ts'
import { WaitingScans } from '../region/waiting-scans.ts'
import { enabledTable, servedRegion } from './served-target.ts'
import { TableRegions } from './table-regions.ts'

/** A region, or its copy of a number. */
export interface NamedReplica {
  readonly region: Region
  /** 0: the region itself. */
  readonly replica: number
}

export function encodedNameOf({ region, replica }: NamedReplica): string {
  return replica === 0 ? region.encodedName : replicaName(region.name, replica).encodedName
}

export class TableMap {
  readonly regions: Map<number, Region> = new Map()
  readonly #tables = new Map<TableName, TableRegions>()
  readonly #byEncodedName = new Map<string, Region>()
  readonly #storeFiles: StoreFiles
  readonly #closings: RegionClosings = { changes: 0 }
  /** Called once regions are served no more: some were dropped, or have given way to others. */
  onGone: () => void = () => undefined
  /** Called when a table was added or taken away, or has another state, descriptor or regions. */
  onChange: (name: TableName) => void = () => undefined
  readonly #tools: RegionTools

  /** `random`: for filters that let rows through at random. */
  constructor(
    storeFiles: StoreFiles,
    random: RandomSource,
    tools: Pick<
      RegionTools,
      | 'pool'
      | 'published'
      | 'heldSnapshots'
      | 'figures'
      | 'visibilityLabels'
      | 'publications'
      | 'otherReaders'
    >,
  ) {
    this.#storeFiles = storeFiles
    const cursor = new CellCursor(CellBlock.EMPTY)
    this.#tools = {
      ...tools,
      cursor,
      closings: this.#closings,
      rowReader: new RowReader(random),
      waiting: new WaitingScans(),
    }
  }

  /** The scans of which regions tell that they change. */
  get waiting(): WaitingScans {
    return this.#tools.waiting
  }

  names(): TableName[] {
    return [...this.#tables.keys()]
  }

  find(name: TableName): TableRegions | undefined {
    return this.#tables.get(name)
  }

  /** Throws TABLE_NOT_FOUND. */
  get(name: TableName): TableRegions {
    const table = this.#tables.get(name)
    if (table === undefined) throw tableNotFound(name)
    return table
  }

  /** Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED. */
  getEnabled(name: TableName): TableRegions {
    return enabledTable(name, this.#tables.get(name))
  }

  /** Called when a table's state or descriptor has changed. */
  changed(name: TableName): void {
    this.onChange(name)
  }

  /** The regions that a request names. Throws TABLE_NOT_FOUND, TABLE_NOT_ENABLED, NOT_SERVING_REGION for an unknown region. */
  served(target: Target): TargetRegions {
    if (typeof target === 'string') return this.getEnabled(target)
    this.getEnabled(target.table)
    return servedRegion(target, this.#byEncodedName.get(target.encodedName))
  }

  /** Whether the target is still these regions, be the table enabled or not. */
  has(target: Target, served: TargetRegions): boolean {
    if (typeof target === 'string') return this.#tables.get(target) === served
    const region = this.#byEncodedName.get(target.encodedName)
    return region === served && region.isOpen
  }

  /** Finds a region by its full or its encoded name. */
  regionNamed(name: Buffer): Region | undefined {
    const parsed = parseRegionName(name)
    if (parsed === undefined) return this.#byEncodedName.get(name.toString('latin1'))
    const region = this.#byEncodedName.get(parsed.encodedName)
    return region?.name.equals(name) === true ? region : undefined
  }

  /** Finds a region, or a copy of one, by its full or its encoded name. The encoded names of copies have to be made. */
  async replicaNamed(name: Buffer): Promise<NamedReplica | undefined> {
    const region = this.regionNamed(name)
    if (region !== undefined) return { region, replica: 0 }
    const parsed = parseReplicaName(name)
    if (parsed !== undefined) {
      const { first, replica } = parsed
      const written = this.regionNamed(first.name)
      const isThere = written !== undefined && replica < replication(written.table)
      return isThere ? { region: written, replica } : undefined
    }
    return copyOfEncodedName(this.regions.values(), copiesOf, name.toString('latin1'))
  }

  /** Opens a table as `opened` does, and adds it. */
  async open(record: TableRecord): Promise<void> {
    await this.add(await this.opened(record))
  }

  /**
   * A table with its files; reads of a file that is damaged or missing throw CORRUPTION, of one that cannot be opened IO. Throws where no
   * file can be opened any more.
   */
  opened(record: TableRecord): Promise<TableRegions> {
    const { tolerant } = this.#storeFiles
    return this.#opened(record, (region, file) => tolerant.openAnyway(region, file))
  }

  /**
   * Opens a table to come, for `add`, and then has it recorded: what can fail is done before the edit, or the table would be on disk and
   * not in memory. Throws what the file system throws, but not for damage, and what `commit` throws.
   */
  async prepare(record: TableRecord, commit: () => Promise<void>): Promise<TableRegions> {
    const table = await this.#opened(record, (region, file) =>
      this.#storeFiles.tolerant.openUnlessFailing(region, file),
    )
    try {
      await commit()
      return table
    } catch (error) {
      for (const region of table.regions) region.close()
      throw error
    }
  }

  async #opened(
    record: TableRecord,
    open: (region: Region, file: FileRecord) => SharedRun<StoreRun>,
  ): Promise<TableRegions> {
    const descriptor = descriptorOfRecord(record)
    const regions = await mapInTurns(
      record.regions,
      (regionRecord) => new Region(descriptor, record.families, regionRecord, this.#tools),
    )
    await addFiles(regions, record.regions, open)
    return new TableRegions(descriptor, record.state === 'ENABLED', regions, this.#closings)
  }

  /** Its regions are found by their names a little before it is there. */
  async add(table: TableRegions): Promise<void> {
    await eachInTurns(table.regions, (region) => this.#add(region))
    this.#tables.set(table.descriptor.name, table)
    this.onChange(table.descriptor.name)
  }

  /**
   * Takes away a disabled table, or puts an opened one of its name in its place. Releases its data. Returns the memory of its memstores.
   */
  async replace(name: TableName, later?: TableRegions): Promise<number> {
    const before = this.#tables.get(name)?.regions ?? []
    // At once: the manifest does not have them any more, so that they must not be flushed.
    for (const region of before) region.isOpen = false
    if (later === undefined) {
      this.#tables.delete(name)
      this.onChange(name)
      this.#tools.waiting.forget(name)
    } else await this.add(later)
    this.onGone()
    let bytes = 0
    await eachInTurns(before, (region) => {
      bytes += this.#remove(region)
    })
    return bytes
  }

  #add(region: Region): void {
    this.regions.set(region.number, region)
    this.#byEncodedName.set(region.encodedName, region)
  }

  /**
   * Opens the regions that are to take the place of others, which keep their rows until `exchange`. Throws CORRUPTION, or
   * what the file system throws.
   */
  async openHeirs(
    { descriptor }: TableRegions,
    families: readonly FamilyRecord[],
    records: readonly RegionRecord[],
    predecessors: readonly Region[],
  ): Promise<Region[]> {
    const heirs = records.map((record) => new Region(descriptor, families, record, this.#tools, predecessors))
    await addFiles(heirs, records, (heir, file) => this.#storeFiles.open(heir, file))
    return heirs
  }

  /** Puts opened regions in the place of others; open scans of the table keep the runs that they read. Returns the memory of their memstores. */
  exchange(table: TableRegions, replaced: readonly Region[], heirs: readonly Region[]): number {
    const bytes = replaced.reduce((sum, region) => sum + this.#remove(region), 0)
    for (const heir of heirs) this.#add(heir)
    const first = table.regions.indexOf(replaced[0]!)
    table.regions = table.regions.toSpliced(first, replaced.length, ...heirs)
    this.onChange(table.descriptor.name)
    this.onGone()
    return bytes
  }

  #remove(region: Region): number {
    const bytes = region.memstoreBytes
    this.regions.delete(region.number)
    if (this.#byEncodedName.get(region.encodedName) === region) this.#byEncodedName.delete(region.encodedName)
    region.close()
    return bytes
  }

  /** Releases the data of all tables. */
  async close(): Promise<void> {
    for (const name of this.names()) await this.replace(name)
  }
}

/** Files opened at a stretch. */
const FILES_A_TURN = 32

/** Opens the files of new regions. Where one cannot be opened, closes the regions and throws. */
async function addFiles(
  regions: readonly Region[],
  records: readonly RegionRecord[],
  open: (region: Region, file: FileRecord) => SharedRun<StoreRun>,
): Promise<void> {
  let opened = 0
  try {
    for (const [index, { files }] of records.entries()) {
      const region = regions[index]!
      for (const file of files) {
        const { family } = file
        if (++opened % FILES_A_TURN === 0) await nextTurn()
        region.storeOf(family, 0, family.length)?.addFile(open(region, file))
      }
    }
  } catch (error) {
    for (const region of regions) region.close()
    throw error
  }
}

function copiesOf({ table }: Region): number {
  return replication(table) - 1
}
