import type { TimeRange } from '../../../src/model/time-range.ts'
import type { BloomHash } from '../cells/bloom-hash.ts'
import type { CellIterator, CellRun } from '../cells/cell-run.ts'
import type { SeekKey } from '../cells/seek-key.ts'
import type { HFile } from '../hfile/hfile.ts'
import type { OpenedFile, OpenedFiles } from './opened-files.ts'

export interface OpenedHFile {
  readonly file: HFile
  /** Memory that it takes beside the block cache. */
  readonly bytes: number
}

export interface ReaderFileParts {
  readonly maxSequenceId: number
  /** Throws CORRUPTION, or IO. */
  readonly open: () => OpenedHFile
  readonly openedFiles: OpenedFiles
}

/**
 * A store file that is opened by the first read that comes to it: of thousands of files a thread may need few, and an open one takes some memory. Where it
 * cannot be opened the read fails, and the next one tries again. It closes for other files, and a later read opens it again.
 */
export class ReaderFileRun implements CellRun, OpenedFile {
  readonly maxSequenceId: number
  isUsed = false
  /** Whether a scan goes on in the run. */
  isScanned: () => boolean = () => false
  readonly #parts: ReaderFileParts
  #opened: OpenedHFile | undefined

  constructor(parts: ReaderFileParts) {
    this.maxSequenceId = parts.maxSequenceId
    this.#parts = parts
  }

  get isHeld(): boolean {
    return this.isScanned()
  }

  get bytes(): number {
    return this.#opened?.bytes ?? 0
  }

  get #file(): HFile {
    this.isUsed = true
    if (this.#opened === undefined) {
      this.#opened = this.#parts.open()
      this.#parts.openedFiles.opened(this)
    }
    return this.#opened.file
  }

  mayHaveRow(row: Buffer, hash?: BloomHash): boolean {
    return this.#file.mayHaveRow(row, hash)
  }

  mayHaveRows(start: Buffer, stop: Buffer): boolean {
    return this.#file.mayHaveRows(start, stop)
  }

  mayHaveTimes(range: TimeRange): boolean {
    return this.#file.mayHaveTimes(range)
  }

  iterator(readPoint: number, cacheBlocks?: boolean): CellIterator {
    return this.#file.iterator(readPoint, cacheBlocks)
  }

  pointIterator(readPoint: number, cacheBlocks?: boolean): CellIterator {
    return this.#file.pointIterator(readPoint, cacheBlocks)
  }

  findRow(
    row: Buffer,
    first: SeekKey,
    hash: BloomHash,
    readPoint: number,
    cacheBlocks: boolean,
  ): CellIterator | undefined {
    return this.#file.findRow(row, first, hash, readPoint, cacheBlocks)
  }

  close(): void {
    if (this.#opened === undefined) return
    const { file } = this.#opened
    this.#parts.openedFiles.closed(this)
    this.#opened = undefined
    file.close()
  }
}
