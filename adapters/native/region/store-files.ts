/** Writes, opens and removes the store files of regions. */

import { toStringBinary } from '../../../src/model/bytes.ts'
import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { TableRecord } from '../catalog/manifest-edit.ts'
import type { RetainedCopy } from '../compact/copy-retained.ts'
import type { BlockCache } from '../hfile/block-cache.ts'
import { type CachePolicy, cachePolicyOf, USUAL_CACHE_POLICY } from '../hfile/cache-policy.ts'
import { corruptFile } from '../hfile/corruption.ts'
import { type FileOrigin, familyFileOptions } from '../hfile/family-file-options.ts'
import { InfoKey } from '../hfile/file-info.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import { type FileOwner, type HFileSummary, HFileWriter } from '../hfile/hfile-writer.ts'
import type { NativeLog } from '../native-options.ts'
import type { Clock, FileSystem } from '../platform/file-system.ts'
import type { LostAndFound } from '../platform/lost-and-found.ts'
import { SafeDirectories } from '../platform/safe-directories.ts'
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
  readonly origin: FileOrigin
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

  pathOf(region: Region, family: Buffer, number: number): string {
    return filePath(this.#regionPath(region), family, number)
  }

  #regionPath(region: Region): string {
    return regionDirectory(this.#parts.directory, region.table.name, region.encodedName)
  }

  /** Opens a file of an earlier start. One that is damaged or missing is told, and its family's reads throw CORRUPTION; IO where it cannot be opened. */
  openAnyway(region: Region, family: Buffer, number: number): SharedRun<StoreRun> {
    try {
      return this.open(region, family, number)
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
    const { fileSystem, blockCache } = this.#parts
    const file = fileSystem.open(this.pathOf(region, family, number), 'read')
    // Looked up for each block that is read: an alter may change it.
    const cachePolicy = (): CachePolicy => {
      const store = region.stores.find(({ descriptor }) => descriptor.name.equals(family))
      return store === undefined ? USUAL_CACHE_POLICY : cachePolicyOf(store.descriptor)
    }
    try {
      const hfile = openHFile(file, { fileId: number, blockCache, cachePolicy })
      checkOwner(hfile, { region: region.encodedName, family })
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
    { cells, mayHaveTags, summary, origin, pause }: FileContents,
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
        includeTags: mayHaveTags,
        ...familyFileOptions(family, origin),
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
  }

  /** Removes the files that a dropped table had, and its directories if nothing else is there. */
  removeTable(record: TableRecord): void {
    const { fileSystem, directory: root } = this.#parts
    const table = parseTableName(record.name)
    for (const { startKey, regionId, files } of record.regions) {
      const regionPath = regionDirectory(root, table, regionName(table, startKey, regionId).encodedName)
      for (const { family, number } of files) {
        fileSystem.remove(filePath(regionPath, family, number))
        this.#directories.removeIfEmpty(familyDirectory(regionPath, family))
      }
      this.#directories.removeIfEmpty(regionPath)
    }
    this.#directories.removeIfEmpty(tableDirectory(root, table))
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
      if (!pruned(fileSystem, child)) lost.setAside(child, 'the manifest does not name it')
    } else if (depth > 1) setAsideUnless(fileSystem, lost, kept, child, depth - 1)
  }
}

/** Removes a directory that has directories only, as a dropped table or a failed flush leaves them; false if there is any file. */
function pruned(fileSystem: FileSystem, path: string): boolean {
  for (const name of fileSystem.list(path)) if (!pruned(fileSystem, `${path}/${name}`)) return false
  return fileSystem.removeIfEmpty(path)
}
