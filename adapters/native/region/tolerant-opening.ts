/** Opens store files where one of them that cannot be read must not keep the others from being served. */

import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { StoreRun } from '../cells/store-run.ts'
import { missingFile } from '../hfile/missing-file.ts'
import { isShortOfFiles } from '../hfile/open-files.ts'
import type { FileRecord } from '../manifest/manifest-edit.ts'
import type { FileSystem } from '../platform/file-system.ts'
import type { NativeLog } from '../platform/native-log.ts'
import { DamagedRun } from './damaged-run.ts'
import type { Region } from './region.ts'
import { SharedRun } from './shared-run.ts'
import type { StoreFiles } from './store-files.ts'

export class TolerantOpening {
  readonly #files: Pick<StoreFiles, 'open' | 'pathOf' | 'damage'>
  readonly #parts: { readonly fileSystem: FileSystem; readonly log: NativeLog }

  constructor(
    files: Pick<StoreFiles, 'open' | 'pathOf' | 'damage'>,
    parts: { readonly fileSystem: FileSystem; readonly log: NativeLog },
  ) {
    this.#files = files
    this.#parts = parts
  }

  /**
   * Opens a file of an earlier start. One that is damaged or missing is logged, and its family's reads throw CORRUPTION; IO
   * where it cannot be opened. Throws where no file can be opened any more: this one is as good as the others.
   */
  openAnyway(region: Region, record: FileRecord): SharedRun<StoreRun> {
    try {
      return this.#files.open(region, record)
    } catch (cause) {
      if (isShortOfFiles(cause)) throw cause
      return this.damaged(region, record, cause)
    }
  }

  /** As openAnyway, but throws where the disk is at fault, or no file can be opened: the caller can try again, which mends no damage. */
  openUnlessFailing(region: Region, record: FileRecord): SharedRun<StoreRun> {
    try {
      return this.#files.open(region, record)
    } catch (cause) {
      if (!(isHBaseError(cause) && cause.code === 'CORRUPTION')) throw cause
      return this.damaged(region, record, cause)
    }
  }

  /** A run in place of a file that cannot be served, which is reported. */
  damaged(region: Region, record: FileRecord, cause: unknown): SharedRun<StoreRun> {
    const { fileSystem, log } = this.#parts
    const { damage } = this.#files
    const path = this.#files.pathOf(region, record.family, record.number)
    const error = isHBaseError(cause) ? cause : unreadable(fileSystem, path, cause)
    const table = region.table.name
    log('error', `${error.message}: reads of ${table} fail where they need it`, { path, ...error.detail })
    const run = new DamagedRun(path, error, record, fileSystem.stamp(path))
    damage.add(run, { path, table, reason: error.message })
    return new SharedRun<StoreRun>(run, () => damage.delete(run))
  }

  /**
   * Opens files again that the disk did not give, and those that have changed since they were damaged or missing. The others stay as
   * they are.
   */
  reopen(regions: Iterable<Region>): void {
    if (this.#files.damage.list().length === 0) return
    for (const region of regions) {
      for (const store of region.stores) {
        for (const shared of store.files) {
          const { run } = shared
          if (!(run instanceof DamagedRun) || !this.#mayHeal(run)) continue
          try {
            store.replaceFiles([shared], [this.#openedAgain(region, run)])
          } catch {
            // Its reads say why.
          }
        }
      }
    }
  }

  #mayHeal(run: DamagedRun): boolean {
    return run.isDiskAtFault || run.stamp !== this.#parts.fileSystem.stamp(run.path)
  }

  /** Where a file that has changed still cannot be read, its reads say from now on why that is so. */
  #openedAgain(region: Region, { record, path, isDiskAtFault }: DamagedRun): SharedRun<StoreRun> {
    const opened = isDiskAtFault ? this.#files.open(region, record) : this.openAnyway(region, record)
    if (!(opened.run instanceof DamagedRun))
      this.#parts.log('info', `store file ${path} can be read again`, { path })
    return opened
  }
}

function unreadable(fileSystem: FileSystem, path: string, cause: unknown): HBaseError {
  if (!fileSystem.exists(path)) return missingFile(path, cause)
  const detail = { path, offset: 0 }
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `store file ${path} cannot be opened (${reason}): the server tries again every few seconds`
  return new HBaseError('IO', message, { detail, cause })
}
