import type { CompareOperator } from './filter.ts'

/**
 * The operators by their codes in HBase's protobuf (CompareType) and in Thrift 2 (TCompareOp). NO_OP, the code behind the last one, compares
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
