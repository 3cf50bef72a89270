import { compareBytes, compareRange } from '../../model/bytes.ts'
import { HBaseError } from '../../model/errors.ts'
import type { RowRange } from '../../model/filter.ts'
import { mapInSteps, type Steps, sortInSteps } from '../../model/steps.ts'

/**
 * Sorts the ranges, and joins ranges that touch. Throws ILLEGAL_ARGUMENT for no ranges and for ranges that end before
 * they begin. HBase: MultiRowRangeFilter.sortAndMerge.
 */
export function* mergeRowRanges(ranges: readonly RowRange[]): Steps<RowRange[]> {
  if (ranges.length === 0) throw new HBaseError('ILLEGAL_ARGUMENT', 'No ranges found.')
  const sorted = yield* sortInSteps(ranges, (a, b) => compareBytes(a.startRow, b.startRow))
  yield* checkRowRanges(sorted)
  const merged: RowRange[] = []
  let last = sorted[0]!
  let grew = false
  for (let i = 1; i < sorted.length && !isOpen(last); i++) {
    if (i % STEP_RANGES === 0) yield
    const range = sorted[i]!
    const order = compareBytes(range.stopRow, last.stopRow)
    if (!touches(last, range)) {
      merged.push(last)
      // HBase then has both ranges twice, which shows in its binary search of a reversed scan.
      if (grew && isOpen(range)) merged.push(range, last)
      last = range
      grew = false
    } else if (isOpen(range) || order > 0) {
      last = { ...last, stopRow: range.stopRow, includeStopRow: range.includeStopRow }
      grew = true
    } else if (range.includeStopRow && (order === 0 || grew)) {
      // Once a range has grown, it includes its own end if a range inside it includes another.
      last = { ...last, includeStopRow: true }
    }
  }
  merged.push(last)
  return merged
}

/** Ranges that are joined in a step. */
const STEP_RANGES = 256
/** The error lists so many invalid ranges. HBase lists all. */
const RANGES_REPORTED_MAX = 1000

function* checkRowRanges(ranges: readonly RowRange[]): Steps<void> {
  const lines: string[] = []
  let invalid = 0
  yield* mapInSteps(ranges, (range) => {
    if (isValid(range) || ++invalid > RANGES_REPORTED_MAX) return
    const { startRow, stopRow } = range
    lines.push(`Invalid range: start row => ${startRow.toString()}, stop row => ${stopRow.toString()}\n`)
  })
  if (invalid > 0) throw new HBaseError('ILLEGAL_ARGUMENT', `${invalid} invaild ranges.\n${lines.join('')}`)
}

function isValid(range: RowRange): boolean {
  if (range.startRow.length === 0 || isOpen(range)) return true
  const order = compareBytes(range.startRow, range.stopRow)
  return order < 0 || (order === 0 && range.includeStopRow)
}

/** Whether the range goes to the end of the table. */
function isOpen({ stopRow }: RowRange): boolean {
  return stopRow.length === 0
}

function touches(before: RowRange, after: RowRange): boolean {
  const order = compareBytes(before.stopRow, after.startRow)
  return order > 0 || (order === 0 && (before.includeStopRow || after.includeStartRow))
}

export function isInRange(range: RowRange, row: Buffer, offset: number, length: number): boolean {
  const { startRow, stopRow } = range
  const start = compareRange(row, offset, length, startRow, 0, startRow.length)
  if (start < 0 || (start === 0 && !range.includeStartRow)) return false
  if (isOpen(range)) return true
  const stop = compareRange(row, offset, length, stopRow, 0, stopRow.length)
  return stop < 0 || (stop === 0 && range.includeStopRow)
}
