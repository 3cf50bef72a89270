/**
 * Assembles a scan's results from the servers' answers. A row too large for one answer comes in parts, which become one
 * result (or, where the scan has a batch, results of that many cells). The server only reports that a part's row may continue.
 * The next part shows whether it does.
 *
 * The assembler remembers the last cell handed on, so that an interrupted scan resumes after it.
 */

import { CELL_HEADER_BYTES, compareCells, keyLength } from '../../../src/model/cell.ts'
import { CELL_PREFIX_BYTES, CellBlock } from '../../../src/model/cell-block.ts'
import { afterCells, isOfRow, rowAt } from '../cells/cell-offsets.ts'
import { joinedBlocks } from '../cells/result-cells.ts'
import { type FetchedRows, NO_ROWS } from './fetched-rows.ts'

/** Results of one answer, their cells in order in one block. */
export interface AnsweredRows {
  readonly cells: CellBlock
  /** Cells of each result. */
  readonly counts: readonly number[]
  /** For each result, true if its row may continue in the next one; undefined if at most the last row may. */
  readonly mayGoOn: readonly boolean[] | undefined
  readonly lastMayGoOn: boolean
  /** True: no more cells of these rows can come. */
  readonly isLast: boolean
}

/** The number of cells of each result and, only where the scan has a batch, whether its row continues. */
class WholeResults {
  readonly counts: number[] = []
  readonly partial: boolean[] | undefined
  readonly #batch: number

  constructor(batch: number) {
    this.partial = batch < Number.POSITIVE_INFINITY ? [] : undefined
    this.#batch = batch
  }

  /** Adds the last cells of a row, as one or more results. */
  endRow(cells: number): void {
    let left = cells
    for (; left > this.#batch; left -= this.#batch) this.#add(this.#batch, true)
    this.#add(left, false)
  }

  /** Adds the whole results of a row that may continue. Returns the number of cells left. */
  addParts(cells: number): number {
    let left = cells
    for (; left >= this.#batch; left -= this.#batch) this.#add(this.#batch, true)
    return left
  }

  #add(cells: number, goesOn: boolean): void {
    this.counts.push(cells)
    this.partial?.push(goesOn)
  }
}

export class RowAssembler {
  readonly #batch: number
  /** The row that may continue; undefined where none may. */
  #row: Buffer | undefined
  /** The cells of that row that make no whole result yet. */
  #open: CellBlock[] = []
  #openCells = 0
  /** The key of that row's last cell handed on. */
  #handedOn: Buffer | undefined
  /** True while the resumed scan repeats cells up to #handedOn. */
  #skipping = false
  #rows = 0

  /** `batch`: the most cells of a result; 0 or less: whole rows. */
  constructor(batch: number) {
    this.#batch = batch > 0 ? batch : Number.POSITIVE_INFINITY
  }

  /** The number of complete rows so far. */
  get rows(): number {
    return this.#rows
  }

  /** The row that may continue; undefined where none may. */
  get row(): Buffer | undefined {
    return this.#row
  }

  /** True where parts of that row were handed on: the rest must be read at the same read point. */
  get isWithinRow(): boolean {
    return this.#handedOn !== undefined
  }

  /** The number of cells that wait for the rest of their row. */
  get openCells(): number {
    return this.#openCells
  }

  /** An assembler for a scan that resumes from another copy, which reads the cells that were not handed on again. */
  resumed(): RowAssembler {
    const other = new RowAssembler(this.#batch)
    other.#row = this.#row
    other.#handedOn = this.#handedOn
    other.#rows = this.#rows
    other.restart()
    return other
  }

  /** Takes an answer in. Returns the results that are now whole. */
  add(answer: AnsweredRows): FetchedRows {
    if (this.#row === undefined && !answer.lastMayGoOn && answer.mayGoOn === undefined) {
      this.#rows += answer.counts.length
      return answer
    }
    return this.#assemble(this.#skipping ? this.#withoutKnown(answer) : answer)
  }

  /** The cells of an incomplete row, as a partial result. */
  takeOpen(): FetchedRows {
    const cells = joinedBlocks(this.#open)
    const counts = [this.#openCells]
    this.#handedOn = keyOfLast(cells, this.#openCells)
    this.#forgetOpen()
    return { cells, counts, partial: [true] }
  }

  /** Prepares for a scan that is opened again: it reads the cells that were not handed on anew, from the start of their row. */
  restart(): void {
    this.#forgetOpen()
    if (this.#handedOn === undefined) this.#row = undefined
    else this.#skipping = true
  }

  #assemble({ cells, counts, mayGoOn, lastMayGoOn, isLast }: AnsweredRows): FetchedRows {
    const whole = new WholeResults(this.#batch)
    const before = this.#openCells
    let row = this.#row
    let runCells = before
    let at = cells.start
    const endRow = (): void => {
      if (runCells > 0) whole.endRow(runCells)
      this.#rows++
      row = undefined
      runCells = 0
    }
    for (const [index, count] of counts.entries()) {
      if (count === 0) continue
      if (row !== undefined && !isOfRow(cells.buffer, at, row)) endRow()
      row ??= rowAt(cells.buffer, at)
      runCells += count
      const goesOn = index === counts.length - 1 ? lastMayGoOn : mayGoOn?.[index] === true
      at = afterCells(cells.buffer, at, count, cells.end)
      if (!goesOn) endRow()
    }
    if (isLast && row !== undefined) endRow()
    const isNewRow = row === undefined || this.#row === undefined || !row.equals(this.#row)
    if (isNewRow) this.#handedOn = undefined
    this.#row = row && (isNewRow ? Buffer.from(row) : this.#row)
    return this.#split(cells, whole, runCells)
  }

  /** Keeps the last `runCells` cells, of the row that may continue, but hands on whole batches of them. */
  #split(cells: CellBlock, whole: WholeResults, runCells: number): FetchedRows {
    const open = whole.addParts(runCells)
    const before = this.#openCells
    const { counts, partial } = whole
    let total = 0
    for (const count of counts) total += count
    if (total === 0) {
      if (cells.byteLength > 0) this.#open.push(cells)
      this.#openCells = open
      return NO_ROWS
    }
    const cut = afterCells(cells.buffer, cells.start, total - before, cells.end)
    const closed = new CellBlock(cells.buffer, cells.start, cut)
    const block = before > 0 ? joinedBlocks([...this.#open, closed]) : closed
    this.#open = open > 0 ? [new CellBlock(cells.buffer, cut, cells.end)] : []
    this.#openCells = open
    if (runCells > open) this.#handedOn = keyOfLast(block, total)
    return { cells: block, counts, partial }
  }

  /** Leaves out the cells that were handed on before the scan resumed. */
  #withoutKnown(answer: AnsweredRows): AnsweredRows {
    const { cells, counts } = answer
    const known = this.#handedOn!
    const left = [...counts]
    let at = cells.start
    let skipped = 0
    while (at < cells.end && isOfRow(cells.buffer, at, this.#row!)) {
      if (compareCells(cells.buffer, at + CELL_PREFIX_BYTES, known, 0) > 0) break
      at = afterCells(cells.buffer, at, 1, cells.end)
      left[skipped]!--
      if (left[skipped] === 0) skipped++
    }
    if (at < cells.end || answer.isLast) this.#skipping = false
    return {
      ...answer,
      cells: new CellBlock(cells.buffer, at, cells.end),
      counts: left.slice(skipped),
      mayGoOn: answer.mayGoOn?.slice(skipped),
    }
  }

  #forgetOpen(): void {
    this.#open = []
    this.#openCells = 0
  }
}

/** A copy of the last cell of `count`, without its value. */
function keyOfLast({ buffer, start, end }: CellBlock, count: number): Buffer {
  const cell = afterCells(buffer, start, count - 1, end) + CELL_PREFIX_BYTES
  return Buffer.from(buffer.subarray(cell, cell + CELL_HEADER_BYTES + keyLength(buffer, cell)))
}
