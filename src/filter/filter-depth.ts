import { HBaseError } from '../model/errors.ts'

/**
 * How deep FilterLists, SkipFilters and WhileMatchFilters may nest. HBase has no such limit and overflows its stack at
 * some thousands.
 */
export const FILTER_DEPTH_MAX = 128

/** The error for filters that nest deeper. */
export function tooDeep(): HBaseError {
  return new HBaseError(
    'ILLEGAL_ARGUMENT',
    `filters lie more than ${FILTER_DEPTH_MAX} deep within each other`,
  )
}
