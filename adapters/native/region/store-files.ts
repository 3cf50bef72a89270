/** Writes, opens and removes the store files of regions. */

import { EMPTY, toStringBinary } from '../../../src/model/bytes.ts'
import { blockSizeBytesOf, bloomTypeOf, type FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { FileRecord, RegionRecord, TableRecord } from '../catalog/manifest-edit.ts'
import type { RetainedCopy } from '../compact/copy-retained.ts'
import type { BlockCache } from '../hfile/block-cache.ts'
import { BoundedHFile } from '../hfile/bounded-file.ts'
import { codecByName, NO_COMPRESSION } from '../hfile/compression.ts'
import { corruptFile } from '../hfile/corruption.ts'
import { InfoKey } from '../hfile/file-info.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import { type FileOwner, type HFileSummary, HFileWriter } from '../hfile/hfile-writer.ts'
import type { NativeLog } from '../native-options.ts'
import { FileLinks } from '../platform/file-links.ts'
import type { Clock, FileSystem } from '../platform/file-system.ts'
import type { LostAndFound } from '../platform/lost-and-found.ts'
import { SafeDirectories } from '../platform/safe-directories.ts'
import { removeLeftSnapshots } from '../snapshot/snapshot-directory.ts'
import { DamagedRun, type StoreRun } from './damaged-run.ts'
import type { Region } from './region.ts'
import { familyDirectory, filePath, regionDirectory, tableDirectory } from './region-directory.ts'
import { SharedRun } from './shared-run.ts'

export interface StoreFilesParts {
  readonly fileSystem: FileSystem
  readonly clock: Clock
  /** The store's directory. */
  readonly directory: string
  readonly blockCache: BlockCache
  readonly log: NativeLog
}

/** What to write into a store file. */
export interface FileContents {
  readonly cells: RetainedCopy
  readonly mayHaveTags: boolean
  readonly summary: HFileSummary
  /** Awaited between slices of the work, so that the event loop runs; what it throws ends the write. */
  readonly pause: () => Promise<void>
}

export class StoreFiles {
  readonly #parts: StoreFilesParts
  readonly #directories: SafeDirectories

  constructor(parts: StoreFilesParts) {
    this.#parts = parts
    this.#directories = new SafeDirectories(parts.fileSystem, parts.directory)
  }

  /** The store's directory. */
  get directory(): string {
    return this.#parts.directory
  }

  pathOf(region: Region, family: Buffer, number: number): string {
    return filePath(this.#regionPath(region), family, number)
  }

  #regionPath(region: Region): string {
    return regionDirectory(this.#parts.directory, region.table.name, region.encodedName)
  }

  /** Opens a file of an earlier start. One that is damaged or missing is told, and its family's reads throw CORRUPTION; IO where it cannot be opened. */
  openAnyway(region: Region, record: FileRecord): SharedRun<StoreRun> {
    const { family, number } = record
    try {
      return this.openRecord(region, record)
    } catch (cause) {
      const path = this.pathOf(region, family, number)
      const error = isHBaseError(cause) ? cause : unreadable(this.#parts.fileSystem, path, cause)
      const table = region.table.name
      this.#parts.log('error', `${error.message}: reads of ${table} fail where they need it`, {
        path,
        ...error.detail,
      })
      return new SharedRun<StoreRun>(new DamagedRun(error), () => undefined)
    }
  }

  /** Throws CORRUPTION, or what the file system throws. */
  open(region: Region, family: Buffer, number: number): SharedRun<HFile> {
    return this.openRecord(region, { family, number, maxSequenceId: 0 })
  }

  /** As open, of a file that may have been written for another region, and of which some rows may count. */
  openRecord(region: Region, { family, number, owner, from, to }: FileRecord): SharedRun<HFile> {
    const { fileSystem, blockCache } = this.#parts
    const file = fileSystem.open(this.pathOf(region, family, number), 'read')
    try {
      const options = { fileId: number, blockCache }
      const isWhole = from === undefined && to === undefined
      const hfile = isWhole
        ? openHFile(file, options)
        : BoundedHFile.open(file, options, { from: from ?? EMPTY, to: to ?? EMPTY })
      checkOwner(hfile, { region: owner ?? region.encodedName, family })
      return new SharedRun(hfile, () => hfile.close())
    } catch (error) {
      file.close()
      throw error
    }
  }

  /**
   * Writes a store file, on disk to its last byte. Resolves to the number of its cells; without any there is no file. A
   * failed write leaves none.
   */
  async write(
    region: Region,
    family: FamilyDescriptor,
    number: number,
    { cells, mayHaveTags, summary, pause }: FileContents,
  ): Promise<number> {
    const { fileSystem, clock } = this.#parts
    const path = this.pathOf(region, family.name, number)
    const directory = familyDirectory(this.#regionPath(region), family.name)
    await this.#directories.make(directory)
    const file = fileSystem.open(path, 'create')
    let cellCount = 0
    try {
      const writer = new HFileWriter(file, {
        owner: { region: region.encodedName, family: family.name },
        createTime: clock.now(),
        blockBytes: blockSizeBytesOf(family),
        bloomType: bloomTypeOf(family),
        includeTags: mayHaveTags,
        codec: codecByName(family.attributes.get('COMPRESSION') ?? 'NONE') ?? NO_COMPRESSION,
      })
      await cells.to(writer, pause)
      cellCount = writer.entryCount
      if (cellCount > 0) {
        writer.finish(summary)
        await file.sync()
      }
    } catch (error) {
      file.close()
      fileSystem.remove(path)
      throw error
    }
    file.close()
    if (cellCount === 0) fileSystem.remove(path)
    else await fileSystem.syncDirectory(directory)
    return cellCount
  }

  remove(path: string): void {
    this.#parts.fileSystem.remove(path)
  }

  /** For links to store files, in the folder of a region or of a snapshot. */
  newLinks(): FileLinks {
    return new FileLinks(this.#parts.fileSystem, this.#directories)
  }

  /** The path of a region's file, whether it is open or not. */
  pathIn(table: TableName, { startKey, regionId }: RegionRecord, { family, number }: FileRecord): string {
    return filePath(this.#pathOfRegion(table, startKey, regionId), family, number)
  }

  #pathOfRegion(table: TableName, startKey: Buffer, regionId: number): string {
    const { encodedName } = regionName(table, startKey, regionId)
    return regionDirectory(this.#parts.directory, table, encodedName)
  }

  /** Sets files aside that the catalog does not name: a crash in a flush left them, or a person. */
  setAsideOrphans(catalog: Catalog, lost: LostAndFound): void {
    const kept = new Set<string>()
    const { fileSystem, directory } = this.#parts
    for (const table of catalog.tables.values()) {
      const name = parseTableName(table.name)
      for (const region of table.regions) {
        const { encodedName } = regionName(name, region.startKey, region.regionId)
        const regionPath = regionDirectory(directory, name, encodedName)
        for (const file of region.files)
          keepWithParents(kept, directory, filePath(regionPath, file.family, file.number))
      }
    }
    setAsideUnless(fileSystem, lost, kept, `${directory}/data`, DATA_DEPTH)
    const snapshots = new Set([...catalog.snapshots.values()].map(({ number }) => number))
    removeLeftSnapshots(fileSystem, directory, snapshots)
  }

  /** Removes the files that a dropped table had, and its directories if nothing else is there. */
  removeTable(record: TableRecord): void {
    const table = parseTableName(record.name)
    for (const region of record.regions) this.removeRegion(table, region)
    this.#directories.removeIfEmpty(tableDirectory(this.#parts.directory, table))
  }

  /** Removes the files that a region had, and its directory if nothing else is there. */
  removeRegion(table: TableName, { startKey, regionId, files }: RegionRecord): void {
    const regionPath = this.#pathOfRegion(table, startKey, regionId)
    for (const { family, number } of files) {
      this.#parts.fileSystem.remove(filePath(regionPath, family, number))
      this.#directories.removeIfEmpty(familyDirectory(regionPath, family))
    }
    this.#directories.removeIfEmpty(regionPath)
  }
}

/** A file of another region, in the place of this one's, is sound. Older files, and HBase's, do not say whose they are. */
function checkOwner({ path, info }: HFile, owner: FileOwner): void {
  const expected = [Buffer.from(owner.region, 'latin1'), owner.family]
  const names = [InfoKey.Region, InfoKey.Family]
  for (const [index, name] of names.entries()) {
    const found = info.get(name)
    if (found === undefined || found.equals(expected[index]!)) continue
    throw corruptFile(path, 0, name, toStringBinary(expected[index]!), toStringBinary(found))
  }
}

function unreadable(fileSystem: FileSystem, path: string, cause: unknown): HBaseError {
  const detail = { path, offset: 0 }
  if (!fileSystem.exists(path))
    return new HBaseError('CORRUPTION', `store file ${path} is missing`, { detail, cause })
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new HBaseError('IO', `store file ${path} cannot be opened (${reason}) before the next start`, {
    detail,
    cause,
  })
}

/** data / namespace / table / region / family / file. */
const DATA_DEPTH = 5
/** Of a region's directory in a table that the catalog names. */
const REGION_DEPTH = 3

function keepWithParents(kept: Set<string>, root: string, path: string): void {
  for (let at = path; at.length > root.length; at = at.slice(0, at.lastIndexOf('/'))) kept.add(at)
}

function setAsideUnless(
  fileSystem: FileSystem,
  lost: LostAndFound,
  kept: ReadonlySet<string>,
  path: string,
  depth: number,
): void {
  for (const name of fileSystem.list(path)) {
    const child = `${path}/${name}`
    if (!kept.has(child)) {
      if (!pruned(fileSystem, child, depth <= REGION_DEPTH))
        lost.setAside(child, 'the manifest does not name it')
    } else if (depth > 1) setAsideUnless(fileSystem, lost, kept, child, depth - 1)
  }
}

/**
 * Removes a directory that has directories only, as a dropped table or a failed flush leaves them; false if there is any
 * file. With `linksToo` files go whose bytes have another name: a crash in a split or a merge leaves such.
 */
function pruned(fileSystem: FileSystem, path: string, linksToo: boolean): boolean {
  let isEmpty = true
  for (const name of fileSystem.list(path)) {
    isEmpty = pruned(fileSystem, `${path}/${name}`, linksToo) && isEmpty
  }
  if (!isEmpty) return false
  if (fileSystem.removeIfEmpty(path)) return true
  if (!linksToo || fileSystem.linkCount(path) < 2) return false
  fileSystem.remove(path)
  return true
}
