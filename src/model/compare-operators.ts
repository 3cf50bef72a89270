import type { CompareOperator } from './filter.ts'

/**
 * The operators by their codes: CompareType of HBase's protobuf, and TCompareOp of Thrift 2. NO_OP, the code behind the last one, compares
 * nothing. PERSISTED: never renumber.
 */
export const COMPARE_OPERATORS: readonly CompareOperator[] = [
  'LESS',
  'LESS_OR_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'GREATER_OR_EQUAL',
  'GREATER',
]
