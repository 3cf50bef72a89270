/** Comparisons as the language has them: operators as signs, and which comparators go with which of them. */

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

/** undefined: NO_OP, which the language has not. */
export function signOf(operator: FilterOperator): string | undefined {
  return SIGNS.get(operator)
}

export function operatorOf(sign: string): FilterOperator | undefined {
  return OPERATORS.get(sign)
}

/** A comparator that only finds, or does not, has no order. */
export function goesWith({ kind }: Comparator, operator: FilterOperator): boolean {
  const isFinding = kind === 'RegexStringComparator' || kind === 'SubstringComparator'
  return !isFinding || operator === 'EQUAL' || operator === 'NOT_EQUAL'
}
