import { giveBack } from '../../../gateway/reads/loans.ts'
import { HBaseError } from '../../../model/errors.ts'
import type { Results } from '../../../model/results.ts'
import type { RegionRef } from '../../../store/target.ts'
import { Field } from '../../../wire/rpc/field.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'
import type { RpcAnswer, RpcHandler, RpcRequest } from '../contract/rpc-service.ts'
import { CellSource } from '../messages/cell-source.ts'
import { type ConditionMessage, readCondition } from '../messages/read-condition.ts'
import { readInTurns } from '../messages/read-in-turns.ts'
import { type MutationMessage, readMutation } from '../messages/read-mutation.ts'
import { writeCells, writeCount } from '../messages/write-result.ts'
import { readRegionSpecifier } from '../regions/read-region.ts'
import type { RegionSpecifier } from '../regions/region-specifier.ts'
import { asRegionServer, type ClientContext } from './client-context.ts'
import { batchOf, checkRowOf, isPlain, rowMutation } from './row-mutations.ts'

interface MutateMessage {
  readonly region: RegionSpecifier
  readonly mutation: MutationMessage
  readonly condition: ConditionMessage | undefined
  readonly nonceGroup: bigint
}

/** The answer to a put or a delete that was carried out. */
const PUT: RpcAnswer = { write: (writer) => writer.bool(Field.MutateResponse.processed, true) }

/** HBase: RSRpcServices.mutate. */
export function mutateHandler({ store, regions }: ClientContext): RpcHandler {
  const change = async (
    target: RegionRef,
    message: MutateMessage,
    { call, takesCellBlocks }: RpcRequest,
  ): Promise<RpcAnswer> => {
    const { mutation, condition, nonceGroup } = message
    if (condition !== undefined) checkRowOf(condition, [mutation])
    const row = rowMutation({ mutations: [mutation], condition: condition?.condition, nonceGroup })
    const { applied, results } = await store.rows.mutateRow(target, row, call)
    // An increment or append whose client wants no result has an empty one.
    const hasResult = applied && !isPlain(mutation)
    return {
      write: (writer) => {
        if (hasResult) writeResult(writer, results, takesCellBlocks)
        // Without a condition, the answer to an increment or append has no `processed`.
        if (condition !== undefined) writer.bool(Field.MutateResponse.processed, applied)
      },
      cells: hasResult && takesCellBlocks ? [results.cells] : [],
      release: () => giveBack(store.handouts, results),
      isOfChange: true,
    }
  }
  return async (request) => {
    const read = readInTurns(request.parameter, () => readRequest(request))
    const message = read instanceof Promise ? await read : read
    const isSimple = message.condition === undefined && isPlain(message.mutation)
    const found = regions.ref(message.region, request.call)
    // An await costs time even where nothing is to be waited for.
    const target = found instanceof Promise ? await found : found
    if (target.replica > 0) await regions.checkIsWritable(target, request.call)
    try {
      if (!isSimple) return await change(target, message, request)
      const [failure] = await store.rows.mutate(target, batchOf([message.mutation]), request.call)
      if (failure !== undefined) throw failure.error
      return PUT
    } catch (error) {
      throw asRegionServer(error, target)
    }
  }
}

function writeResult(writer: MessageWriter, { cells, counts }: Results, takesCellBlocks: boolean): void {
  const field = Field.MutateResponse.result
  if (takesCellBlocks) writeCount(writer, field, counts[0] ?? 0)
  else writeCells(writer, field, cells)
}

function readRequest({ parameter: reader, cells, takesTags }: RpcRequest): MutateMessage {
  const source = new CellSource(cells, takesTags)
  const field = Field.MutateRequest
  let region: RegionSpecifier | undefined
  let mutation: MutationMessage | undefined
  let condition: ConditionMessage | undefined
  let nonceGroup = 0n
  while (reader.next()) {
    if (reader.field === field.region) region = readRegionSpecifier(reader.message())
    else if (reader.field === field.mutation) mutation = readMutation(reader.message(), source)
    else if (reader.field === field.condition) condition = readCondition(reader.message())
    else if (reader.field === field.nonceGroup) nonceGroup = reader.uint64()
    else reader.skip()
  }
  if (region === undefined || mutation === undefined) {
    throw new HBaseError('DO_NOT_RETRY', 'Message missing required fields: region, mutation')
  }
  return { region, mutation, condition, nonceGroup }
}
