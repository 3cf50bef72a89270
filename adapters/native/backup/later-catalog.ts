/**
 * The catalog of a backup, with the changes that were archived after it. The files of later flushes and compactions are not in a backup: the log has
 * their cells. So a table keeps the regions that it has in the backup, or was made with, and takes everything else from the changes. Records of later
 * regions, which come of splits and merges, belong to the table that has them: see homeOf.
 */

import { Catalog } from '../manifest/catalog.ts'
import type { ManifestEdit, RegionRecord, TableRecord } from '../manifest/manifest-edit.ts'

/** A table from when it is made to when it is dropped, or gets new regions. */
interface Life {
  readonly name: string
  isOver: boolean
}

/** Cells of a table that no record has. */
export interface UnloggedCells {
  readonly table: string
  /** When the first and the last of them came. */
  readonly first: number
  readonly last: number
}

/** The table whose regions take the records of a region, in the order of their rows. */
export type Home = 'gone' | 'unknown' | { readonly table: string; readonly regions: readonly RegionRecord[] }

export class LaterCatalog {
  readonly catalog: Catalog = new Catalog()
  /** By the numbers of all regions that it has had. */
  readonly #lives = new Map<number, Life>()
  readonly #living = new Map<string, Life>()
  readonly #unlogged = new Map<Life, { first: number; last: number }>()
  readonly #laterSnapshots = new Set<string>()
  /** The regions of the backup: its log may have records of these. */
  readonly #ofBackup = new Set<number>()

  constructor(edits: readonly ManifestEdit[]) {
    for (const edit of edits) {
      this.catalog.apply(edit)
      if (edit.kind === 'table') this.#begin(edit.table)
    }
    for (const number of this.#lives.keys()) this.#ofBackup.add(number)
  }

  /** Names of snapshots that are not in the backup. */
  get laterSnapshots(): readonly string[] {
    return [...this.#laterSnapshots]
  }

  /** Of the tables that there are. */
  get unlogged(): readonly UnloggedCells[] {
    return [...this.#unlogged].flatMap(([{ name, isOver }, times]) =>
      isOver ? [] : [{ table: name, ...times }],
    )
  }

  noteUnlogged(table: string, at: number): void {
    const life = this.#living.get(table)
    if (life !== undefined) this.#noteUnlogged(life, at)
  }

  #noteUnlogged(life: Life, at: number): void {
    this.#unlogged.set(life, { first: this.#unlogged.get(life)?.first ?? at, last: at })
  }

  /** `at`: when the change was made. */
  apply(edit: ManifestEdit, at: number): void {
    switch (edit.kind) {
      case 'table':
        this.#noteNumbers(edit.table.regions)
        this.#applyTable(edit.table, at)
        break
      case 'regions':
        this.#noteNumbers(edit.regions)
        this.#applyRegions(edit.table, edit.regions)
        break
      case 'table-gone':
        this.#end(edit.name)
        this.catalog.apply({ kind: 'table-gone', name: edit.name })
        break
      case 'snapshot':
        this.#applySnapshot(edit)
        break
      case 'snapshot-gone':
        this.#laterSnapshots.delete(edit.name)
        this.catalog.apply(edit)
        break
      case 'flush':
      case 'flushes':
      case 'compaction':
      case 'logs':
      case 'retired':
      case 'discarded':
      case 'generation':
      case 'cluster':
        break
      case 'counters':
      case 'namespace':
      case 'namespace-gone':
      case 'shown-table':
      case 'switch':
        this.catalog.apply(edit)
        break
    }
  }

  #applyTable(table: TableRecord, at: number): void {
    const life = this.#living.get(table.name)
    const before = this.catalog.tables.get(table.name)
    const isSame = life !== undefined && table.regions.some(({ number }) => this.#lives.get(number) === life)
    if (isSame && before !== undefined) {
      for (const { number } of table.regions) this.#lives.set(number, life)
      const regions = before.regions.map((region) => ({
        ...region,
        files: region.files.filter(({ family }) => hasKept(family, before, table)),
      }))
      this.#set({ ...table, regions: withStates(regions, table.regions) })
      return
    }
    this.#end(table.name)
    const made = this.#begin(table)
    if (table.regions.some(({ files }) => files.length > 0)) this.#noteUnlogged(made, at)
    const regions = table.regions.map((region) => ({ ...region, flushedSequenceId: 0, files: [] }))
    this.#set({ ...table, regions })
  }

  #applyRegions(name: string, regions: readonly RegionRecord[]): void {
    const life = this.#living.get(name)
    const table = this.catalog.tables.get(name)
    if (life === undefined || table === undefined) return
    for (const { number } of regions) this.#lives.set(number, life)
    // A region that is closed or opened by itself gives way to itself.
    const numbers = new Set(regions.map(({ number }) => number))
    if (!table.regions.some(({ number }) => numbers.has(number))) return
    const others = table.regions.filter(({ number }) => !numbers.has(number))
    this.#set({ ...table, regions: withStates(table.regions, [...others, ...regions]) })
  }

  #applySnapshot(edit: ManifestEdit & { kind: 'snapshot' }): void {
    const { name, number } = edit.snapshot
    if (this.catalog.snapshots.get(name)?.number === number) {
      this.catalog.apply(edit)
      return
    }
    this.catalog.apply({ kind: 'snapshot-gone', name })
    this.#laterSnapshots.add(name)
    this.catalog.nextNumber = Math.max(this.catalog.nextNumber, number + 1)
  }

  #set(table: TableRecord): void {
    this.catalog.apply({ kind: 'table', table })
  }

  #begin(table: TableRecord): Life {
    const life: Life = { name: table.name, isOver: false }
    this.#living.set(table.name, life)
    for (const { number } of table.regions) this.#lives.set(number, life)
    return life
  }

  #end(name: string): void {
    const life = this.#living.get(name)
    if (life !== undefined) life.isOver = true
    this.#living.delete(name)
  }

  /** Numbers are never used again, also those of regions that the restored store never has. */
  #noteNumbers(regions: readonly RegionRecord[]): void {
    for (const { number, files } of regions) {
      this.catalog.nextNumber = Math.max(this.catalog.nextNumber, number + 1)
      for (const file of files) this.catalog.nextNumber = Math.max(this.catalog.nextNumber, file.number + 1)
    }
  }

  homeOf(region: number): Home {
    const life = this.#lives.get(region)
    if (life === undefined) return 'unknown'
    const table = life.isOver ? undefined : this.catalog.tables.get(life.name)
    return table === undefined ? 'gone' : { table: table.name, regions: table.regions }
  }

  /** The edits of the catalog. Regions that the backup's log has no record of are not named as gone. */
  edits(): ManifestEdit[] {
    this.catalog.retired.keepOnly((number) => this.#ofBackup.has(number) || !this.#lives.has(number))
    return this.catalog.edits()
  }
}

/** Whether the table has kept the family: one that was removed, and added anew, is another. */
function hasKept(name: Buffer, before: TableRecord, later: TableRecord): boolean {
  const since = ({ families }: TableRecord): number | undefined =>
    families.find((family) => family.name.equals(name))?.sinceSequenceId
  return since(later) !== undefined && since(later) === since(before)
}

/** The regions, open or closed as the later ones of the same numbers. One that has none there has been split or merged since: it is open. */
function withStates(regions: readonly RegionRecord[], later: readonly RegionRecord[]): RegionRecord[] {
  const byNumber = new Map(later.map((region) => [region.number, region]))
  return regions.map(({ isClosed: _isClosed, closedCopies: _closedCopies, ...region }) => {
    const { isClosed, closedCopies } = byNumber.get(region.number) ?? {}
    return {
      ...region,
      ...(isClosed !== undefined && { isClosed }),
      ...(closedCopies !== undefined && { closedCopies }),
    }
  })
}
