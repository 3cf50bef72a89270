import type { CellIterator, CellRun } from '../../adapters/native/cells/cell-run.ts'
import { compareRange } from '../../src/model/bytes.ts'
import { rowLength } from '../../src/model/cell.ts'
import type { TimeRange } from '../../src/model/time-range.ts'
import type { ViewedBytes } from '../../src/model/viewed-bytes.ts'

/** Counts what reads of some runs looked at. */
export class ReadCounts {
  /** Places at which an iterator stood. */
  cells = 0
  /** How often an iterator moved to another row. */
  rows = 0
  seeks = 0
}

/** A run that counts the reads of it. */
export class CountedRun implements CellRun {
  readonly #run: CellRun
  readonly #counts: ReadCounts

  constructor(run: CellRun, counts: ReadCounts) {
    this.#run = run
    this.#counts = counts
  }

  get maxSequenceId(): number {
    return this.#run.maxSequenceId
  }

  mayHaveRow(row: Buffer): boolean {
    return this.#run.mayHaveRow(row)
  }

  mayHaveRows(start: Buffer, stop: Buffer): boolean {
    return this.#run.mayHaveRows(start, stop)
  }

  mayHaveTimes(range: TimeRange): boolean {
    return this.#run.mayHaveTimes(range)
  }

  iterator(readPoint: number): CellIterator {
    return new CountedIterator(this.#run.iterator(readPoint), this.#counts)
  }

  pointIterator(readPoint: number): CellIterator {
    return new CountedIterator(this.#run.pointIterator(readPoint), this.#counts)
  }
}

class CountedIterator implements CellIterator {
  readonly heldBytes = 0
  readonly #iterator: CellIterator
  readonly #counts: ReadCounts
  #row = Buffer.alloc(0)

  constructor(iterator: CellIterator, counts: ReadCounts) {
    this.#iterator = iterator
    this.#counts = counts
  }

  get valid(): boolean {
    return this.#iterator.valid
  }

  get buffer(): Buffer {
    return this.#iterator.buffer
  }

  get memory(): ViewedBytes {
    return this.#iterator.memory
  }

  get cell(): number {
    return this.#iterator.cell
  }

  get cellBytes(): number {
    return this.#iterator.cellBytes
  }

  get tags(): number {
    return this.#iterator.tags
  }

  get tagsBytes(): number {
    return this.#iterator.tagsBytes
  }

  get sequenceId(): number {
    return this.#iterator.sequenceId
  }

  seekToFirst(): void {
    this.#iterator.seekToFirst()
    this.#countSeek()
  }

  seek(key: Buffer, keyCell: number): void {
    this.#iterator.seek(key, keyCell)
    this.#countSeek()
  }

  seekBeforeRow(row: Buffer): void {
    this.#iterator.seekBeforeRow(row)
    this.#countSeek()
  }

  next(): void {
    this.#iterator.next()
    this.#countPlace()
  }

  seekForward(key: Buffer, keyCell: number): void {
    this.#iterator.seekForward(key, keyCell)
    this.#countSeek()
  }

  leaveColumn(): void {
    this.#iterator.leaveColumn()
    this.#countPlace()
  }

  lend(): () => void {
    return this.#iterator.lend()
  }

  close(): void {
    this.#iterator.close()
  }

  #countSeek(): void {
    this.#counts.seeks++
    this.#countPlace()
  }

  #countPlace(): void {
    const { valid, buffer, cell } = this.#iterator
    if (!valid) return
    this.#counts.cells++
    const length = rowLength(buffer, cell)
    if (compareRange(buffer, cell + 10, length, this.#row, 0, this.#row.length) === 0) return
    this.#row = Buffer.from(buffer.subarray(cell + 10, cell + 10 + length))
    this.#counts.rows++
  }
}
