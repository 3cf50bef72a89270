import { giveBack } from '../../../gateway/loans.ts'
import { CellBlock } from '../../../model/cell-block.ts'
import { HBaseError } from '../../../model/errors.ts'
import { MutationBatch } from '../../../model/mutation.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'
import { CellSource } from '../messages/cell-source.ts'
import { type ConditionMessage, readCondition } from '../messages/read-condition.ts'
import { type MutationMessage, readMutation } from '../messages/read-mutation.ts'
import { type RegionSpecifier, readRegionSpecifier, regionOf } from '../messages/read-region.ts'
import { writeCells } from '../messages/write-result.ts'
import type { RpcAnswer, RpcHandler, RpcRequest } from '../rpc-service.ts'
import { type ClientContext, inRegion } from './client-context.ts'
import { appendTo, checkCellSizes, isPlain, rowMutation } from './row-mutations.ts'

interface MutateMessage {
  readonly region: RegionSpecifier
  readonly mutation: MutationMessage
  readonly condition: ConditionMessage | undefined
  readonly nonceGroup: bigint
}

/** HBase: RSRpcServices.mutate. */
export function mutateHandler({ store, limits }: ClientContext): RpcHandler {
  const put = async (message: MutateMessage, { call }: RpcRequest): Promise<RpcAnswer> => {
    const target = regionOf(message.region)
    const batch = new MutationBatch(message.mutation.cells.byteLength)
    appendTo(batch, message.mutation)
    const [failure] = await store.rows.mutate(target, batch, call)
    if (failure !== undefined) throw failure.error
    return { write: (writer) => writer.bool(Field.MutateResponse.processed, true) }
  }
  const change = async (message: MutateMessage, { call }: RpcRequest): Promise<RpcAnswer> => {
    const target = regionOf(message.region)
    const { mutation, condition, nonceGroup } = message
    const row = rowMutation({ mutations: [mutation], condition: condition?.condition, nonceGroup })
    const { applied, results } = await store.rows.mutateRow(target, row, call)
    const hasResult = applied && row.returnResults === true
    return {
      write: (writer) => {
        if (hasResult) writeCells(writer, Field.MutateResponse.result, results.cells)
        // An increment or append without a condition says nothing of it.
        if (condition !== undefined) writer.bool(Field.MutateResponse.processed, applied)
      },
      cells: [CellBlock.EMPTY],
      release: () => giveBack(store.handouts, results),
    }
  }
  return async (request) => {
    const message = readRequest(request)
    checkCellSizes(message.mutation, limits.cellBytesMax)
    const isSimple = message.condition === undefined && isPlain(message.mutation)
    return inRegion(regionOf(message.region), () =>
      isSimple ? put(message, request) : change(message, request),
    )
  }
}

function readRequest({ parameter: reader, cells }: RpcRequest): MutateMessage {
  const field = Field.MutateRequest
  let region: RegionSpecifier | undefined
  let mutation: MutationMessage | undefined
  let condition: ConditionMessage | undefined
  let nonceGroup = 0n
  while (reader.next()) {
    if (reader.field === field.region) region = readRegionSpecifier(reader.message())
    else if (reader.field === field.mutation) mutation = readOne(reader.message(), cells)
    else if (reader.field === field.condition) condition = readCondition(reader.message())
    else if (reader.field === field.nonceGroup) nonceGroup = reader.uint64()
    else reader.skip()
  }
  if (region === undefined || mutation === undefined) {
    throw new HBaseError('DO_NOT_RETRY', 'Message missing required fields: region, mutation')
  }
  return { region, mutation, condition, nonceGroup }
}

function readOne(reader: MessageReader, cells: CellBlock): MutationMessage {
  return readMutation(reader, new CellSource(cells))
}
