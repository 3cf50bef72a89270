import type { Comparator } from '../../../model/filter.ts'
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

/** Throws ILLEGAL_ARGUMENT for an invalid pattern, charset or number. */
export function createComparator(comparator: Comparator): ComparatorEvaluator {
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
      )
    case 'SubstringComparator':
      return new SubstringComparator(comparator.substring)
    case 'LongComparator':
      return new LongComparator(comparator.value)
    case 'BigDecimalComparator':
      return new BigDecimalComparator(comparator.value)
  }
}
