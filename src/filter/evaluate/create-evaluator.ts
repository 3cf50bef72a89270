import { compareBytes } from '../../model/bytes.ts'
import type { Filter } from '../../model/filter.ts'
import { atOnce, mapInSteps, type Steps, sortInSteps } from '../../model/steps.ts'
import { SearchBudget } from '../regex/search-budget.ts'
import { checkInSteps } from '../schema/filter-checks.ts'
import { mergeRowRanges } from '../schema/row-ranges.ts'
import { Turn } from '../turns/turn.ts'
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
import { FuzzyRule } from './fuzzy-rule.ts'
import { InclusiveStopFilter } from './inclusive-stop-filter.ts'
import { KeyOnlyFilter } from './key-only-filter.ts'
import { MultiRowRangeFilter } from './multi-row-range-filter.ts'
import { MultipleColumnPrefixFilter } from './multiple-column-prefix-filter.ts'
import { PageFilter } from './page-filter.ts'
import { PrefixFilter } from './prefix-filter.ts'
import { RandomRowFilter } from './random-row-filter.ts'
import { SingleColumnValueExcludeFilter, SingleColumnValueFilter } from './single-column-value-filter.ts'
import { SkipFilter } from './skip-filter.ts'
import { TimestampSet } from './timestamp-set.ts'
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
  return atOnce(evaluatorInSteps(filter, random, turn))
}

/** As createFilterEvaluator. */
export function evaluatorInSteps(filter: Filter, random: () => number, turn: Turn): Steps<FilterEvaluator> {
  return madeInSteps(filter, random, new SearchBudget(turn))
}

/** Members of a list that are made in a step. */
const STEP_MEMBERS = 32

function* madeInSteps(filter: Filter, random: () => number, budget: SearchBudget): Steps<FilterEvaluator> {
  const { turn } = budget
  if (filter.kind === 'FilterList') {
    const filters: FilterEvaluator[] = []
    for (const member of filter.filters) {
      filters.push(yield* madeInSteps(member, random, budget))
      if (filters.length % STEP_MEMBERS === 0) yield
    }
    // Each list by itself may be short.
    yield
    return filter.operator === 'MUST_PASS_ALL'
      ? new FilterListAll(filters, turn)
      : new FilterListOne(filters, turn)
  }
  if (filter.kind === 'SkipFilter') return new SkipFilter(yield* madeInSteps(filter.filter, random, budget))
  if (filter.kind === 'WhileMatchFilter') {
    return new WhileMatchFilter(yield* madeInSteps(filter.filter, random, budget))
  }
  if (filter.kind === 'MultiRowRangeFilter') {
    return new MultiRowRangeFilter(yield* mergeRowRanges(filter.ranges))
  }
  yield* checkInSteps(filter)
  if (filter.kind === 'FuzzyRowFilter') {
    const rules = yield* mapInSteps(filter.keys, (key) => new FuzzyRule(key, filter.isMaskV2))
    return new FuzzyRowFilter(rules, turn)
  }
  if (filter.kind === 'MultipleColumnPrefixFilter') {
    return new MultipleColumnPrefixFilter(yield* sortInSteps(filter.prefixes, compareBytes))
  }
  if (filter.kind === 'TimestampsFilter') {
    return new TimestampsFilter(yield* TimestampSet.inSteps(filter.timestamps), filter.canHint)
  }
  return createSingleEvaluator(filter, random, budget)
}

type SingleFilter = Exclude<
  Filter,
  {
    readonly kind:
      | 'FilterList'
      | 'SkipFilter'
      | 'WhileMatchFilter'
      | 'MultiRowRangeFilter'
      | 'FuzzyRowFilter'
      | 'MultipleColumnPrefixFilter'
      | 'TimestampsFilter'
  }
>

function createSingleEvaluator(
  filter: SingleFilter,
  random: () => number,
  budget: SearchBudget,
): FilterEvaluator {
  switch (filter.kind) {
    case 'AccessControlFilter':
      return new AccessControlFilter(filter.families, filter.names, budget.turn)
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
      return new FirstKeyValueMatchingQualifiersFilter(filter.qualifiers, budget.turn)
    case 'InclusiveStopFilter':
      return new InclusiveStopFilter(filter.stopRow)
    case 'KeyOnlyFilter':
      return new KeyOnlyFilter(filter.lengthAsValue)
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
    case 'ValueFilter':
      return new ValueFilter(filter, budget)
  }
}
