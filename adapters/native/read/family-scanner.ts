import type { Turn } from '../../../src/filter/turns/turn.ts'
import { readInt32 } from '../../../src/model/bytes.ts'
import { KEY_FIXED_BYTES } from '../../../src/model/cell.ts'
import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import { SeekKey } from '../cells/seek-key.ts'
import type { AsOfTimestamp } from './as-of-matcher.ts'
import type { CellMerge } from './cell-merge.ts'
import { MatchCode } from './match-code.ts'
import type { Matcher } from './matcher.ts'
import type { RowKey } from './row-key.ts'
import type { ScanFilter } from './scan-filter.ts'

/** Number of steps before a seek: a step costs less than a search. */
const STEPS_BEFORE_SEEK = 2

/** No decision is waiting. */
const NONE = -1

/** Reads a family's part of a row; it can stop at a limit and go on there. HBase: StoreScanner. */
export class FamilyScanner {
  readonly cells: CellMerge
  /** True if the family has cells of the started row: the merge is at that row or past it. */
  hadRow = false
  /** Number of cells read so far. */
  cellsSeen = 0
  readonly #matcher: Matcher
  readonly #row: RowKey
  readonly #turn: Turn
  readonly #offset: number
  readonly #limit: number
  readonly #singleRow: boolean
  readonly #filter: ScanFilter | undefined
  readonly #key = new SeekKey()
  /** Included cells of the row so far, counting those that `offset` leaves out. */
  #included = 0
  /** The decision on the present cell if the target had no room for it. */
  #pending: MatchCode | typeof NONE = NONE
  /** The family has no more cells of the row. */
  #isPastRow = false

  /**
   * `row` is shared: the caller sets it to the row that all families read. `turn`: of the whole read. `limit` -1: no limit. `singleRow`: no row follows,
   * as in a get.
   */
  constructor(
    cells: CellMerge,
    matcher: Matcher,
    row: RowKey,
    turn: Turn,
    offset: number,
    limit: number,
    singleRow: boolean,
    filter?: ScanFilter,
  ) {
    this.cells = cells
    this.#matcher = matcher
    this.#row = row
    this.#turn = turn
    this.#offset = offset
    this.#limit = limit < 0 ? Number.POSITIVE_INFINITY : limit + offset
    this.#singleRow = singleRow
    this.#filter = filter
  }

  /** `isAtRow`: the caller knows that the merge stands at the row. */
  startRow(isAtRow: boolean): void {
    const { cells } = this
    this.hadRow = cells.valid && (isAtRow || this.#row.isRowOf(cells.buffer, cells.cell))
    if (!this.hadRow) return
    this.#matcher.startRow()
    this.#included = 0
    this.#pending = NONE
    this.#isPastRow = false
  }

  /** Passes over the cells after a timestamp; false if the family has no other cell of the row. */
  startRowAsOf(asOf: AsOfTimestamp): boolean {
    if (!this.hadRow) return false
    const { cells } = this
    const row = this.#row
    while (asOf.precedes(cells.buffer, cells.cell)) {
      this.cellsSeen++
      cells.next()
      if (cells.valid && row.isRowOf(cells.buffer, cells.cell)) continue
      this.#isPastRow = true
      return false
    }
    return true
  }

  /**
   * Appends the row's cells that the query wants, as long as the target holds less than `count` cells and `length` bytes.
   * Pauses where the turn ends; the same call then goes on there. True at the row's end: the merge then stands after the row, unless the scan is of one row. False if more cells wait.
   */
  readRow(target: CellBlockBuilder, count: number, length: number): boolean {
    if (!this.hadRow || this.#isPastRow) return true
    const { cells } = this
    const matcher = this.#matcher
    const row = this.#row
    const turn = this.#turn
    do {
      turn.spend(1)
      let code = this.#pending
      if (code === NONE) {
        code = matcher.match(cells)
        // Once the cell is decided: a turn that begins with a long cell must come further than the turn before it.
        turn.noteBytes(cells.iterator.cellBytes)
      }
      this.cellsSeen++
      if (code <= MatchCode.IncludeAndNextRow) {
        if (this.#included >= this.#offset && (target.count >= count || target.length >= length)) {
          this.#pending = code
          return false
        }
        this.#pending = NONE
        this.#included++
        if (this.#included > this.#offset) {
          if (this.#filter === undefined) cells.appendTo(target)
          else this.#filter.append(target, cells)
          // QUIRK engine-get-page-store-limit-0-store-offset-0: HBase lets one cell through a limit of 0.
          if (this.#included >= this.#limit) return this.#leaveRow()
        }
      }
      if (code === MatchCode.Include || code === MatchCode.Skip) cells.next()
      else if (code === MatchCode.NextColumn || code === MatchCode.IncludeAndNextColumn) this.#nextColumn()
      else if (code !== MatchCode.SeekHint) {
        if (code !== MatchCode.Done) this.#leaveRow()
        break
      } else if (this.#filter?.followHint(cells, row) === true) {
        this.hadRow = false
        break
      }
    } while (cells.valid && row.isRowOf(cells.buffer, cells.cell))
    return this.#filter === undefined || !this.#filter.isDone ? true : this.#endScan()
  }

  /** Goes on in the runs that have replaced others, which the caller has put into the merge. */
  resumeReplaced(): void {
    // A decision on a cell that is no longer there is none on the next one.
    const { cells } = this
    if (cells.resumeReplaced()) return
    this.#pending = NONE
    if (!cells.valid || !this.#row.isRowOf(cells.buffer, cells.cell)) this.#isPastRow = true
    if (this.#matcher.abandon?.() === true) this.#filter?.turn.abandon()
  }

  /** HBase: StoreScanner.next ends the family's scan with the filter, even if the filter starts anew for the next row. */
  #endScan(): true {
    this.cells.close()
    // A reversed scan then does not seek the previous row in this family.
    this.hadRow = false
    return true
  }

  /** Moves past the rest of the row. */
  #leaveRow(): true {
    if (this.#singleRow) return true
    const { cells } = this
    const row = this.#row
    for (let steps = 0; steps < STEPS_BEFORE_SEEK; steps++) {
      cells.leaveColumn()
      if (!cells.valid || !row.isRowOf(cells.buffer, cells.cell)) return true
    }
    this.#key.afterRow(row.bytes, row.length)
    cells.seekForward(this.#key.buffer, 0)
    return true
  }

  #nextColumn(): void {
    const { cells } = this
    if (hasEmptyQualifier(cells.buffer, cells.cell)) {
      cells.next()
      return
    }
    const wanted = this.#matcher.wantedColumn
    if (wanted === undefined) {
      cells.leaveColumn()
      return
    }
    this.#key.firstOfColumn(cells.buffer, cells.cell, wanted)
    cells.skipTo(this.#key.buffer, 0, STEPS_BEFORE_SEEK)
  }
}

/** Family tombstones stand among the versions of this column, so no seek may pass over them. */
function hasEmptyQualifier(buffer: Buffer, cell: number): boolean {
  const row = (buffer[cell + 8]! << 8) | buffer[cell + 9]!
  return readInt32(buffer, cell) === KEY_FIXED_BYTES + row + buffer[cell + 10 + row]!
}
