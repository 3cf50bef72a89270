import { CellBlock, CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { NO_RESULTS, type Results } from '../../../src/model/results.ts'
import type { Loans } from './loans.ts'
import type { RowSource } from './row-source.ts'

/** The results of a batch of copied cells. The last one may be unfinished: it is then the first one of the next batch. */
export class ResultsOfBatch {
  readonly target: CellBlockBuilder
  /** The target's length with which the batch is full where cells count nothing besides their bytes. */
  lengthMax = 0
  /** Where the batch begins in the target, and the target's count before it. */
  #start = 0
  #startCount = 0
  /** Where its last result begins there, and the target's count before it. */
  #resultStart = 0
  #resultCount = 0
  #counts: number[] = []
  /** For each result, true for a part of a row. Undefined until there is a part; it may be shorter than the results. */
  #parts: boolean[] | undefined

  constructor(memory: Buffer) {
    this.target = new CellBlockBuilder(memory)
  }

  /** `counts`: those of results that the caller appends first. An unfinished result may grow by a cell at least. */
  begin(counts: number[], bytesMax: number): void {
    this.#counts = counts
    this.#parts = undefined
    this.lengthMax = Math.max(this.#start + bytesMax, this.target.length + 1)
  }

  /** `cellBytes`: as in ScanLimits. */
  isFull(cellBytes: number): boolean {
    const { length, count } = this.target
    return length + (count - this.#startCount) * cellBytes >= this.lengthMax
  }

  /** Cells of the present result. */
  get resultCount(): number {
    return this.target.count - this.#resultCount
  }

  beginResult(): void {
    this.#resultStart = this.target.length
    this.#resultCount = this.target.count
  }

  /** As RowSource.readResult, where cells count more than their bytes. `cellsMax`: of a result; 0: no limit. */
  readByCell(source: RowSource, cellBytes: number, cellsMax: number): boolean {
    const { target } = this
    for (let isFull = false; !isFull; ) {
      const { resultCount } = this
      // A turn may have ended behind the last cell that there is room for.
      isFull = resultCount > 0 && (this.isFull(cellBytes) || (cellsMax > 0 && resultCount >= cellsMax))
      if (source.readResult(target, isFull ? target.length : target.length + 1)) return true
    }
    return false
  }

  /** Returns the number of its cells. */
  endResult(rowEnded: boolean): number {
    const count = this.resultCount
    if (count === 0) return 0
    if (!rowEnded) (this.#parts ??= [])[this.#counts.length] = true
    this.#counts.push(count)
    return count
  }

  get byteLength(): number {
    return this.target.length - this.#start
  }

  /** As ScanBatch.partial. */
  get partial(): boolean[] | undefined {
    const parts = this.#parts
    return parts && Array.from(this.#counts, (_, index) => parts[index] === true)
  }

  /** All results. */
  take(loans: Loans): Results {
    const { buffer, length } = this.target
    if (this.#counts.length > 0) return lent(new CellBlock(buffer, this.#start, length), this.#counts, loans)
    loans.memory.giveBack(buffer)
    return NO_RESULTS
  }

  /** The results before the unfinished one, which stays in the target. */
  takeFinished(loans: Loans): Results {
    const start = this.#start
    this.#start = this.#resultStart
    this.#startCount = this.#resultCount
    if (this.#counts.length === 0) return NO_RESULTS
    const bytes = this.#start - start
    const copy = loans.memory.take(bytes)
    this.target.buffer.copy(copy, 0, start, this.#start)
    return lent(new CellBlock(copy, 0, bytes), this.#counts, loans)
  }
}

function lent(cells: CellBlock, counts: readonly number[], loans: Loans): Results {
  return { cells, counts, loan: loans.lendBlock(cells.buffer) }
}
