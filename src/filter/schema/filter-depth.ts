import { HBaseError } from '../../model/errors.ts'

/**
 * How deep FilterLists, SkipFilters and WhileMatchFilters may nest: a chain of conditions that a program makes of pairs is as deep as it
 * has conditions. HBase's REST refuses JSON of 500 lists, by the limit of its parser; its region servers overflow their stack at some thousands.
 */
export const FILTER_DEPTH_MAX = 500

/** The error for filters that nest deeper. */
export function tooDeep(): HBaseError {
  return new HBaseError(
    'ILLEGAL_ARGUMENT',
    `filters lie more than ${FILTER_DEPTH_MAX} deep within each other`,
  )
}
