/**
 * The answer of a list whose filters differ. A code says whether a cell is included and how far to go on: to the next cell, column or row.
 * If all must pass, the cell is included if all filters include it, and the list goes as far as any filter wants to. If one must pass, the
 * cell is included if one filter includes it, and the list goes as far as the filter that goes least far. The distance of a hint is not
 * known: a hint counts as the next cell unless all filters give one. HBase: mergeReturnCode of FilterListWithAND and FilterListWithOR.
 */

import { FilterCode } from './filter-code.ts'

const NEXT_CELL = 0
const NEXT_COLUMN = 1
const NEXT_ROW = 2

const stepOf: readonly number[] = [
  NEXT_CELL, // Include
  NEXT_COLUMN, // IncludeAndNextColumn
  NEXT_CELL, // Skip
  NEXT_COLUMN, // NextColumn
  NEXT_ROW, // NextRow
  NEXT_CELL, // SeekNextUsingHint
  NEXT_ROW, // IncludeAndSeekNextRow
]

const including: readonly FilterCode[] = [
  FilterCode.Include,
  FilterCode.IncludeAndNextColumn,
  FilterCode.IncludeAndSeekNextRow,
]

const leavingOut: readonly FilterCode[] = [FilterCode.Skip, FilterCode.NextColumn, FilterCode.NextRow]

export function isInclude(code: FilterCode): boolean {
  return (
    code === FilterCode.Include ||
    code === FilterCode.IncludeAndNextColumn ||
    code === FilterCode.IncludeAndSeekNextRow
  )
}

export function codeIfAllMustPass(a: FilterCode, b: FilterCode): FilterCode {
  if (a === FilterCode.SeekNextUsingHint || b === FilterCode.SeekNextUsingHint) {
    return FilterCode.SeekNextUsingHint
  }
  const step = Math.max(stepOf[a]!, stepOf[b]!)
  return isInclude(a) && isInclude(b) ? including[step]! : leavingOut[step]!
}

export function codeIfOneMustPass(a: FilterCode, b: FilterCode): FilterCode {
  if (a === FilterCode.SeekNextUsingHint && b === FilterCode.SeekNextUsingHint) {
    return FilterCode.SeekNextUsingHint
  }
  const step = Math.min(stepOf[a]!, stepOf[b]!)
  return isInclude(a) || isInclude(b) ? including[step]! : leavingOut[step]!
}
