/** Checks the condition of a change of a row. HBase: HRegion.checkAndMutateInternal. */

import { createComparator } from '../filter/evaluate/comparators/create-comparator.ts'
import { SearchBudget } from '../filter/regex/search-budget.ts'
import { Turn } from '../filter/turns/turn.ts'
import type { CellParts } from '../model/cell.ts'
import type { Comparator, CompareOperator } from '../model/filter.ts'
import type { Condition } from '../model/mutation.ts'
import { type Get, get } from '../model/query.ts'

/** The get whose first cell decides the condition. Throws ILLEGAL_ARGUMENT for a row that is empty or too long. */
export function conditionGet(row: Buffer, condition: Condition): Get {
  const { timeRange } = condition
  const time = timeRange === undefined ? {} : { timeRange }
  if (condition.kind === 'filter') return get(row, { ...time, filter: condition.filter })
  const { family, qualifier } = condition
  return get(row, { ...time, columns: [{ family, qualifiers: [qualifier] }] })
}

/**
 * True if the condition holds. `found` is the first cell of the answer to `conditionGet`, undefined if the answer is
 * empty. Throws ILLEGAL_ARGUMENT for an invalid comparator, or one that cannot compare the value.
 */
export function conditionHolds(condition: Condition, found: CellParts | undefined): boolean {
  return conditionTest(condition, new Turn())(found)
}

/**
 * As conditionHolds, for one condition and several calls. The returned function may throw a pause at the end of the turn: the next call must
 * then be for the same cell.
 */
export function conditionTest(condition: Condition, turn: Turn): (found: CellParts | undefined) => boolean {
  if (condition.kind === 'filter') return (found) => found !== undefined
  const { operator, comparator } = condition
  // HBase refuses a faulty comparator when it reads the request, so this comes first.
  const evaluator = comparator && createComparator(comparator, new SearchBudget(turn))
  if (evaluator === undefined || comparator === undefined || isWithoutValue(comparator)) {
    return (found) => (found === undefined || found.value.length === 0) === (operator !== 'NOT_EQUAL')
  }
  return (found) =>
    found !== undefined && orderMatches(operator, evaluator.compare(found.value, 0, found.value.length))
}

/** True where the comparator has an empty value. HBase: ByteArrayComparable.getValue, as each kind of comparator sets it. */
function isWithoutValue(comparator: Comparator): boolean {
  switch (comparator.kind) {
    case 'NullComparator':
      return true
    case 'RegexStringComparator':
      return comparator.pattern === ''
    case 'SubstringComparator':
      return comparator.substring === ''
    case 'BinaryComparator':
    case 'BinaryPrefixComparator':
    case 'BinaryComponentComparator':
    case 'BitComparator':
    case 'LongComparator':
    case 'BigDecimalComparator':
      return comparator.value.length === 0
  }
}

/** True where the order satisfies the operator. `order`: the comparator's value compared with the cell's. */
function orderMatches(operator: CompareOperator, order: number): boolean {
  switch (operator) {
    case 'LESS':
      return order < 0
    case 'LESS_OR_EQUAL':
      return order <= 0
    case 'EQUAL':
      return order === 0
    case 'NOT_EQUAL':
      return order !== 0
    case 'GREATER_OR_EQUAL':
      return order >= 0
    case 'GREATER':
      return order > 0
  }
}
