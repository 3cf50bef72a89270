/** The contract between connections and services: requests, answers, and the methods of a service. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import type { CellBlock } from '../../../model/cell-block.ts'
import type { Call } from '../../../store/call.ts'
import type { MessageReader } from '../../../wire/rpc/message-reader.ts'
import type { MessageWriter } from '../../../wire/rpc/message-writer.ts'
import type { AnswerCells } from '../../../wire/rpc/scattered-block.ts'
import { generatedAnswer } from '../messages/generated-answer.ts'
import { readClientMessage } from '../messages/read-message.ts'
import type { ClientRelease } from './client-release.ts'

/** A request or an answer of more bytes must ask for its memory. */
export const LARGE_BYTES: number = 64 * 1024

export interface RpcRequest {
  /** Reads the request's message. */
  readonly parameter: MessageReader
  /** The request's cell block, decompressed and checked; empty where it has none. */
  readonly cells: CellBlock
  readonly call: Call
  /** True where the client has named a codec: cells of the answer then travel as a cell block, otherwise within its message. */
  readonly takesCellBlocks: boolean
  /** True where the client's codec reads and writes tags of cells. */
  readonly takesTags?: boolean
  /** The forms of answers that the client's release knows. */
  readonly release: ClientRelease
}

export interface RpcAnswer {
  /** Writes the answer's message. */
  readonly write: (writer: MessageWriter) => void
  /** Writes a large answer in steps, between which other calls have their turns. */
  readonly writeInSteps?: (writer: MessageWriter) => Generator<void, void>
  /** The answer's cell block, as parts to be joined; absent where it has none. */
  readonly cells?: readonly AnswerCells[]
  /** Bytes of the cells that `write` writes into the message, roughly. Absent where all cells are in `cells`. */
  readonly bytes?: number
  /** Gives back the memory of the answer. Called once it is encoded, or will not be. */
  readonly release?: () => void
  /** Makes the answer once more, with at most so many bytes of cells or one row. Absent where the call must not be repeated. */
  readonly again?: (bytesMax: number) => Promise<RpcAnswer>
  /** True where the call has changed something. Its client must not repeat it, so the answer is sent even without memory for it. */
  readonly isOfChange?: boolean
  /** Called where the answer has no memory, and the client gets an error instead. */
  readonly onRefused?: () => void
}

export type RpcHandler = (request: RpcRequest) => Promise<RpcAnswer>

/** Methods by their names on the wire. */
export type RpcMethods = ReadonlyMap<string, RpcHandler>

/** Returns the methods of a service, or a promise while the service is loaded for its first client. */
export type LoadRpcService = () => RpcMethods | Promise<RpcMethods>

/** Services by their names in the connection header. */
export type RpcServices = ReadonlyMap<string, LoadRpcService>

/** A method of idl/rpc, as its name and handler. Generated code reads and writes its messages. */
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
