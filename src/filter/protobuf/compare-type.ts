import type { FilterOperator } from '../../model/filter.ts'
import { CompareType } from '../../wire/rpc/gen/hbase_pb.ts'

const OPERATORS = Object.fromEntries(
  Object.entries(CompareType).map(([name, number]) => [number, name]),
) as Record<CompareType, FilterOperator>

export function operatorOfCompareType(type: CompareType): FilterOperator {
  return OPERATORS[type]
}

export function compareTypeOf(operator: FilterOperator): CompareType {
  return CompareType[operator]
}
