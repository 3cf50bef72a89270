/** What the door's services are made of. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { create, toBinary } from '@bufbuild/protobuf'
import { readMessage } from '../../filter/protobuf/messages.ts'
import { InvalidMessage } from '../../filter/protobuf/wire-check.ts'
import type { CellBlock } from '../../model/cell-block.ts'
import { HBaseError } from '../../model/errors.ts'
import type { Call } from '../../store/call.ts'
import type { MessageReader } from '../../wire/rpc/message-reader.ts'
import type { MessageWriter } from '../../wire/rpc/message-writer.ts'

export interface RpcRequest {
  /** The request's message, in the received bytes. */
  readonly parameter: MessageReader
  /** Its cell block, decompressed and checked. */
  readonly cells: CellBlock
  readonly call: Call
  /** The client has named a codec: cells of the answer travel as a cell block, otherwise within its message. */
  readonly takesCellBlocks: boolean
}

export interface RpcAnswer {
  readonly write: (writer: MessageWriter) => void
  readonly cells?: readonly CellBlock[]
  /** Of the cells that `write` writes into the message, or about as many. Left out: those of `cells`. */
  readonly bytes?: number
  /** Called once the answer is encoded. */
  readonly release?: () => void
}

export type RpcHandler = (request: RpcRequest) => Promise<RpcAnswer>

/** Methods by their names on the wire. */
export type RpcMethods = ReadonlyMap<string, RpcHandler>

/** Services by their names in the connection header. */
export type RpcServices = ReadonlyMap<string, RpcMethods>

/** A method of idl/rpc whose messages are read and written by the generated code. */
export function generated<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  handle: (message: MessageShape<Input>, request: RpcRequest) => Promise<MessageInitShape<Output>>,
): readonly [string, RpcHandler] {
  return [
    method.name,
    async (request) => {
      const { buffer, at, end } = request.parameter
      const answer = await handle(readRequired(method.input, buffer.subarray(at, end)), request)
      const bytes = toBinary(method.output, create(method.output, answer))
      return { write: (writer) => writer.raw(bytes) }
    },
  ]
}

/** Throws DO_NOT_RETRY for bytes that are no such message, or that lack a required field of it. */
function readRequired<Input extends DescMessage>(schema: Input, bytes: Buffer): MessageShape<Input> {
  try {
    return readMessage(schema, bytes)
  } catch (error) {
    if (error instanceof InvalidMessage) throw new HBaseError('DO_NOT_RETRY', error.message, { cause: error })
    throw error
  }
}
