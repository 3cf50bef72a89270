import { HBaseError } from '../model/errors.ts'

/**
 * How deep filters may lie within each other: FilterLists, SkipFilters and WhileMatchFilters. HBase has no such limit and
 * overflows its stack at some thousands.
 */
export const FILTER_DEPTH_MAX = 128

/** For filters that do. */
export function tooDeep(): HBaseError {
  return new HBaseError(
    'ILLEGAL_ARGUMENT',
    `filters lie more than ${FILTER_DEPTH_MAX} deep within each other`,
  )
}
