/** Writes, opens and removes the store files of regions. */

import { EMPTY, toStringBinary } from '../../../src/model/bytes.ts'
import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { type HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { regionName } from '../../../src/model/region-name.ts'
import type { TableName } from '../../../src/model/table-name.ts'
import type { CellSource, FileJob, FileJobOutcome, JobRunner } from '../background/file-job.ts'
import type { BlockCache } from '../hfile/block-cache.ts'
import { BoundedHFile } from '../hfile/bounded-file.ts'
import { type CachePolicy, cachePolicyOf, USUAL_CACHE_POLICY } from '../hfile/cache-policy.ts'
import { corruptFile } from '../hfile/corruption.ts'
import { InfoKey } from '../hfile/file-info.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import type { FileOwner, HFileSummary } from '../hfile/hfile-writer.ts'
import { OpenFiles } from '../hfile/open-files.ts'
import { newFileId } from '../layout/file-id.ts'
import { familyDirectory, filePath, regionDirectory } from '../layout/region-directory.ts'
import { removeLeftSnapshots } from '../layout/snapshot-directory.ts'
import { endUnfinished } from '../layout/unnamed-file.ts'
import type { Catalog } from '../manifest/catalog.ts'
import type { FileRecord, RegionRecord, TableRecord } from '../manifest/manifest-edit.ts'
import { FileLinks } from '../platform/file-links.ts'
import type { Clock, FileSystem } from '../platform/file-system.ts'
import type { LostAndFound } from '../platform/lost-and-found.ts'
import type { NativeLog } from '../platform/native-log.ts'
import type { RemovalHolds } from '../platform/removal-holds.ts'
import { SafeDirectories } from '../platform/safe-directories.ts'
import type { RetentionPlan } from '../retention/retention-plan.ts'
import { FileRemovals } from './file-removals.ts'
import { FileWatch } from './file-watch.ts'
import { KnownDamage } from './known-damage.ts'
import { settleOrphans } from './orphan-files.ts'
import { FaultLoggingFile } from './read-faults.ts'
import type { Region } from './region.ts'
import { SharedRun } from './shared-run.ts'
import { SpoiltFiles } from './spoilt-files.ts'
import { TolerantOpening } from './tolerant-opening.ts'

export interface StoreFilesParts {
  readonly fileSystem: FileSystem
  readonly clock: Clock
  /** The store's directory. */
  readonly directory: string
  readonly blockCache: BlockCache
  readonly runner: JobRunner
  readonly log: NativeLog
  /** See NativeOptions.openFilesMax. */
  readonly openFilesMax: number
  readonly holds: RemovalHolds
  /** See FileRemovalsParts. */
  readonly onRemoved: (number: number) => void
}

/** The cells to write into store files. */
export interface FileContents {
  readonly kind: FileJob['kind']
  /** Numbers of new files, and since when they have cells: see OutputFile. */
  readonly outputs: readonly { readonly number: number; readonly since: bigint }[]
  readonly source: CellSource
  readonly mayHaveTags: boolean
  /** Bytes of the source, more or less. */
  readonly inputBytes: number
  readonly summary: HFileSummary
  readonly retention: RetentionPlan
  /** As FileJob.sequenceId. */
  readonly sequenceId?: number
  /** Once true, the write ends with JobCancelled. */
  readonly isCancelled: () => boolean
  /** Called now and then with the number of cells read so far. */
  readonly onCells?: (cellsRead: number) => void
}

/** The outcome of a write, and the records of the files that are there. */
export interface WrittenFiles extends FileJobOutcome {
  readonly records: readonly FileRecord[]
}

export class StoreFiles {
  readonly damage: KnownDamage = new KnownDamage()
  readonly spoilt: SpoiltFiles
  readonly tolerant: TolerantOpening
  readonly watch: FileWatch
  readonly #parts: StoreFilesParts
  readonly #directories: SafeDirectories
  readonly openFiles: OpenFiles
  readonly #removals: FileRemovals

  constructor(parts: StoreFilesParts) {
    this.#parts = parts
    this.spoilt = new SpoiltFiles(parts.fileSystem, parts.log)
    const { fileSystem, directory, log, holds, onRemoved } = parts
    this.#directories = new SafeDirectories(fileSystem, directory)
    this.openFiles = new OpenFiles(fileSystem, parts.openFilesMax)
    const directories = this.#directories
    this.#removals = new FileRemovals({
      fileSystem,
      directory,
      directories,
      openFiles: this.openFiles,
      log,
      holds,
      onRemoved,
    })
    this.tolerant = new TolerantOpening(this, parts)
    this.watch = new FileWatch({ ...parts, openFiles: this.openFiles, tolerant: this.tolerant })
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

  /**
   * Opens a file, which may have been written for another region, and of which some rows may count. Throws CORRUPTION, or what the file
   * system throws.
   */
  open(region: Region, record: FileRecord): SharedRun<HFile> {
    const { family, number, owner, id, from, to } = record
    const { blockCache, log } = this.#parts
    const opened = this.openFiles.open(this.pathOf(region, family, number))
    const file = new FaultLoggingFile(opened, region.table.name, log, this.damage)
    // Looked up for each block that is read: an alter may change it.
    const cachePolicy = (): CachePolicy => {
      const store = region.stores.find(({ descriptor }) => descriptor.name.equals(family))
      return store === undefined ? USUAL_CACHE_POLICY : cachePolicyOf(store.descriptor)
    }
    try {
      const options = { fileId: number, blockCache, onFault: file.report, cachePolicy }
      const isWhole = from === undefined && to === undefined
      const hfile = isWhole
        ? openHFile(file, options)
        : BoundedHFile.open(file, options, { from: from ?? EMPTY, to: to ?? EMPTY })
      checkOwner(hfile, { region: owner ?? region.encodedName, family, fileId: id })
      opened.isCopy = (copy) => openHFile(copy, { fileId: number, blockCache }).identity === hfile.identity
      file.opened()
      this.watch.opened(hfile, record, opened, file)
      return new SharedRun(hfile, () => hfile.close())
    } catch (error) {
      file.close()
      throw error
    }
  }

  /**
   * Writes a store file for each number, on disk to its last byte; those without cells are not there. A failed write
   * leaves none. Throws as JobRunner.run.
   */
  async write(region: Region, family: FamilyDescriptor, contents: FileContents): Promise<WrittenFiles> {
    const { kind, outputs, source, mayHaveTags, inputBytes, summary, retention, sequenceId } = contents
    await this.#directories.make(familyDirectory(this.#regionPath(region), family.name))
    const createTime = this.#parts.clock.now()
    const records = outputs.map(({ number }): FileRecord => {
      return {
        number,
        family: family.name,
        maxSequenceId: summary.maxSequenceId,
        id: newFileId(number, createTime),
      }
    })
    const job: FileJob = {
      kind,
      outputs: outputs.map(({ number, since }, index) => ({
        path: this.pathOf(region, family.name, number),
        id: records[index]!.id!,
        since,
      })),
      owner: { region: region.encodedName, family: family.name },
      family,
      createTime,
      summary,
      mayHaveTags,
      inputBytes,
      retention,
      ...(sequenceId !== undefined && { sequenceId }),
    }
    const outcome = await this.#parts.runner.run(job, source, contents)
    return { ...outcome, records: records.filter((_, index) => outcome.cellsOf[index]! > 0) }
  }

  /** Reports which of the files a job could not read. */
  logFaults(files: readonly HFile[], cause: unknown): void {
    if (!isHBaseError(cause) || cause.code !== 'CORRUPTION') return
    for (const file of files) {
      if (cause.detail?.['path'] !== file.path) continue
      this.spoilt.note(file)
      this.tellFault(file, cause)
    }
  }

  /** Reports a fault of a file that another thread has found: damage is over once the file has changed. */
  tellFault(file: HFile, cause: HBaseError): void {
    const offset = cause.detail?.['offset']
    if (cause.code === 'IO' && typeof offset === 'number') {
      file.probe(offset)
      return
    }
    if (this.watch.isReported(file)) return
    const stamp = this.#parts.fileSystem.stamp(file.path)
    file.tellFault(
      cause,
      () => this.#parts.fileSystem.stamp(file.path) !== stamp && this.watch.isInPlace(file),
    )
  }

  /** The manifest names these files, which `write` has written. */
  named(paths: readonly string[]): void {
    for (const path of paths) endUnfinished(this.#parts.fileSystem, path)
  }

  /** Removes a file that `write` has written, and that the manifest does not name, soon. */
  removeUnnamed(path: string): void {
    this.#removals.removeUnnamed(path)
  }

  /** Removes a file, or a snapshot's folder, that the manifest does not name any more; soon. */
  remove(path: string): void {
    this.#removals.remove(path)
  }

  /** At the end of the store: resolves once what was to be removed is gone. */
  settled(): Promise<void> {
    return this.#removals.settled()
  }

  /** New links to store files, in the folder of a region or of a snapshot. */
  newLinks(): FileLinks {
    return new FileLinks(this.#parts.fileSystem, this.#directories)
  }

  /** Returns the path of each file of a region, whether it is open or not. */
  pathsIn(table: TableName, { startKey, regionId }: RegionRecord): (file: FileRecord) => string {
    const path = this.#pathOfRegion(table, startKey, regionId)
    return ({ family, number }) => filePath(path, family, number)
  }

  #pathOfRegion(table: TableName, startKey: Buffer, regionId: number): string {
    const { encodedName } = regionName(table, startKey, regionId)
    return regionDirectory(this.#parts.directory, table, encodedName)
  }

  /** Tidies what the catalog does not name: see settleOrphans. */
  async settleOrphans(catalog: Catalog, discarded: ReadonlySet<number>, lost: LostAndFound): Promise<void> {
    const { fileSystem, directory } = this.#parts
    await settleOrphans({ fileSystem, lost, discarded }, directory, catalog)
    const snapshots = new Set([...catalog.snapshots.values()].map(({ number }) => number))
    removeLeftSnapshots(fileSystem, directory, snapshots)
  }

  /** As FileRemovals.removeTable. */
  removeTable(record: TableRecord): Promise<void> {
    return this.#removals.removeTable(record)
  }

  /** As FileRemovals.removeRegion. */
  removeRegion(table: TableName, region: RegionRecord): Promise<void> {
    return this.#removals.removeRegion(table, region)
  }
}

/**
 * A sound file may be another one, in the place of this one. Older files, and HBase's, do not say whose they are; their records have no
 * id, either.
 */
function checkOwner(
  { path, info }: HFile,
  owner: Omit<FileOwner, 'fileId'> & { fileId: string | undefined },
): void {
  const expected = [Buffer.from(owner.region, 'latin1'), owner.family]
  const names = [InfoKey.Region, InfoKey.Family]
  for (const [index, name] of names.entries()) {
    const found = info.get(name)
    if (found === undefined || found.equals(expected[index]!)) continue
    throw corruptFile(path, 0, name, toStringBinary(expected[index]!), toStringBinary(found))
  }
  const fileId = info.get(InfoKey.FileId)?.toString('latin1') ?? 'none'
  if (owner.fileId !== undefined && fileId !== owner.fileId)
    throw corruptFile(path, 0, InfoKey.FileId, owner.fileId, fileId)
}
