/**
 * What a list of filters answers where its filters differ. A code says whether a cell is included and how far to go on:
 * to the next cell, column or row. All must pass: included if all include it, and as far as any wants to go. One must
 * pass: included if one includes it, and no further than the one that goes least far; how far a hint leads is not known,
 * so it counts as the next cell unless all give one. HBase: mergeReturnCode of FilterListWithAND and FilterListWithOR.
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
