/** Many gets and mutations of one server's regions in one call. */

import type { Condition } from '../../../src/model/mutation.ts'
import type { Get } from '../../../src/model/query.ts'
import { Field } from '../../../src/wire/rpc/field.ts'
import { MessageReader } from '../../../src/wire/rpc/message-reader.ts'
import type { MessageWriter } from '../../../src/wire/rpc/message-writer.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { NO_RESULT, type ResultMessage, readResult } from './result-message.ts'
import { type Mutation, writeCondition, writeMutation } from './write-mutation.ts'
import { writeGet, writeRegion } from './write-query.ts'

/** The actions of one region. */
export interface RegionAction {
  readonly regionName: Buffer
  readonly gets?: readonly Get[]
  readonly mutations?: readonly Mutation[]
  /** All mutations change one row, all together or not at all. */
  readonly atomic?: boolean
  /** Must hold for the row before the mutations. */
  readonly condition?: Condition | undefined
}

export interface MultiRequest {
  readonly regionActions: readonly RegionAction[]
  readonly nonceGroup: bigint
}

export interface ActionResult {
  /** Index among the gets or mutations of its region. */
  readonly index: number
  readonly result: ResultMessage
  readonly exception: RemoteException | undefined
}

/** One for each RegionAction, in their order. */
export interface RegionActionResult {
  /** In the order of their cells in the frame's cell block. */
  readonly results: readonly ActionResult[]
  /** The reason why none of its actions was carried out; undefined where they were attempted. */
  readonly exception: RemoteException | undefined
  /** False where a condition did not hold. */
  readonly processed: boolean
}

export const MULTI: RpcMethod<MultiRequest, readonly RegionActionResult[]> = {
  service: 'ClientService',
  name: 'Multi',
  encode: ({ regionActions, nonceGroup }, writer) => {
    for (const action of regionActions) writeRegionAction(writer, action)
    writer.int64(Field.MultiRequest.nonceGroup, nonceGroup)
  },
  decode: (buffer, start, end) => {
    const reader = new MessageReader(buffer, start, end)
    const results: RegionActionResult[] = []
    while (reader.next()) {
      if (reader.field === Field.MultiResponse.regionActionResult) {
        results.push(readRegionActionResult(reader.message()))
      } else reader.skip()
    }
    return results
  },
}

function writeRegionAction(writer: MessageWriter, region: RegionAction): void {
  const { gets = [], mutations = [], condition } = region
  const start = writer.begin(Field.MultiRequest.regionAction)
  writeRegion(writer, region.regionName)
  if (region.atomic === true) writer.bool(Field.RegionAction.atomic, true)
  for (const [index, get] of gets.entries()) {
    const action = beginAction(writer, index)
    writeGet(writer, Field.Action.get, get)
    writer.end(action)
  }
  for (const [index, mutation] of mutations.entries()) {
    const action = beginAction(writer, index)
    writeMutation(writer, Field.Action.mutation, mutation)
    writer.end(action)
  }
  if (condition !== undefined) {
    writeCondition(writer, Field.RegionAction.condition, mutations[0]!.row, condition)
  }
  writer.end(start)
}

function beginAction(writer: MessageWriter, index: number): number {
  const start = writer.begin(Field.RegionAction.action)
  writer.uint32(Field.Action.index, index)
  return start
}

function readRegionActionResult(reader: MessageReader): RegionActionResult {
  const results: ActionResult[] = []
  let exception: RemoteException | undefined
  let processed = true
  while (reader.next()) {
    const { field } = reader
    if (field === Field.RegionActionResult.resultOrException) results.push(readAction(reader.message()))
    else if (field === Field.RegionActionResult.exception) exception = readException(reader.message())
    else if (field === Field.RegionActionResult.processed) processed = reader.bool()
    else reader.skip()
  }
  return { results, exception, processed }
}

function readAction(reader: MessageReader): ActionResult {
  let index = 0
  let result = NO_RESULT
  let exception: RemoteException | undefined
  while (reader.next()) {
    const { field } = reader
    if (field === Field.ResultOrException.index) index = reader.uint32()
    else if (field === Field.ResultOrException.result) result = readResult(reader.message())
    else if (field === Field.ResultOrException.exception) exception = readException(reader.message())
    else reader.skip()
  }
  return { index, result, exception }
}

function readException(reader: MessageReader): RemoteException {
  let name = ''
  let stackTrace: Buffer = Buffer.alloc(0)
  while (reader.next()) {
    if (reader.field === Field.NameBytesPair.name) name = reader.string()
    else if (reader.field === Field.NameBytesPair.value) stackTrace = reader.bytes()
    else reader.skip()
  }
  return RemoteException.ofPair(name, stackTrace)
}
