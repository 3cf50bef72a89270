/** Whether a row is as a client expects it before a change. HBase: HRegion.checkAndMutateInternal. */

import { createComparator } from '../filter/evaluate/comparators/create-comparator.ts'
import type { CellParts } from '../model/cell.ts'
import type { Comparator, CompareOperator } from '../model/filter.ts'
import type { Condition } from '../model/mutation.ts'
import { type Get, get } from '../model/query.ts'

/** The get whose first cell decides on the condition. Throws ILLEGAL_ARGUMENT for a row that is empty or too long. */
export function conditionGet(row: Buffer, condition: Condition): Get {
  const { timeRange } = condition
  const time = timeRange === undefined ? {} : { timeRange }
  if (condition.kind === 'filter') return get(row, { ...time, filter: condition.filter })
  const { family, qualifier } = condition
  return get(row, { ...time, columns: [{ family, qualifiers: [qualifier] }] })
}

/**
 * Whether the condition holds. `found` is the first cell of the answer to `conditionGet`, undefined where the answer is
 * empty. Throws ILLEGAL_ARGUMENT for a comparator that cannot be made, or that cannot compare the value.
 */
export function conditionHolds(condition: Condition, found: CellParts | undefined): boolean {
  if (condition.kind === 'filter') return found !== undefined
  const { operator, comparator } = condition
  // Made before anything else: HBase refuses a faulty comparator when it reads the request.
  const evaluator = comparator && createComparator(comparator)
  if (evaluator === undefined || comparator === undefined || isWithoutValue(comparator)) {
    const isNone = found === undefined || found.value.length === 0
    return isNone === (operator !== 'NOT_EQUAL')
  }
  if (found === undefined) return false
  return orderMatches(operator, evaluator.compare(found.value, 0, found.value.length))
}

/** HBase: ByteArrayComparable.getValue, which each kind gives to the base class. */
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

/** `order`: the comparator's value against the cell's. */
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
