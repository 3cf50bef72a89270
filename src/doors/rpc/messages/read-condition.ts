import { comparatorFromMessage } from '../../../filter/protobuf/decode-comparator.ts'
import { filterInSteps } from '../../../filter/protobuf/decode-filter.ts'
import { EMPTY } from '../../../model/bytes.ts'
import { COMPARE_OPERATORS } from '../../../model/compare-operators.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { Comparator, CompareOperator, Filter } from '../../../model/filter.ts'
import type { Condition } from '../../../model/mutation.ts'
import type { TimeRange } from '../../../model/time-range.ts'
import { Field } from '../../../wire/rpc/field.ts'
import { ComparatorSchema } from '../../../wire/rpc/gen/comparator_pb.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'
import { readClientMessage } from './read-message.ts'
import { readTimeRange } from './selection.ts'

export interface ConditionMessage {
  readonly row: Buffer
  readonly condition: Condition
}

/** Reads a Condition. Throws DO_NOT_RETRY for one without an operator. HBase: ProtobufUtil.toCheckAndMutate. */
export function readCondition(reader: MessageReader): ConditionMessage {
  const field = Field.Condition
  let [row, family, qualifier] = [EMPTY, EMPTY, EMPTY]
  let operator: CompareOperator | undefined
  let comparator: Comparator | undefined
  let timeRange: TimeRange | undefined
  let filter: Filter | undefined
  while (reader.next()) {
    if (reader.field === field.row) row = reader.bytes()
    else if (reader.field === field.family) family = reader.bytes()
    else if (reader.field === field.qualifier) qualifier = reader.bytes()
    else if (reader.field === field.compareType) operator = COMPARE_OPERATORS[reader.uint32()]
    else if (reader.field === field.comparator) {
      comparator = comparatorFromMessage(readClientMessage(ComparatorSchema, reader.bytes()))
    } else if (reader.field === field.timeRange) timeRange = readTimeRange(reader.message())
    else if (reader.field === field.filter) filter = reader.decoded(filterInSteps)
    else reader.skip()
  }
  if (filter !== undefined) return { row, condition: { kind: 'filter', filter, timeRange } }
  if (operator === undefined) throw new HBaseError('DO_NOT_RETRY', 'a condition without an operator')
  return { row, condition: { kind: 'column', family, qualifier, operator, comparator, timeRange } }
}
