/** Writes, opens and removes the store files of regions. */

import { toStringBinary } from '../../../src/model/bytes.ts'
import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import { regionName } from '../../../src/model/region-name.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { CellSource, FileJob, FileJobOutcome, JobRunner } from '../background/file-job.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { TableRecord } from '../catalog/manifest-edit.ts'
import type { RetentionPlan } from '../compact/retention-plan.ts'
import type { BlockCache } from '../hfile/block-cache.ts'
import { corruptFile } from '../hfile/corruption.ts'
import { InfoKey } from '../hfile/file-info.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import type { FileOwner, HFileSummary } from '../hfile/hfile-writer.ts'
import type { NativeLog } from '../native-options.ts'
import type { Clock, FileSystem } from '../platform/file-system.ts'
import type { LostAndFound } from '../platform/lost-and-found.ts'
import { SafeDirectories } from '../platform/safe-directories.ts'
import { DamagedRun, type StoreRun } from './damaged-run.ts'
import { FaultTellingFile } from './read-faults.ts'
import type { Region } from './region.ts'
import { familyDirectory, filePath, regionDirectory, tableDirectory, UNFINISHED } from './region-directory.ts'
import { SharedRun } from './shared-run.ts'

export interface StoreFilesParts {
  readonly fileSystem: FileSystem
  readonly clock: Clock
  /** The store's directory. */
  readonly directory: string
  readonly blockCache: BlockCache
  readonly runner: JobRunner
  readonly log: NativeLog
}

/** What to write into store files. */
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
  /** Once true, the write ends with JobCancelled. */
  readonly isCancelled: () => boolean
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
    const { log } = this.#parts
    const opened = fileSystem.open(this.pathOf(region, family, number), 'read')
    const file = new FaultTellingFile(opened, region.table.name, log)
    try {
      const hfile = openHFile(file, { fileId: number, blockCache, onFault: file.tell })
      checkOwner(hfile, { region: region.encodedName, family })
      file.opened()
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
  async write(region: Region, family: FamilyDescriptor, contents: FileContents): Promise<FileJobOutcome> {
    const { kind, outputs, source, mayHaveTags, inputBytes, summary, retention, isCancelled } = contents
    await this.#directories.make(familyDirectory(this.#regionPath(region), family.name))
    const job: FileJob = {
      kind,
      outputs: outputs.map(({ number, since }) => ({
        path: this.pathOf(region, family.name, number),
        since,
      })),
      owner: { region: region.encodedName, family: family.name },
      family,
      createTime: this.#parts.clock.now(),
      summary,
      mayHaveTags,
      inputBytes,
      retention,
    }
    return this.#parts.runner.run(job, source, { isCancelled })
  }

  /** Removes a file that the manifest does not name any more, soon. */
  remove(path: string): void {
    this.#parts.runner.remove([path])
  }

  /**
   * Removes files that a crash left: unfinished ones, and those that the manifest has taken away. Sets others aside that
   * the catalog does not name.
   */
  settleOrphans(catalog: Catalog, discarded: ReadonlySet<number>, lost: LostAndFound): void {
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
    const orphans = { fileSystem, lost, kept, discarded }
    settleOrphans(orphans, `${directory}/data`, DATA_DEPTH)
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
/** Digits of a file's name. A store has made fewer files than they can count. */
const NUMBER_DIGITS = 10

function keepWithParents(kept: Set<string>, root: string, path: string): void {
  for (let at = path; at.length > root.length; at = at.slice(0, at.lastIndexOf('/'))) kept.add(at)
}

interface Orphans {
  readonly fileSystem: FileSystem
  readonly lost: LostAndFound
  readonly kept: ReadonlySet<string>
  /** See DiscardedFiles. */
  readonly discarded: ReadonlySet<number>
}

function settleOrphans(orphans: Orphans, path: string, depth: number): void {
  const { fileSystem, lost, kept, discarded } = orphans
  for (const name of fileSystem.list(path)) {
    const child = `${path}/${name}`
    if (kept.has(child)) {
      if (depth > 1) settleOrphans(orphans, child, depth - 1)
    } else if (depth === 1 && isLeftover(name, discarded)) fileSystem.remove(child)
    else if (!pruned(orphans, child, depth - 1)) lost.setAside(child, 'the manifest does not name it')
  }
}

/** The name of a store file that was not finished, or that others have replaced. */
function isLeftover(name: string, discarded: ReadonlySet<number>): boolean {
  const [digits, rest] = [name.slice(0, NUMBER_DIGITS), name.slice(NUMBER_DIGITS)]
  if (!/^\d{10}$/.test(digits)) return false
  return rest === UNFINISHED || (rest === '' && discarded.has(Number(digits)))
}

/** Removes a directory with nothing but directories and leftovers, as a dropped table leaves them; false if there is any other file. */
function pruned(orphans: Orphans, path: string, depth: number): boolean {
  const { fileSystem, discarded } = orphans
  for (const name of fileSystem.list(path)) {
    const child = `${path}/${name}`
    if (depth === 1 && isLeftover(name, discarded)) fileSystem.remove(child)
    else if (!pruned(orphans, child, depth - 1)) return false
  }
  return fileSystem.removeIfEmpty(path)
}
