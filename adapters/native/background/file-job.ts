/**
 * The output of a flush or a compaction, as data: the same job runs in this thread on any file system, and in a worker
 * thread on the disk.
 */

import type { FamilyDescriptor } from '../../../src/model/descriptor.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import type { RowBounds } from '../hfile/bounded-iterator.ts'
import type { FileOwner, HFileSummary } from '../hfile/hfile-writer.ts'
import type { Memstore } from '../memstore/memstore.ts'
import type { RetentionPlan } from '../retention/retention-plan.ts'
import type { JobFigures } from './job-figures.ts'

/** A store file to read. */
export interface SourceFile {
  readonly path: string
  readonly number: number
  /** HFile.identity of the file that the store has open. */
  readonly identity: string
  /** The rows of it that count; undefined: all. */
  readonly rows?: RowBounds
}

/** The cells to write: of a memstore, which must not change meanwhile, or of store files, the newest first. */
export type CellSource =
  | { readonly kind: 'memstore'; readonly memstore: Memstore }
  | { readonly kind: 'files'; readonly files: readonly SourceFile[] }

/** A file to write. */
export interface OutputFile {
  readonly path: string
  /** As FileRecord.id. */
  readonly id: string
  /** The least timestamp of its cells; the first output has all that are older, too. */
  readonly since: bigint
}

export interface FileJob {
  readonly kind: 'flush' | 'compaction'
  /** In order of `since`, in directories that are there. Outputs without cells leave no file. */
  readonly outputs: readonly OutputFile[]
  readonly owner: Omit<FileOwner, 'fileId'>
  readonly family: FamilyDescriptor
  /** Milliseconds since 1970. */
  readonly createTime: number
  readonly summary: HFileSummary
  readonly mayHaveTags: boolean
  /** Bytes to read, more or less. */
  readonly inputBytes: number
  readonly retention: RetentionPlan
  /** The sequence id of all cells; left out: each keeps its own. */
  readonly sequenceId?: number
}

export interface FileJobOutcome {
  readonly cellsRead: number
  readonly cellsWritten: number
  /** Cells of each output; 0: there is no such file. */
  readonly cellsOf: readonly number[]
}

/** How a job stands to the rest of the store. */
export interface JobControl {
  /** Looked at now and then: once true, the job ends with JobCancelled. */
  isCancelled(): boolean
  /** Called now and then with the number of cells that the job has read. */
  onCells?(cellsRead: number): void
}

export interface JobRunner {
  readonly figures: JobFigures
  /** Resolves once all files are on disk to their last byte; a job that fails leaves none. Throws CORRUPTION, IO, JobCancelled. */
  run(job: FileJob, source: CellSource, control: JobControl): Promise<FileJobOutcome>
  /** Bytes of cells a second that compactions may write, all together. */
  setCompactionRate(bytesPerSecond: number): void
  /** Called when no job runs. */
  close(): Promise<void>
}

/** Ends a job whose region or store is closed. */
export class JobCancelled extends HBaseError {
  constructor() {
    super('UNAVAILABLE', 'the region was closed')
  }
}
