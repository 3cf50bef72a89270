/** Writes, opens and removes the store files of regions. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { EMPTY } from '../../../src/model/bytes.ts'
import { compareCells } from '../../../src/model/cell.ts'
import { blockSizeBytesOf, bloomTypeOf, type FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { BlockCache } from '../hfile/block-cache.ts'
import { codecByName, NO_COMPRESSION } from '../hfile/compression.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import { HFileWriter } from '../hfile/hfile-writer.ts'
import type { Memstore } from '../memstore/memstore.ts'
import type { Clock, FileSystem } from '../platform/file-system.ts'
import type { CellIterator } from './cell-run.ts'
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
   * Writes a memstore as a store file, on disk to its last byte, in slices between which the event loop runs. A failed write
   * leaves no file.
   */
  async write(
    region: Region,
    family: FamilyDescriptor,
    number: number,
    memstore: Memstore,
    maxSequenceId: number,
  ): Promise<void> {
    const { fileSystem, clock } = this.#parts
    const path = this.pathOf(region, family.name, number)
    const directory = familyDirectory(this.#regionPath(region), family.name)
    await this.#makeDirectory(directory)
    const file = fileSystem.open(path, 'create')
    try {
      const writer = new HFileWriter(file, {
        createTime: clock.now(),
        blockBytes: blockSizeBytesOf(family),
        bloomType: bloomTypeOf(family),
        includeTags: memstore.hasTags,
        codec: codecByName(family.attributes.get('COMPRESSION') ?? 'NONE') ?? NO_COMPRESSION,
      })
      await copyNewest(memstore.iterator(Number.POSITIVE_INFINITY), writer)
      writer.finish({ maxSequenceId, majorCompaction: false })
      await file.sync()
    } catch (error) {
      file.close()
      fileSystem.remove(path)
      throw error
    }
    file.close()
    await fileSystem.syncDirectory(directory)
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

/** Copies the newest cell of each key, which comes first, and leaves out the others. */
async function copyNewest(cells: CellIterator, writer: HFileWriter): Promise<void> {
  let lastBuffer = EMPTY
  let lastCell = 0
  for (cells.seekToFirst(); cells.valid; cells.next()) {
    const { buffer, cell } = cells
    if (lastBuffer !== EMPTY && compareCells(lastBuffer, lastCell, buffer, cell) === 0) continue
    lastBuffer = buffer
    lastCell = cell
    const wroteBlock = writer.append(buffer, cell, cells.sequenceId, cells.tags, cells.tagsBytes)
    if (wroteBlock) await nextTurn()
  }
  cells.close()
}
