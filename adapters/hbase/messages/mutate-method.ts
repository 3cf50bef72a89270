import type { Condition } from '../../../src/model/mutation.ts'
import { Field } from '../../../src/wire/rpc/field.ts'
import { MessageReader } from '../../../src/wire/rpc/message-reader.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { NO_RESULT, type ResultMessage, readResult } from './result-message.ts'
import { type Mutation, writeCondition, writeMutation } from './write-mutation.ts'
import { writeRegion } from './write-query.ts'

export interface MutateRequest {
  readonly regionName: Buffer
  readonly mutation: Mutation
  readonly condition?: Condition | undefined
  readonly nonceGroup: bigint
}

export interface MutateResponse {
  /** The new cells of an increment or append. */
  readonly result: ResultMessage
  /** False where the condition did not hold. */
  readonly processed: boolean
}

export const MUTATE: RpcMethod<MutateRequest, MutateResponse> = {
  service: 'ClientService',
  name: 'Mutate',
  encode: ({ regionName, mutation, condition, nonceGroup }, writer) => {
    writeRegion(writer, regionName)
    writeMutation(writer, Field.MutateRequest.mutation, mutation)
    if (condition !== undefined) {
      writeCondition(writer, Field.MutateRequest.condition, mutation.row, condition)
    }
    if (mutation.nonce !== 0n) writer.int64(Field.MutateRequest.nonceGroup, nonceGroup)
  },
  decode: (buffer, start, end) => {
    const reader = new MessageReader(buffer, start, end)
    let result = NO_RESULT
    let processed = true
    while (reader.next()) {
      if (reader.field === Field.MutateResponse.result) result = readResult(reader.message())
      else if (reader.field === Field.MutateResponse.processed) processed = reader.bool()
      else reader.skip()
    }
    return { result, processed }
  },
}
