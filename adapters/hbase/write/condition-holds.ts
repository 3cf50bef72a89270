import { compareBytes } from '../../../src/model/bytes.ts'
import type { CompareOperator } from '../../../src/model/filter.ts'
import type { Condition } from '../../../src/model/mutation.ts'

/** Whether a column whose newest value is `found` is as expected. HBase: HRegion.checkAndMutateInternal. */
export function conditionHolds({ operator, value }: Condition, found: Buffer | undefined): boolean {
  if (value === undefined || value.length === 0) {
    const isNone = found === undefined || found.length === 0
    return isNone === (operator !== 'NOT_EQUAL')
  }
  return found !== undefined && MATCHES[operator](compareBytes(value, found))
}

const MATCHES: Readonly<Record<CompareOperator, (order: number) => boolean>> = {
  LESS: (order) => order < 0,
  LESS_OR_EQUAL: (order) => order <= 0,
  EQUAL: (order) => order === 0,
  NOT_EQUAL: (order) => order !== 0,
  GREATER_OR_EQUAL: (order) => order >= 0,
  GREATER: (order) => order > 0,
}
