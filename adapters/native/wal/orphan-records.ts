/**
 * Takes the records that a start finds in the log and that belong to no region of the catalog. Those that were answered and that no store
 * file has are set aside in files, so that a repair can put them into the regions that have their rows now.
 */

import { counted } from '../../../src/model/counted.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import type { CatalogLog } from '../manifest/catalog-log.ts'
import type { RecordFate } from '../manifest/retired-regions.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import { SafeDirectories } from '../platform/safe-directories.ts'
import type { WalRecord } from './log-reader.ts'
import { recordsPath, setAsideRecords } from './set-aside-records.ts'
import { encodeLogHeader, RECORD_CELLS_OFFSET, sealRecord } from './wal-format.ts'

/** Records that wait in memory to be written to their files. */
const PENDING_BYTES_MAX = 4 * 1024 * 1024
/** Files that are named one by one. */
const REPORTED_MAX = 5

export interface OrphanRecordsParts {
  readonly fileSystem: FileSystem
  /** The store's. */
  readonly directory: string
  readonly catalogLog: CatalogLog
  readonly log: NativeLog
}

interface OrphanRegion {
  readonly region: number
  readonly fate: RecordFate
  readonly path: string
  readonly firstSequenceId: number
  lastSequenceId: number
  records: number
  pending: Buffer[]
}

export class OrphanRecords {
  readonly #parts: OrphanRecordsParts
  readonly #found = new Map<number, OrphanRegion>()
  #pendingBytes = 0
  /** Why the files could not be written. The logs stay then, for the next start. */
  #failure: unknown
  #isSaved = false
  #troubles: readonly string[] = []

  constructor(parts: OrphanRecordsParts) {
    this.#parts = parts
  }

  /** Takes a record of a region that no table has. */
  take({ region, sequenceId, cells }: WalRecord): void {
    const { catalog } = this.#parts.catalogLog
    const fate = catalog.retired.fateOf(region, sequenceId, catalog)
    if (fate === 'unneeded') return
    let orphans = this.#found.get(region)
    if (orphans === undefined) {
      orphans = this.#begin(region, sequenceId, fate)
      this.#found.set(region, orphans)
    }
    orphans.lastSequenceId = sequenceId
    orphans.records++
    // The log keeps it.
    if (this.#failure !== undefined) return
    const { buffer, start, end } = cells
    const record = Buffer.allocUnsafe(RECORD_CELLS_OFFSET + end - start)
    buffer.copy(record, RECORD_CELLS_OFFSET, start, end)
    sealRecord(record, 0, record.length, sequenceId, region)
    orphans.pending.push(record)
    this.#pendingBytes += record.length
    if (this.#pendingBytes > PENDING_BYTES_MAX) this.#try(() => this.#write())
  }

  #begin(region: number, sequenceId: number, fate: RecordFate): OrphanRegion {
    const { fileSystem, directory, catalogLog } = this.#parts
    const owner = catalogLog.catalog.retired.tableOf(region)
    const table = owner === undefined ? undefined : parseTableName(owner)
    const path = recordsPath(fileSystem, directory, { region, sequenceId, table, isOld: fate === 'old' })
    return {
      region,
      fate,
      path,
      firstSequenceId: sequenceId,
      lastSequenceId: sequenceId,
      records: 0,
      pending: [encodeLogHeader(0)],
    }
  }

  #try(write: () => void): void {
    try {
      write()
    } catch (error) {
      this.#failure ??= error
    }
  }

  #write(): void {
    const { fileSystem } = this.#parts
    for (const { path, pending } of this.#found.values()) {
      if (pending.length === 0) continue
      fileSystem.makeDirectory(folderOf(path))
      const file = fileSystem.open(path, 'append')
      try {
        file.append(pending.splice(0))
      } finally {
        file.close()
      }
    }
    this.#pendingBytes = 0
  }

  /** Whether a log must stay for the records of the region that it has. */
  isUnsaved(region: number): boolean {
    return !this.#isSaved && this.#found.has(region)
  }

  /** Resolves once all records are on disk, and the manifest knows that; logs them. */
  async save(): Promise<void> {
    this.#try(() => this.#write())
    const { catalogLog, fileSystem } = this.#parts
    const found = [...this.#found.values()]
    try {
      if (this.#failure === undefined) await this.#sync(found)
    } catch (error) {
      this.#failure = error
    }
    this.#isSaved = this.#failure === undefined
    // The next start sets all of them aside.
    if (!this.#isSaved) for (const { path } of found) this.#try(() => fileSystem.remove(path))
    for (const orphans of found) this.#report(orphans)
    if (found.length > 0 && this.#isSaved) {
      const regions = found.map(({ region: number, lastSequenceId }) => ({ number, lastSequenceId }))
      // Where it fails, the next start sets them aside once more.
      await catalogLog.commit({ kind: 'retired', regions }).catch(() => undefined)
    }
    const waiting = this.#waiting()
    const reported = waiting.slice(0, REPORTED_MAX).map((path) => `${path} ${ADVICE}`)
    const more = waiting.length - reported.length
    this.#troubles =
      more === 0 ? reported : [...reported, `${counted(more, 'more file')} of lost+found ${ADVICE}`]
  }

  /** Paths of the files that wait for a repair: none of ours in a lost+found that only root may read, as a disk has one of its own. */
  #waiting(): readonly string[] {
    const { fileSystem, directory, log } = this.#parts
    try {
      return setAsideRecords(fileSystem, directory).map(({ path }) => path)
    } catch (error) {
      log('warn', 'records that were set aside could not be looked for', { error })
      return []
    }
  }

  async #sync(found: readonly OrphanRegion[]): Promise<void> {
    const { fileSystem, directory } = this.#parts
    const directories = new SafeDirectories(fileSystem, directory)
    for (const { path } of found) {
      const file = fileSystem.open(path, 'append')
      try {
        await file.sync()
      } finally {
        file.close()
      }
      await directories.make(folderOf(path))
      await fileSystem.syncDirectory(folderOf(path))
    }
  }

  #report({ region, fate, path, records, firstSequenceId, lastSequenceId }: OrphanRegion): void {
    const { catalogLog, log } = this.#parts
    const table = catalogLog.catalog.retired.tableOf(region)
    const what = `${counted(records, 'record')} of the write-ahead log, with sequence ids ${firstSequenceId} to ${lastSequenceId}`
    const fields = { path, records, region, ...(table !== undefined && { table }) }
    if (this.#failure !== undefined) {
      const message = `${what}, are of region ${region}, which is gone, and could not be set aside: the log keeps them for the next start`
      log('error', message, { ...fields, error: this.#failure })
    } else if (fate === 'old') {
      const message = `${what}, are of region ${region}, which no table has, maybe for long: they were set aside in ${path}`
      log('warn', message, fields)
    } else {
      const owner =
        table === undefined ? 'which the manifest does not know' : `which table ${table} has no more`
      const message = `${what}, are of region ${region}, ${owner}: they were set aside in ${path}. Stop the server and run \`tidegate repair\`, which puts them into the regions that have their rows now`
      log('error', message, fields)
    }
  }

  /** Text for the operator: the files that wait for a repair. */
  troubles(): readonly string[] {
    return this.#troubles
  }
}

const ADVICE =
  'has changes that were answered and that no region has: stop the server and run `tidegate repair`, which puts them where their rows are now'

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}
