import { HBaseError } from '../../model/errors.ts'
import type { Filter } from '../../model/filter.ts'
import { createFilterEvaluator } from './create-evaluator.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'

/**
 * Makes a filter ready for a scan of one region, in the scan's direction. `random` gives numbers from 0 up to 1. Throws
 * ILLEGAL_ARGUMENT where HBase's constructors do, and IO for a scan of parts of rows (`batch` above 0) with a filter that
 * must see whole rows. HBase: Scan.setBatch, which its region servers call for such a scan.
 */
export function createScanEvaluator(
  filter: Filter,
  reversed: boolean,
  batch: number,
  random: () => number,
): FilterEvaluator {
  const evaluator = createFilterEvaluator(filter, random)
  if (batch > 0 && evaluator.hasFilterRow) {
    throw new HBaseError(
      'REFUSED',
      'org.apache.hadoop.hbase.filter.IncompatibleFilterException: ' +
        'Cannot set batch on a scan using a filter that returns true for filter.hasFilterRow',
    )
  }
  if (reversed) evaluator.setReversed(true)
  return evaluator
}
