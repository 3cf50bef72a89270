/** A change of several rows of a region, through an endpoint that the table must have loaded. */

import type { CellBlock } from '../../../src/model/cell-block.ts'
import type { Condition } from '../../../src/model/mutation.ts'
import { Field } from '../../../src/wire/rpc/field.ts'
import { MessageReader } from '../../../src/wire/rpc/message-reader.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { type Mutation, writeCondition, writeMutation } from './write-mutation.ts'
import { writeRegion } from './write-query.ts'

export interface MutateRowsRequest {
  readonly regionName: Buffer
  readonly mutations: readonly { readonly mutation: Mutation; readonly cells: CellBlock }[]
  readonly conditions: readonly { readonly row: Buffer; readonly condition: Condition }[]
  readonly nonceGroup: bigint
  /** 0n: none. */
  readonly nonce: bigint
}

/** The answer: whether the conditions held; undefined from a server before 2.5, which knows no conditions. */
export const MUTATE_ROWS: RpcMethod<MutateRowsRequest, boolean | undefined> = {
  service: 'ClientService',
  name: 'ExecService',
  encode: ({ regionName, mutations, conditions, nonceGroup, nonce }, writer) => {
    writeRegion(writer, regionName)
    const call = writer.begin(Field.CoprocessorServiceRequest.call)
    writer.bytes(Field.CoprocessorServiceCall.row, mutations[0]?.mutation.row ?? regionName)
    writer.string(Field.CoprocessorServiceCall.serviceName, 'MultiRowMutationService')
    writer.string(Field.CoprocessorServiceCall.methodName, 'MutateRows')
    const request = writer.begin(Field.CoprocessorServiceCall.request)
    for (const { mutation, cells } of mutations) {
      writeMutation(writer, Field.MutateRowsRequest.mutationRequest, mutation, cells)
    }
    if (nonce !== 0n) {
      writer.int64(Field.MutateRowsRequest.nonceGroup, nonceGroup)
      writer.int64(Field.MutateRowsRequest.nonce, nonce)
    }
    for (const { row, condition } of conditions) {
      writeCondition(writer, Field.MutateRowsRequest.condition, row, condition)
    }
    writer.end(request)
    writer.end(call)
  },
  decode: (buffer, start, end) => {
    const reader = new MessageReader(buffer, start, end)
    let processed: boolean | undefined
    while (reader.next()) {
      if (reader.field === Field.CoprocessorServiceResponse.value) processed = readValue(reader.message())
      else reader.skip()
    }
    return processed
  },
}

function readValue(reader: MessageReader): boolean | undefined {
  let processed: boolean | undefined
  while (reader.next()) {
    if (reader.field === Field.NameBytesPair.value) processed = readProcessed(reader.message())
    else reader.skip()
  }
  return processed
}

function readProcessed(reader: MessageReader): boolean | undefined {
  let processed: boolean | undefined
  while (reader.next()) {
    if (reader.field === Field.MutateRowsResponse.processed) processed = reader.bool()
    else reader.skip()
  }
  return processed
}
