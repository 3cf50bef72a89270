/** A new store file of a region, for tools that write cells without a running engine. */

import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import { familyFileOptions } from '../hfile/family-file-options.ts'
import { HFileWriter } from '../hfile/hfile-writer.ts'
import { newFileId } from '../layout/file-id.ts'
import { filePath, regionDirectory, UNFINISHED } from '../layout/region-directory.ts'
import { giveNames, removeUnnamed } from '../layout/unnamed-file.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import { SafeDirectories } from '../platform/safe-directories.ts'

export interface RegionFilePlace {
  readonly fileSystem: FileSystem
  /** The store's. */
  readonly directory: string
  readonly table: TableName
  readonly encodedRegion: string
  readonly family: FamilyDescriptor
  readonly number: number
  readonly createTime: number
  readonly includeTags: boolean
  /** The path of a file outside the region's folder, a snapshot's; undefined for other files. */
  readonly path?: string
}

export class RegionFile {
  readonly path: string
  readonly writer: HFileWriter
  /** The file's FileRecord.id. */
  readonly id: string
  readonly #file: OpenFile
  readonly #place: RegionFilePlace
  readonly #directory: string

  private constructor(place: RegionFilePlace, path: string, directory: string) {
    const { fileSystem, encodedRegion, family, number, createTime, includeTags } = place
    this.path = path
    this.id = newFileId(number, createTime)
    this.#place = place
    this.#directory = directory
    this.#file = fileSystem.open(path + UNFINISHED, 'create')
    this.writer = new HFileWriter(this.#file, {
      owner: { region: encodedRegion, family: family.name, fileId: this.id },
      createTime,
      includeTags,
      ...familyFileOptions(family, 'flush'),
    })
  }

  static async create(place: RegionFilePlace): Promise<RegionFile> {
    const { fileSystem, directory, table, encodedRegion, family, number } = place
    const region = regionDirectory(directory, table, encodedRegion)
    const path = place.path ?? filePath(region, family.name, number)
    const folder = path.slice(0, path.lastIndexOf('/'))
    await new SafeDirectories(fileSystem, directory).make(folder)
    return new RegionFile(place, path, folder)
  }

  /** Writes the end of the file; resolves once all of it is on disk. Once the manifest names it, the caller calls endUnfinished. */
  async finish(maxSequenceId: number): Promise<void> {
    this.writer.finish({ maxSequenceId, majorCompaction: false })
    await this.#file.sync()
    this.#file.close()
    await giveNames(this.#place.fileSystem, this.#directory, [this.path])
  }

  /** Gives up a file that was not finished. */
  discard(): void {
    this.#file.close()
    removeUnnamed(this.#place.fileSystem, this.path)
  }
}
