import { createScanEvaluator } from '../../../src/filter/evaluate/create-scan-evaluator.ts'
import type { FilterEvaluator } from '../../../src/filter/evaluate/filter-evaluator.ts'
import { VALUE_AS_IT_IS } from '../../../src/filter/evaluate/value-form.ts'
import type { Turn } from '../../../src/filter/turns/turn.ts'
import { compareCells, valueLength } from '../../../src/model/cell.ts'
import type { CellBlockBuilder } from '../../../src/model/cell-block.ts'
import type { Scan } from '../../../src/model/query.ts'
import type { CellMerge } from './cell-merge.ts'
import type { ScanContext } from './family-runs.ts'
import type { RowKey } from './row-key.ts'

/** Number of steps within a row before a seek to a hint. */
const STEPS_BEFORE_SEEK = 8

/** The filter of a scan of one region, which its families and rows share. */
export class ScanFilter {
  readonly evaluator: FilterEvaluator
  /** Begins with each slice of the scan. */
  readonly turn: Turn
  /** True while the filter sees a row that is left out in any case. */
  discards = false
  readonly #reversed: boolean
  /** A list of filters may then have an end that it had not when it was asked. */
  #isPausedAtKey = false

  /** `evaluator`: made for the scan's direction. */
  constructor(evaluator: FilterEvaluator, turn: Turn, reversed: boolean) {
    this.evaluator = evaluator
    this.turn = turn
    this.#reversed = reversed
  }

  /** True if no later cell passes. */
  get isDone(): boolean {
    return this.evaluator.filterAllRemaining()
  }

  /** True if the filter is asked about the cells of a row that its key excludes. HBase does not in a reversed scan. */
  get readsExcludedRows(): boolean {
    return !this.#reversed
  }

  /** True if the filter excludes the row by its key. The merge stands at the row's first cell. */
  excludesRow({ buffer, cell }: CellMerge): boolean {
    if (!this.#isPausedAtKey && this.isDone) return true
    this.#isPausedAtKey = true
    const excludes = this.evaluator.filterRowKey(buffer, cell)
    this.#isPausedAtKey = false
    return excludes
  }

  /** The row at whose key the filter may have paused is not there any more. */
  abandonRow(): void {
    this.#isPausedAtKey = false
    this.evaluator.abandon()
    this.turn.abandon()
  }

  /** Appends the present cell, which the filter has included. */
  append(target: CellBlockBuilder, cells: CellMerge): void {
    if (this.discards) return
    const { buffer, cell } = cells
    // Of a list the filter that leaves the value out may be one that this cell has not met: it then keeps its tags, too.
    if (this.#keeps(buffer, cell)) cells.appendTo(target)
    else this.evaluator.appendTransformed(target, buffer, cell, cells.iterator.cellBytes)
  }

  #keeps(buffer: Buffer, cell: number): boolean {
    const { evaluator } = this
    return (
      !evaluator.transforms ||
      evaluator.valueForm(VALUE_AS_IT_IS, valueLength(buffer, cell)) === VALUE_AS_IT_IS
    )
  }

  /** Moves on from the present cell to the filter's hint. True if a reversed scan has left the row. */
  followHint(cells: CellMerge, row: RowKey): boolean {
    const hint = this.evaluator.nextCellHint(cells.buffer, cells.cell)
    const order = hint === undefined ? 0 : compareCells(hint, 0, cells.buffer, cells.cell)
    const isAhead = this.#reversed ? order < 0 : order > 0
    const isWithinRow = hint !== undefined && row.isRowOf(hint, 0)
    // A reversed scan reads each row forwards: a hint back into its row would lead it round and round.
    if (hint === undefined || !isAhead || (this.#reversed && isWithinRow)) {
      cells.next()
      return false
    }
    if (this.#reversed) {
      cells.seekPreviousRow(leastRowAfterKey(hint))
      return true
    }
    if (isWithinRow) cells.skipTo(hint, 0, STEPS_BEFORE_SEEK)
    else cells.seekForward(hint, 0)
    return false
  }
}

/** The filter of a scan that has one. Throws as createScanEvaluator. */
export function createScanFilter(
  scan: Scan,
  { random, prepared }: ScanContext,
  turn: Turn,
): ScanFilter | undefined {
  const evaluator =
    prepared === undefined
      ? createScanEvaluator(scan, scan.reversed, scan.batch, random, turn)
      : prepared.evaluator
  return evaluator && new ScanFilter(evaluator, turn, scan.reversed)
}

/** The least row after the row of the key. */
function leastRowAfterKey(key: Buffer): Buffer {
  const length = (key[8]! << 8) | key[9]!
  const row = Buffer.alloc(length + 1)
  key.copy(row, 0, 10, 10 + length)
  return row
}
