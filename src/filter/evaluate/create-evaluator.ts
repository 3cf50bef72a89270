import { HBaseError } from '../../model/errors.ts'
import type { Filter } from '../../model/filter.ts'
import { ColumnPrefixFilter } from './column-prefix-filter.ts'
import { FamilyFilter, QualifierFilter, RowFilter, ValueFilter } from './compare-filters.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'
import { PrefixFilter } from './prefix-filter.ts'

/**
 * A filter made ready for one scan of one region, or one get. `random` gives numbers from 0 up to 1. Throws
 * ILLEGAL_ARGUMENT where HBase's constructors do.
 */
export function createFilterEvaluator(filter: Filter, random: () => number = Math.random): FilterEvaluator {
  switch (filter.kind) {
    case 'ColumnPrefixFilter':
      return new ColumnPrefixFilter(filter.prefix)
    case 'FamilyFilter':
      return new FamilyFilter(filter)
    case 'PrefixFilter':
      return new PrefixFilter(filter.prefix)
    case 'QualifierFilter':
      return new QualifierFilter(filter)
    case 'RowFilter':
      return new RowFilter(filter)
    case 'ValueFilter':
      return new ValueFilter(filter)
    default:
      void random
      throw new HBaseError('ILLEGAL_ARGUMENT', `no evaluator of a ${filter.kind}`)
  }
}
