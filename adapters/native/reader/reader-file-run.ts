import type { TimeRange } from '../../../src/model/time-range.ts'
import type { BloomHash } from '../cells/bloom-hash.ts'
import type { CellIterator, CellRun } from '../cells/cell-run.ts'
import type { SeekKey } from '../cells/seek-key.ts'
import type { HFile } from '../hfile/hfile.ts'

/**
 * A store file that is opened by the first read that comes to it: of thousands of files a thread may need few, and an open one takes some memory. Where it
 * cannot be opened the read fails, and the next one tries again.
 */
export class ReaderFileRun implements CellRun {
  readonly maxSequenceId: number
  readonly #open: () => HFile
  #file: HFile | undefined

  /** `open`: throws CORRUPTION, or IO. */
  constructor(maxSequenceId: number, open: () => HFile) {
    this.maxSequenceId = maxSequenceId
    this.#open = open
  }

  #opened(): HFile {
    this.#file ??= this.#open()
    return this.#file
  }

  mayHaveRow(row: Buffer, hash?: BloomHash): boolean {
    return this.#opened().mayHaveRow(row, hash)
  }

  mayHaveRows(start: Buffer, stop: Buffer): boolean {
    return this.#opened().mayHaveRows(start, stop)
  }

  mayHaveTimes(range: TimeRange): boolean {
    return this.#opened().mayHaveTimes(range)
  }

  iterator(readPoint: number, cacheBlocks?: boolean): CellIterator {
    return this.#opened().iterator(readPoint, cacheBlocks)
  }

  pointIterator(readPoint: number, cacheBlocks?: boolean): CellIterator {
    return this.#opened().pointIterator(readPoint, cacheBlocks)
  }

  findRow(
    row: Buffer,
    first: SeekKey,
    hash: BloomHash,
    readPoint: number,
    cacheBlocks: boolean,
  ): CellIterator | undefined {
    return this.#opened().findRow(row, first, hash, readPoint, cacheBlocks)
  }

  close(): void {
    this.#file?.close()
  }
}
