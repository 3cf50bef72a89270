import type { Get } from '../../../src/model/query.ts'
import { Field } from '../../../src/wire/rpc/field.ts'
import { MessageReader } from '../../../src/wire/rpc/message-reader.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { NO_RESULT, type ResultMessage, readResult } from './result-message.ts'
import { writeGet, writeRegion } from './write-query.ts'

export interface GetRequest {
  readonly regionName: Buffer
  readonly get: Get
}

export const GET: RpcMethod<GetRequest, ResultMessage> = {
  service: 'ClientService',
  name: 'Get',
  encode: ({ regionName, get }, writer) => {
    writeRegion(writer, regionName)
    writeGet(writer, Field.GetRequest.get, get)
  },
  decode: (buffer, start, end) => {
    const reader = new MessageReader(buffer, start, end)
    let result = NO_RESULT
    while (reader.next()) {
      if (reader.field === Field.GetResponse.result) result = readResult(reader.message())
      else reader.skip()
    }
    return result
  },
}
