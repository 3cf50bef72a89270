import { HBaseError } from '../../../model/errors.ts'
import { Field } from '../../../wire/rpc/field.ts'
import { type CoprocessorServiceCall, CoprocessorServiceCallSchema } from '../../../wire/rpc/gen/client_pb.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'
import { CellSource } from '../messages/cell-source.ts'
import { type ConditionMessage, readCondition } from '../messages/read-condition.ts'
import { readClientMessage } from '../messages/read-message.ts'
import { type MutationMessage, readMutation } from '../messages/read-mutation.ts'
import { type GetMessage, readGet } from '../messages/read-query.ts'
import { readRegionSpecifier } from '../messages/read-region.ts'
import type { RegionSpecifier } from '../messages/region-specifier.ts'
import type { RpcRequest } from '../rpc-service.ts'

export type Action =
  | { readonly kind: 'get'; readonly index: number; readonly get: GetMessage }
  | { readonly kind: 'mutation'; readonly index: number; readonly mutation: MutationMessage }
  | { readonly kind: 'service'; readonly index: number; readonly service: CoprocessorServiceCall }
  /** What HBase refuses action by action. */
  | { readonly kind: 'refused'; readonly index: number; readonly error: unknown }

export interface RegionActions {
  readonly region: RegionSpecifier
  /** All actions change one row, all together or not at all. */
  readonly atomic: boolean
  readonly actions: readonly Action[]
  readonly condition: ConditionMessage | undefined
  /** The condition stands in the request, as clients before 2.3 send it for their only region. */
  readonly isOfRequest?: boolean
}

export interface MultiMessage {
  readonly regions: readonly RegionActions[]
  readonly nonceGroup: bigint
}

/** Throws TOO_LARGE for more actions than `actionsMax`. */
export function readMulti(
  { parameter: reader, cells, takesTags }: RpcRequest,
  actionsMax: number,
): MultiMessage {
  const source = new CellSource(cells, takesTags)
  const regions: RegionActions[] = []
  let nonceGroup = 0n
  let left = actionsMax
  let condition: ConditionMessage | undefined
  while (reader.next()) {
    if (reader.field === Field.MultiRequest.regionAction) {
      const region = readRegionActions(reader.message(), source, left)
      left -= region.actions.length
      if (left < 0) throw new HBaseError('TOO_LARGE', `more than the ${actionsMax} actions of the limit`)
      regions.push(region)
    } else if (reader.field === Field.MultiRequest.nonceGroup) nonceGroup = reader.uint64()
    else if (reader.field === Field.MultiRequest.condition) condition = readCondition(reader.message())
    else reader.skip()
  }
  const [only, ...others] = regions
  if (condition === undefined || only === undefined || only.condition !== undefined)
    return { regions, nonceGroup }
  return { regions: [{ ...only, condition, isOfRequest: true }, ...others], nonceGroup }
}

function readRegionActions(reader: MessageReader, source: CellSource, actionsMax: number): RegionActions {
  const field = Field.RegionAction
  let region: RegionSpecifier | undefined
  let atomic = false
  let condition: ConditionMessage | undefined
  const actions: Action[] = []
  while (reader.next()) {
    if (reader.field === field.region) region = readRegionSpecifier(reader.message())
    else if (reader.field === field.atomic) atomic = reader.bool()
    else if (reader.field === field.condition) condition = readCondition(reader.message())
    else if (reader.field === field.action) {
      actions.push(readAction(reader.message(), source, actions.length))
      if (actions.length > actionsMax) break
    } else reader.skip()
  }
  if (region === undefined) throw new HBaseError('DO_NOT_RETRY', 'Message missing required fields: region')
  return { region, atomic, actions, condition }
}

/** `place`: the index of an action that states none, as those of a RowMutations. HBase: RSRpcServices.doBatchOp. */
function readAction(reader: MessageReader, source: CellSource, place: number): Action {
  const field = Field.Action
  let index = place
  let get: GetMessage | undefined
  let mutation: MutationMessage | undefined
  let service: CoprocessorServiceCall | undefined
  while (reader.next()) {
    if (reader.field === field.index) index = reader.uint32()
    else if (reader.field === field.get) get = readGet(reader.message(), source.takesTags)
    else if (reader.field === field.mutation) mutation = readMutation(reader.message(), source)
    else if (reader.field === field.serviceCall) {
      service = readClientMessage(CoprocessorServiceCallSchema, reader.bytes())
    } else reader.skip()
  }
  if (get !== undefined) return { kind: 'get', index, get }
  if (service !== undefined) return { kind: 'service', index, service }
  if (mutation !== undefined) return { kind: 'mutation', index, mutation }
  return { kind: 'refused', index, error: NOTHING_TO_DO }
}

/** HBase: RSRpcServices.doNonAtomicRegionMutation. One object, as a message may have millions of such actions. */
const NOTHING_TO_DO = new HBaseError('DO_NOT_RETRY', 'Unexpected Action type', {
  javaClass: 'org.apache.hadoop.hbase.HBaseIOException',
})
