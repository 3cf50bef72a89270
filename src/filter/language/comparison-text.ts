/** Comparisons in the filter language: the signs of operators, and the operators that a comparator goes with. */

import type { Comparator, FilterOperator } from '../../model/filter.ts'

const SIGNS: ReadonlyMap<FilterOperator, string> = new Map<FilterOperator, string>([
  ['LESS', '<'],
  ['LESS_OR_EQUAL', '<='],
  ['EQUAL', '='],
  ['NOT_EQUAL', '!='],
  ['GREATER_OR_EQUAL', '>='],
  ['GREATER', '>'],
])
const OPERATORS: ReadonlyMap<string, FilterOperator> = new Map(
  Array.from(SIGNS, ([operator, sign]) => [sign, operator]),
)

/** `<, <=, =, !=, >=, >` */
export const OPERATOR_SIGNS: string = [...SIGNS.values()].join(', ')

/** undefined for NO_OP, which the language does not have. */
export function operatorSign(operator: FilterOperator): string | undefined {
  return SIGNS.get(operator)
}

export function operatorWithSign(sign: string): FilterOperator | undefined {
  return OPERATORS.get(sign)
}

/** A comparator that only matches or does not has no order. */
export function goesWith({ kind }: Comparator, operator: FilterOperator): boolean {
  const isFinding = kind === 'RegexStringComparator' || kind === 'SubstringComparator'
  return !isFinding || operator === 'EQUAL' || operator === 'NOT_EQUAL'
}
