import type { Comparator } from '../../../model/filter.ts'
import type { SearchBudget } from '../../regex/search-budget.ts'
import {
  BinaryComparator,
  BinaryComponentComparator,
  BinaryPrefixComparator,
  BitComparator,
  NullComparator,
} from './byte-comparators.ts'
import type { ComparatorEvaluator } from './comparator-evaluator.ts'
import { BigDecimalComparator, LongComparator } from './number-comparators.ts'
import { RegexStringComparator, SubstringComparator } from './text-comparators.ts'

/**
 * `budget`: what a comparator that searches shares with others; else each search has one of its own. Throws ILLEGAL_ARGUMENT for an
 * invalid pattern, charset or number.
 */
export function createComparator(comparator: Comparator, budget?: SearchBudget): ComparatorEvaluator {
  switch (comparator.kind) {
    case 'BinaryComparator':
      return new BinaryComparator(comparator.value)
    case 'BinaryPrefixComparator':
      return new BinaryPrefixComparator(comparator.value)
    case 'BinaryComponentComparator':
      return new BinaryComponentComparator(comparator.value, comparator.offset)
    case 'BitComparator':
      return new BitComparator(comparator.value, comparator.operator)
    case 'NullComparator':
      return new NullComparator()
    case 'RegexStringComparator':
      return new RegexStringComparator(
        comparator.pattern,
        comparator.flags,
        comparator.charset,
        comparator.engine,
        budget,
      )
    case 'SubstringComparator':
      return new SubstringComparator(comparator.substring, budget?.turn)
    case 'LongComparator':
      return new LongComparator(comparator.value)
    case 'BigDecimalComparator':
      return new BigDecimalComparator(comparator.value)
  }
}
