import type { HBaseError } from '../../../src/model/errors.ts'
import { RefusingRun } from '../cells/refusing-run.ts'
import type { StoreRun } from '../cells/store-run.ts'
import type { FileRecord } from '../manifest/manifest-edit.ts'

/**
 * Stands for a store file that cannot be read. Reads of its family throw its error: without the file, a read would
 * silently lack cells, and show others that the file's tombstones hide. Writes go on.
 */
export class DamagedRun extends RefusingRun implements StoreRun {
  readonly path: string
  readonly hasTags = true
  readonly fileBytes = 0
  readonly record: FileRecord
  /** See FileSystem.stamp: of the file that could not be read. */
  readonly stamp: string

  constructor(path: string, error: HBaseError, record: FileRecord, stamp: string) {
    super(error)
    this.path = path
    this.record = record
    this.stamp = stamp
  }

  /** True where the disk was at fault rather than the file: then another attempt at the same file may succeed. */
  get isDiskAtFault(): boolean {
    return this.error.code === 'IO'
  }
}
