/** Does a job: reads the cells in order, keeps those that it says, and writes the files. */

import type { CellIterator } from '../cells/cell-run.ts'
import { LruBlockCache } from '../hfile/block-cache.ts'
import { BoundedHFile } from '../hfile/bounded-file.ts'
import { corruptFile } from '../hfile/corruption.ts'
import { type HFile, openHFile } from '../hfile/hfile.ts'
import { OpenFiles } from '../hfile/open-files.ts'
import type { FileSystem } from '../platform/file-system.ts'
import { CellMerge } from '../read/cell-merge.ts'
import { RetainedCopy } from '../retention/copy-retained.ts'
import { retentionOf } from '../retention/retention-plan.ts'
import type { FileJob, FileJobOutcome, SourceFile } from './file-job.ts'
import { OutputFiles } from './output-files.ts'

/** Cache for the index blocks of the files that a compaction reads: it comes to each data block once. */
const CACHE_BYTES = 4 * 1024 * 1024

/** Files of a job that are open at a time; compactions that no client asked for have fewer. */
const OPEN_FILES_MAX = 16

/** The progress of a job. */
export interface JobProgress {
  readonly cellsRead: number
  /** Bytes of the KeyValues written. */
  readonly bytesWritten: number
}

/** Awaited every few blocks or thousand cells; what it throws ends the job. */
export type JobPause = (progress: JobProgress) => Promise<void>

/** Does a wait for the disk. */
export type DiskWait = (wait: () => Promise<void>) => Promise<void>

const JUST_WAIT: DiskWait = (wait) => wait()

/** `iterators`: the newest run first; the job closes them. Throws what reading, writing and `pause` throw, and leaves no file then. */
export async function runFileJob(
  fileSystem: FileSystem,
  job: FileJob,
  iterators: readonly CellIterator[],
  pause: JobPause,
  diskWait: DiskWait = JUST_WAIT,
): Promise<FileJobOutcome> {
  const outputs = new OutputFiles(fileSystem, job, diskWait)
  const merge = new CellMerge(iterators)
  try {
    const copy = new RetainedCopy(merge, retentionOf(job.retention))
    await copy.to(outputs, async () => {
      await outputs.syncLarge()
      await pause(copy)
    })
    const cellsOf = await outputs.finish()
    return { cellsRead: copy.cellsRead, cellsWritten: copy.cellsWritten, cellsOf }
  } catch (error) {
    outputs.discard()
    throw error
  } finally {
    merge.close()
  }
}

/**
 * Opens files for one job, passes their iterators to it, and closes them. Throws CORRUPTION, also for another file in the place of
 * one, and what the file system throws. `onDropped`: see FramePool.
 */
export async function withSourceFiles<T>(
  fileSystem: FileSystem,
  files: readonly SourceFile[],
  task: (iterators: readonly CellIterator[]) => Promise<T>,
  onDropped?: (bytes: number) => void,
): Promise<T> {
  const blockCache = new LruBlockCache(CACHE_BYTES, false, onDropped)
  const openFiles = new OpenFiles(fileSystem, OPEN_FILES_MAX)
  const opened: HFile[] = []
  try {
    for (const { path, number, identity, rows } of files) {
      const file = openFiles.open(path)
      try {
        const options = { fileId: number, blockCache }
        opened.push(rows === undefined ? openHFile(file, options) : BoundedHFile.open(file, options, rows))
      } catch (error) {
        file.close()
        throw error
      }
      file.isCopy = (copy) => openHFile(copy, { fileId: number, blockCache }).identity === identity
      const found = opened.at(-1)!.identity
      if (found !== identity) throw corruptFile(path, 0, 'contents', identity, found)
    }
    return await task(opened.map((file) => file.iterator(Number.POSITIVE_INFINITY, false)))
  } finally {
    for (const file of opened) file.close()
  }
}
