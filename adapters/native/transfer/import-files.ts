/**
 * Takes HFiles into a table, as HBase's bulk load does: their cells get the sequence id of the load, so that they are newer
 * than what the table has. The cells are copied into files of their regions, with the compression and bloom filters of their
 * family; one edit of the manifest brings all of them in, or none.
 */

import { compareBytes, toStringBinary } from '../../../src/model/bytes.ts'
import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { LOOP_TURNS } from '../../../src/model/loop-turns.ts'
import { regionName } from '../../../src/model/region-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { CellIterator } from '../cells/cell-run.ts'
import { familyOf, rowOf } from '../cells/cell-text.ts'
import { type ImportSource, importSources, openSource, refused } from '../hbase-files/import-sources.ts'
import { checkForeignCell } from '../hfile/foreign-cell.ts'
import type { HFile } from '../hfile/hfile.ts'
import { RegionFile } from '../inspect/region-file.ts'
import { endUnfinished, removeUnnamed } from '../layout/unnamed-file.ts'
import { descriptorOfRecord } from '../manifest/catalog.ts'
import type { CatalogLog } from '../manifest/catalog-log.ts'
import type { FileRecord, RegionRecord, TableRecord } from '../manifest/manifest-edit.ts'
import { type NewTable, newTable } from './new-table.ts'
import { recordOf, type TransferParts, withSettledStore } from './settled-store.ts'

export interface ImportRequest {
  readonly table: TableName
  /** HFiles, folders of families, or a table's folder of HBase. */
  readonly paths: readonly string[]
  /** Whether to make the table where there is none: see newTable. */
  readonly create: boolean
}

export interface Imported {
  readonly sources: number
  readonly files: number
  readonly cells: number
}

/** Throws ILLEGAL_ARGUMENT, TABLE_NOT_FOUND, UNAVAILABLE while a server has the store, CORRUPTION for a damaged file. */
export async function importFiles(parts: TransferParts, request: ImportRequest): Promise<Imported> {
  const sources = importSources(parts.fileSystem, request.paths)
  const families = distinct(sources.map(({ family }) => family))
  const { table, paths } = request
  const make = (): NewTable => newTable(parts.fileSystem, table, paths, sources)
  const create = request.create ? { table, make } : undefined
  return withSettledStore(parts, create, async (catalogLog) => {
    const record = recordOf(catalogLog, table, ': create it first, or pass --create')
    checkFamilies(record, families)
    return new Import(parts, catalogLog, record).run(sources)
  })
}

function distinct(names: readonly Buffer[]): Buffer[] {
  return names.filter((name, index) => names.findIndex((other) => other.equals(name)) === index)
}

/** HBase: BulkLoadHFilesTool.validateFamiliesInHFiles. */
function checkFamilies({ name, families }: TableRecord, found: readonly Buffer[]): void {
  const unknown = found.filter((family) => !families.some((known) => known.name.equals(family)))
  if (unknown.length === 0) return
  const valid = namesText(families.map((family) => family.name))
  throw refused(
    `Unmatched family names found: unmatched family names in HFiles to be bulkloaded: [${namesText(unknown)}]; valid family names of table ${name} are: [${valid}]`,
  )
}

function namesText(names: readonly Buffer[]): string {
  return names.map(toStringBinary).join(', ')
}

/** Cells that are copied before others get a turn. */
const TURN_CELLS = 4096

interface Place {
  /** Sources before this one. */
  readonly before: number
  readonly sources: number
}

class Import {
  readonly #parts: TransferParts
  readonly #catalogLog: CatalogLog
  readonly #record: TableRecord
  readonly #families: readonly FamilyDescriptor[]
  /** The files by the number of their region. */
  readonly #files = new Map<number, FileRecord[]>()
  readonly #written: string[] = []
  #sequenceId: number
  #cells = 0

  constructor(parts: TransferParts, catalogLog: CatalogLog, record: TableRecord) {
    this.#parts = parts
    this.#catalogLog = catalogLog
    this.#record = record
    this.#families = descriptorOfRecord(record).families
    this.#sequenceId = catalogLog.catalog.nextSequenceId
  }

  async run(sources: readonly ImportSource[]): Promise<Imported> {
    try {
      for (const [index, source] of sources.entries()) {
        await this.#copy(source, { before: index, sources: sources.length })
        // Later sources have the newer cells.
        this.#sequenceId++
      }
      await this.#catalogLog.commit({ kind: 'table', table: this.#withFiles() })
    } catch (error) {
      for (const path of this.#written) removeUnnamed(this.#parts.fileSystem, path)
      throw error
    }
    for (const path of this.#written) endUnfinished(this.#parts.fileSystem, path)
    return { sources: sources.length, files: this.#written.length, cells: this.#cells }
  }

  #withFiles(): TableRecord {
    const regions = this.#record.regions.map((region): RegionRecord => {
      const files = this.#files.get(region.number)
      if (files === undefined) return region
      const flushedSequenceId = Math.max(region.flushedSequenceId, this.#sequenceId - 1)
      return { ...region, flushedSequenceId, files: [...region.files, ...files] }
    })
    return { ...this.#record, regions }
  }

  async #copy(source: ImportSource, { before, sources }: Place): Promise<void> {
    const hfile = openSource(this.#parts.fileSystem, source.path)
    const cellsBefore = this.#cells
    const worked = async (): Promise<void> => {
      const [cells, files] = [this.#cells, this.#written.length]
      const fraction = (before + (cells - cellsBefore) / Math.max(1, hfile.entryCount)) / sources
      this.#parts.worked?.({ cells, files, fraction })
      await LOOP_TURNS.next()
    }
    try {
      const cells = hfile.iterator(Number.POSITIVE_INFINITY, false)
      cells.seekToFirst()
      for (const region of this.#record.regions) {
        if (cells.valid && isBefore(cells, region))
          await this.#copyRegion(source, region, cells, hfile, worked)
      }
    } finally {
      hfile.close()
    }
  }

  /** Copies the cells up to the region's end. */
  async #copyRegion(
    source: ImportSource,
    region: RegionRecord,
    cells: CellIterator,
    hfile: HFile,
    worked: () => Promise<void>,
  ): Promise<void> {
    const { fileSystem, directory, clock } = this.#parts
    const { name: table } = descriptorOfRecord(this.#record)
    const { encodedName } = regionName(table, region.startKey, region.regionId)
    const number = this.#catalogLog.takeNumber()
    const target = await RegionFile.create({
      fileSystem,
      directory,
      table,
      encodedRegion: encodedName,
      family: this.#families.find(({ name }) => name.equals(source.family))!,
      number,
      createTime: clock.now(),
      includeTags: hfile.hasTags,
    })
    this.#written.push(target.path)
    try {
      for (; cells.valid && isBefore(cells, region); cells.next()) {
        if (!familyOf(cells.buffer, cells.cell).equals(source.family))
          throw refused(`${source.path} has cells of several families`)
        checkForeignCell(cells.buffer, cells.cell, source.family)
        const { tagsBytes } = cells
        const tags = tagsBytes === 0 ? 0 : cells.tags
        target.writer.append(cells.buffer, cells.cell, this.#sequenceId, tags, tagsBytes)
        this.#cells++
        if (this.#cells % TURN_CELLS === 0) await worked()
      }
      await target.finish(this.#sequenceId)
    } catch (error) {
      target.discard()
      throw error
    }
    const files = this.#files.get(region.number) ?? []
    files.push({ number, family: source.family, maxSequenceId: this.#sequenceId, id: target.id })
    this.#files.set(region.number, files)
  }
}

/** Whether the iterator's row is before the region's end. */
function isBefore({ buffer, cell }: CellIterator, { endKey }: RegionRecord): boolean {
  return endKey.length === 0 || compareBytes(rowOf(buffer, cell), endKey) < 0
}
