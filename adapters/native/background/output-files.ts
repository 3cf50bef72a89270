import { compareTimestamps } from '../../../src/model/timestamp.ts'
import { type FileOrigin, familyFileOptions } from '../hfile/family-file-options.ts'
import { checkForeignCell } from '../hfile/foreign-cell.ts'
import { HFileWriter } from '../hfile/hfile-writer.ts'
import { UNFINISHED } from '../layout/region-directory.ts'
import { giveNames, removeUnnamed } from '../layout/unnamed-file.ts'
import type { FileSystem, OpenFile } from '../platform/file-system.ts'
import type { CellSink } from '../retention/copy-retained.ts'
import type { FileJob, OutputFile } from './file-job.ts'

/** Bytes that a job writes before it has the disk take them: a sync of gigabytes at once would hold up the log's. */
const SYNC_BYTES = 32 * 1024 * 1024

/** One output, while its cells come. */
interface Opened {
  readonly path: string
  readonly file: OpenFile
  readonly writer: HFileWriter
  syncedBytes: number
  isClosed: boolean
}

/**
 * The files that a job writes. Their names end in UNFINISHED, so that a start recognises them. Once they are complete they have
 * both names, until the manifest names them: see giveNames.
 */
export class OutputFiles implements CellSink {
  readonly #fileSystem: FileSystem
  readonly #job: FileJob
  readonly #diskWait: (wait: () => Promise<void>) => Promise<void>
  readonly #opened: (Opened | undefined)[]
  readonly #sinceHigh: number[]
  readonly #sinceLow: number[]

  /** `diskWait`: does the waits for the disk. */
  constructor(fileSystem: FileSystem, job: FileJob, diskWait: (wait: () => Promise<void>) => Promise<void>) {
    this.#fileSystem = fileSystem
    this.#diskWait = diskWait
    this.#job = job
    this.#opened = job.outputs.map(() => undefined)
    this.#sinceHigh = job.outputs.map(({ since }) => Number(since >> 32n))
    this.#sinceLow = job.outputs.map(({ since }) => Number(BigInt.asIntN(32, since)))
  }

  append(buffer: Buffer, cell: number, sequenceId: number, tags: number, tagsBytes: number): boolean {
    // Only files that the store has not written itself get a sequence id.
    if (this.#job.sequenceId !== undefined) checkForeignCell(buffer, cell, this.#job.family.name)
    const index = this.#sinceHigh.length === 1 ? 0 : this.#indexOf(buffer, cell)
    const { writer } = (this.#opened[index] ??= this.#open(this.#job.outputs[index]!))
    return writer.append(buffer, cell, this.#job.sequenceId ?? sequenceId, tags, tagsBytes)
  }

  /** The last output that begins at or before the cell's timestamp. */
  #indexOf(buffer: Buffer, cell: number): number {
    const timestamp = cell + buffer.readInt32BE(cell) - 1
    const high = buffer.readInt32BE(timestamp)
    const low = buffer.readInt32BE(timestamp + 4)
    let index = this.#sinceHigh.length - 1
    while (index > 0 && compareTimestamps(high, low, this.#sinceHigh[index]!, this.#sinceLow[index]!) < 0)
      index--
    return index
  }

  #open({ path, id }: OutputFile): Opened {
    const { owner, family, createTime, mayHaveTags } = this.#job
    // A worker that died may have begun it, or finished it.
    removeUnnamed(this.#fileSystem, path)
    const file = this.#fileSystem.open(path + UNFINISHED, 'create')
    const options = {
      ...familyFileOptions(family, originOf(this.#job)),
      owner: { ...owner, fileId: id },
      createTime,
      includeTags: mayHaveTags,
    }
    return { path, file, writer: new HFileWriter(file, options), syncedBytes: 0, isClosed: false }
  }

  /** Has the disk take what was written, where it is much. */
  async syncLarge(): Promise<void> {
    for (const opened of this.#opened) {
      if (opened === undefined || opened.writer.fileBytes - opened.syncedBytes < SYNC_BYTES) continue
      opened.syncedBytes = opened.writer.fileBytes
      await this.#diskWait(() => opened.file.sync())
    }
  }

  /** Puts all files on disk under their names; resolves to the cells of each. */
  async finish(): Promise<number[]> {
    for (const opened of this.#opened) {
      if (opened === undefined) continue
      opened.writer.finish(this.#job.summary)
      await this.#diskWait(() => opened.file.sync())
    }
    const complete = this.#opened.filter((opened) => opened !== undefined)
    for (const opened of complete) close(opened)
    const paths = complete.map(({ path }) => path)
    // All are of one family of one region.
    const directory = paths[0]?.slice(0, paths[0].lastIndexOf('/'))
    if (directory !== undefined) await giveNames(this.#fileSystem, directory, paths)
    return this.#opened.map((opened) => opened?.writer.entryCount ?? 0)
  }

  /** After a failure: removes what there is of the files. */
  discard(): void {
    for (const opened of this.#opened) {
      if (opened === undefined) continue
      close(opened)
      removeUnnamed(this.#fileSystem, opened.path)
    }
  }
}

function close(opened: Opened): void {
  if (!opened.isClosed) opened.file.close()
  opened.isClosed = true
}

function originOf({ kind, summary }: FileJob): FileOrigin {
  if (kind === 'flush') return 'flush'
  return summary.majorCompaction ? 'major compaction' : 'minor compaction'
}
