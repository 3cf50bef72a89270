import type { Filter } from '../../model/filter.ts'
import { checkFilter } from '../filter-checks.ts'
import { SearchBudget } from '../regex/search-budget.ts'
import { Turn } from '../turn.ts'
import { AccessControlFilter } from './access-control-filter.ts'
import { ColumnCountGetFilter } from './column-count-get-filter.ts'
import { ColumnPageByCount, ColumnPageFromColumn } from './column-pagination-filter.ts'
import { ColumnPrefixFilter } from './column-prefix-filter.ts'
import { ColumnRangeFilter } from './column-range-filter.ts'
import { ColumnValueFilter } from './column-value-filter.ts'
import { FamilyFilter, QualifierFilter, RowFilter, ValueFilter } from './compare-filters.ts'
import { DependentColumnFilter } from './dependent-column-filter.ts'
import { FilterAllFilter } from './filter-all-filter.ts'
import type { FilterEvaluator } from './filter-evaluator.ts'
import { FilterListAll } from './filter-list-all.ts'
import { FilterListOne } from './filter-list-one.ts'
import { FirstKeyOnlyFilter, FirstKeyValueMatchingQualifiersFilter } from './first-key-filters.ts'
import { FuzzyRowFilter } from './fuzzy-row-filter.ts'
import { InclusiveStopFilter } from './inclusive-stop-filter.ts'
import { KeyOnlyFilter } from './key-only-filter.ts'
import { MultiRowRangeFilter } from './multi-row-range-filter.ts'
import { MultipleColumnPrefixFilter } from './multiple-column-prefix-filter.ts'
import { PageFilter } from './page-filter.ts'
import { PrefixFilter } from './prefix-filter.ts'
import { RandomRowFilter } from './random-row-filter.ts'
import { SingleColumnValueExcludeFilter, SingleColumnValueFilter } from './single-column-value-filter.ts'
import { SkipFilter } from './skip-filter.ts'
import { TimestampsFilter } from './timestamps-filter.ts'
import { WhileMatchFilter } from './while-match-filter.ts'

/**
 * Makes a filter ready for one scan of one region, or for one get. `random` gives numbers from 0 up to 1. Throws
 * ILLEGAL_ARGUMENT where HBase's constructors do. `turn`: at its end the evaluator's methods pause.
 */
export function createFilterEvaluator(
  filter: Filter,
  random: () => number,
  turn: Turn = new Turn(),
): FilterEvaluator {
  return createEvaluator(filter, random, new SearchBudget(turn))
}

function createEvaluator(filter: Filter, random: () => number, budget: SearchBudget): FilterEvaluator {
  checkFilter(filter)
  if (filter.kind === 'FilterList') {
    const filters = filter.filters.map((member) => createEvaluator(member, random, budget))
    const { turn } = budget
    return filter.operator === 'MUST_PASS_ALL'
      ? new FilterListAll(filters, turn)
      : new FilterListOne(filters, turn)
  }
  if (filter.kind === 'SkipFilter') return new SkipFilter(createEvaluator(filter.filter, random, budget))
  if (filter.kind === 'WhileMatchFilter') {
    return new WhileMatchFilter(createEvaluator(filter.filter, random, budget))
  }
  return createSingleEvaluator(filter, random, budget)
}

type SingleFilter = Exclude<Filter, { readonly kind: 'FilterList' | 'SkipFilter' | 'WhileMatchFilter' }>

function createSingleEvaluator(
  filter: SingleFilter,
  random: () => number,
  budget: SearchBudget,
): FilterEvaluator {
  switch (filter.kind) {
    case 'AccessControlFilter':
      return new AccessControlFilter(filter.families, filter.names)
    case 'ColumnCountGetFilter':
      return new ColumnCountGetFilter(filter.limit)
    case 'ColumnPaginationFilter':
      return typeof filter.offset === 'number'
        ? new ColumnPageByCount(filter.limit, filter.offset)
        : new ColumnPageFromColumn(filter.limit, filter.offset)
    case 'ColumnPrefixFilter':
      return new ColumnPrefixFilter(filter.prefix)
    case 'ColumnRangeFilter':
      return new ColumnRangeFilter(filter)
    case 'ColumnValueFilter':
      return new ColumnValueFilter(filter, budget)
    case 'DependentColumnFilter':
      return new DependentColumnFilter(filter, budget)
    case 'FamilyFilter':
      return new FamilyFilter(filter, budget)
    case 'FilterAllFilter':
      return new FilterAllFilter()
    case 'FirstKeyOnlyFilter':
      return new FirstKeyOnlyFilter()
    case 'FirstKeyValueMatchingQualifiersFilter':
      return new FirstKeyValueMatchingQualifiersFilter(filter.qualifiers)
    case 'FuzzyRowFilter':
      return new FuzzyRowFilter(filter.keys, filter.isMaskV2)
    case 'InclusiveStopFilter':
      return new InclusiveStopFilter(filter.stopRow)
    case 'KeyOnlyFilter':
      return new KeyOnlyFilter(filter.lengthAsValue)
    case 'MultiRowRangeFilter':
      return new MultiRowRangeFilter(filter.ranges)
    case 'MultipleColumnPrefixFilter':
      return new MultipleColumnPrefixFilter(filter.prefixes)
    case 'PageFilter':
      return new PageFilter(filter.pageSize)
    case 'PrefixFilter':
      return new PrefixFilter(filter.prefix)
    case 'QualifierFilter':
      return new QualifierFilter(filter, budget)
    case 'RandomRowFilter':
      return new RandomRowFilter(filter.chance, random)
    case 'RowFilter':
      return new RowFilter(filter, budget)
    case 'SingleColumnValueExcludeFilter':
      return new SingleColumnValueExcludeFilter(filter, budget)
    case 'SingleColumnValueFilter':
      return new SingleColumnValueFilter(filter, budget)
    case 'TimestampsFilter':
      return new TimestampsFilter(filter.timestamps, filter.canHint)
    case 'ValueFilter':
      return new ValueFilter(filter, budget)
  }
}
