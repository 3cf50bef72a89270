/** Writes, opens and removes the store files of regions. */

import { blockSizeBytesOf, bloomTypeOf, type FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { RetainedCopy } from '../compact/copy-retained.ts'
import type { BlockCache } from '../hfile/block-cache.ts'
import { codecByName, NO_COMPRESSION } from '../hfile/compression.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import { type HFileSummary, HFileWriter } from '../hfile/hfile-writer.ts'
import type { Clock, FileSystem } from '../platform/file-system.ts'
import type { Region } from './region.ts'
import { familyDirectory, filePath, regionDirectory } from './region-directory.ts'
import { SharedRun } from './shared-run.ts'

export interface StoreFilesParts {
  readonly fileSystem: FileSystem
  readonly clock: Clock
  /** The store's directory. */
  readonly directory: string
  readonly blockCache: BlockCache
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

  constructor(parts: StoreFilesParts) {
    this.#parts = parts
  }

  pathOf(region: Region, family: Buffer, number: number): string {
    return filePath(this.#regionPath(region), family, number)
  }

  #regionPath(region: Region): string {
    return regionDirectory(this.#parts.directory, region.table.name, region.encodedName)
  }

  open(region: Region, family: Buffer, number: number): SharedRun<HFile> {
    const { fileSystem, blockCache } = this.#parts
    const file = fileSystem.open(this.pathOf(region, family, number), 'read')
    try {
      const hfile = openHFile(file, { fileId: number, blockCache })
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
    await this.#makeDirectory(directory)
    const file = fileSystem.open(path, 'create')
    let cellCount = 0
    try {
      const writer = new HFileWriter(file, {
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

  /** Makes a directory and its parents; all survive a power loss. */
  async #makeDirectory(path: string): Promise<void> {
    const { fileSystem, directory: root } = this.#parts
    if (fileSystem.exists(path)) return
    fileSystem.makeDirectory(path)
    for (let at = path; at.length > root.length; ) {
      at = at.slice(0, at.lastIndexOf('/'))
      await fileSystem.syncDirectory(at)
    }
  }

  remove(path: string): void {
    this.#parts.fileSystem.remove(path)
  }

  /** Removes files that the catalog does not name: a crash left them. */
  removeOrphans(catalog: Catalog): void {
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
    removeUnless(fileSystem, kept, `${directory}/data`, DATA_DEPTH)
  }
}

/** data / namespace / table / region / family / file. */
const DATA_DEPTH = 5

function keepWithParents(kept: Set<string>, root: string, path: string): void {
  for (let at = path; at.length > root.length; at = at.slice(0, at.lastIndexOf('/'))) kept.add(at)
}

function removeUnless(fileSystem: FileSystem, kept: ReadonlySet<string>, path: string, depth: number): void {
  for (const name of fileSystem.list(path)) {
    const child = `${path}/${name}`
    if (!kept.has(child)) fileSystem.remove(child)
    else if (depth > 1) removeUnless(fileSystem, kept, child, depth - 1)
  }
}
