/** What the door's services are made of. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import type { CellBlock } from '../../../model/cell-block.ts'
import type { Call } from '../../../store/call.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'
import { generatedAnswer } from '../messages/generated-answer.ts'
import { readClientMessage } from '../messages/read-message.ts'
import type { ClientRelease } from './client-release.ts'

/** A request or an answer of more bytes must ask for its memory. */
export const LARGE_BYTES: number = 64 * 1024

export interface RpcRequest {
  /** The request's message, in the received bytes. */
  readonly parameter: MessageReader
  /** Its cell block, decompressed and checked. */
  readonly cells: CellBlock
  readonly call: Call
  /** The client has named a codec: cells of the answer travel as a cell block, otherwise within its message. */
  readonly takesCellBlocks: boolean
  /** The client's codec is one with tags: its cells may have some, and those of the answer have theirs. */
  readonly takesTags?: boolean
  /** The forms of answers that the client's release knows. */
  readonly release: ClientRelease
}

export interface RpcAnswer {
  readonly write: (writer: MessageWriter) => void
  /** Of a large answer: the same in steps, between which others have their turn. */
  readonly writeInSteps?: (writer: MessageWriter) => Generator<void, void>
  readonly cells?: readonly CellBlock[]
  /** Of the cells that `write` writes into the message, or about as many. Left out: those of `cells`. */
  readonly bytes?: number
  /** Called once the answer is encoded, or will not be. */
  readonly release?: () => void
  /** Makes the answer once more, of so many bytes or one row: nothing but reads made it. Undefined: the call cannot be repeated. */
  readonly again?: (bytesMax: number) => Promise<RpcAnswer>
  /** The call has changed something, and its client must not repeat it: the answer is sent even without memory for it. */
  readonly isOfChange?: boolean
  /** Called where there is no memory for the answer, and its client gets an error in its place. */
  readonly onRefused?: () => void
}

export type RpcHandler = (request: RpcRequest) => Promise<RpcAnswer>

/** Methods by their names on the wire. */
export type RpcMethods = ReadonlyMap<string, RpcHandler>

/** The methods of a service, or a promise of them where the service is loaded for a first client that names it. */
export type LoadRpcService = () => RpcMethods | Promise<RpcMethods>

/** Services by their names in the connection header. */
export type RpcServices = ReadonlyMap<string, LoadRpcService>

/** A method of idl/rpc whose messages are read and written by the generated code. */
export function generated<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
  handle: (message: MessageShape<Input>, request: RpcRequest) => Promise<MessageInitShape<Output>>,
): readonly [string, RpcHandler] {
  return [
    method.name,
    async (request) => {
      const { buffer, at, end } = request.parameter
      const answer = await handle(readClientMessage(method.input, buffer.subarray(at, end)), request)
      return generatedAnswer(method.output, answer)
    },
  ]
}
