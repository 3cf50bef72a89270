/**
 * Removes files that the manifest does not name any more, soon. A file that scans still read goes with the last of them, and its folders
 * after it; a crash before leaves it to the next start, which knows it by its number.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { regionName } from '../../../src/model/region-name.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import type { OpenFiles } from '../hfile/open-files.ts'
import {
  familyDirectory,
  filePath,
  numberIn,
  regionDirectory,
  tableDirectory,
  UNFINISHED,
} from '../layout/region-directory.ts'
import type { RegionRecord, TableRecord } from '../manifest/manifest-edit.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import type { RemovalHolds } from '../platform/removal-holds.ts'
import type { SafeDirectories } from '../platform/safe-directories.ts'
import { Slots } from '../platform/slots.ts'

/** Regions, and files that wait for scans, that are looked at in one turn of the event loop. */
const LOOKED_AT_A_TURN = 100
/** The end of one scan may free any number of files: to begin all of their removals at once would keep the event loop, and the log's syncs. */
const REMOVED_AT_A_TIME = 8

export interface FileRemovalsParts {
  readonly fileSystem: FileSystem
  /** The store's directory. */
  readonly directory: string
  readonly directories: SafeDirectories
  readonly openFiles: OpenFiles
  readonly log: NativeLog
  readonly holds: RemovalHolds
  /** Called with the number of each file that is removed: the manifest need not name it for the next start any more. */
  readonly onRemoved: (number: number) => void
}

export class FileRemovals {
  readonly #parts: FileRemovalsParts
  /** Under way. */
  readonly #removals = new Set<Promise<void>>()
  readonly #slots = new Slots(REMOVED_AT_A_TIME)
  /** Since the last turn of the event loop that was let go. */
  #lookedAt = 0

  constructor(parts: FileRemovalsParts) {
    this.#parts = parts
  }

  /** Removes a file, or a snapshot's folder, soon. */
  remove(path: string): void {
    this.#await(this.#removeUnused(path))
  }

  /** Removes a file that was written and is not in the manifest, soon. */
  removeUnnamed(path: string): void {
    this.#await(this.#removedUnnamed(path))
  }

  /** The first name goes once the second one is gone for good: a file with both is removed by the next start. */
  async #removedUnnamed(path: string): Promise<void> {
    await this.#removeUnused(path)
    await this.#parts.fileSystem.syncDirectory(path.slice(0, path.lastIndexOf('/'))).catch(() => undefined)
    await this.#removed(path + UNFINISHED)
  }

  #await(removal: Promise<void>): void {
    const ended = removal.finally(() => this.#removals.delete(ended))
    this.#removals.add(ended)
  }

  /** Resolves once what was to be removed is gone. No reader may need a file any more. */
  async settled(): Promise<void> {
    this.#parts.openFiles.stopWaiting()
    await Promise.all(this.#removals)
  }

  async #removeUnused(path: string): Promise<void> {
    const unused = this.#parts.openFiles.whenUnused(path)
    if (unused !== undefined) await unused
    await this.#removed(path)
  }

  /** The failure of a removal is logged, and the next start removes the file. */
  async #removed(path: string): Promise<void> {
    const { fileSystem, holds, onRemoved } = this.#parts
    await holds.whenFree()
    try {
      await this.#slots.run(() => fileSystem.removeLarge(path))
    } catch (error) {
      this.#logFailure(path, error)
      return
    }
    const number = numberIn(path)
    if (number !== undefined) onRemoved(number)
  }

  /** Removes the files that a dropped table had, and its directories if nothing else is there. Files that are read go later. */
  async removeTable(record: TableRecord): Promise<void> {
    const { directory, directories } = this.#parts
    const table = parseTableName(record.name)
    for (const region of record.regions) {
      await this.#turn()
      await this.removeRegion(table, region)
    }
    const tablePath = tableDirectory(directory, table)
    this.#logged(tablePath, () => directories.removeIfEmpty(tablePath))
  }

  async #turn(): Promise<void> {
    if (++this.#lookedAt < LOOKED_AT_A_TURN) return
    this.#lookedAt = 0
    await nextTurn()
  }

  /** Removes the files that a region had, and its directory if nothing else is there. Files that are read go later. */
  async removeRegion(table: TableName, { startKey, regionId, files }: RegionRecord): Promise<void> {
    const { directory, directories, openFiles } = this.#parts
    const { encodedName } = regionName(table, startKey, regionId)
    const regionPath = regionDirectory(directory, table, encodedName)
    const later: Promise<void>[] = []
    /** A directory of thousands of files is looked at once they are gone. */
    const familyPaths = new Set<string>()
    for (const { family, number } of files) {
      const path = filePath(regionPath, family, number)
      const familyPath = familyDirectory(regionPath, family)
      const unused = openFiles.whenUnused(path)
      if (unused === undefined) {
        await this.#removed(path)
        familyPaths.add(familyPath)
        continue
      }
      await this.#turn()
      directories.giveUp(familyPath)
      later.push(this.#removedLater(unused, path, familyPath))
    }
    for (const path of familyPaths) this.#logged(path, () => directories.removeIfEmpty(path))
    if (later.length === 0) this.#logged(regionPath, () => directories.removeIfEmpty(regionPath))
    else this.#await(this.#removedWith(later, regionPath, tableDirectory(directory, table)))
  }

  async #removedLater(unused: Promise<void>, path: string, familyPath: string): Promise<void> {
    await unused
    await this.#removed(path)
    this.#removeGivenUp(familyPath)
  }

  async #removedWith(files: readonly Promise<void>[], regionPath: string, tablePath: string): Promise<void> {
    this.#parts.directories.giveUp(regionPath)
    await Promise.all(files)
    this.#removeGivenUp(regionPath)
    this.#removeGivenUp(tablePath)
  }

  #removeGivenUp(path: string): void {
    this.#logged(path, () => this.#parts.directories.removeGivenUp(path))
  }

  /** No caller waits for a directory's removal, which may come long after the drop: its failure is logged, as that of a file. */
  #logged(path: string, removal: () => void): void {
    try {
      removal()
    } catch (error) {
      this.#logFailure(path, error)
    }
  }

  #logFailure(path: string, error: unknown): void {
    this.#parts.log('error', `${path} is not needed any more and could not be removed`, { path, error })
  }
}
