import {
  create,
  type DescMessage,
  type DescMethodUnary,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from '@bufbuild/protobuf'
import type { MessageWriter } from './message-writer.ts'

/** One method of a service: its name on the wire, and how its messages become bytes and back. */
export interface RpcMethod<Request, Response> {
  /** As the connection header names it: `ClientService`. */
  readonly service: string
  readonly name: string
  encode(request: Request, writer: MessageWriter): void
  /**
   * What `buffer` holds from `start` to `end`. Bytes of the message share its memory, in which other responses may lie:
   * copy what is kept for long. Throws where it is not such a message.
   */
  decode(buffer: Buffer, start: number, end: number): Response
}

/** A method as idl/rpc describes it: `rpcMethod(MasterService.method.createTable)`. For calls that are not frequent. */
export function rpcMethod<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
): RpcMethod<MessageInitShape<Input>, MessageShape<Output>> {
  return {
    service: method.parent.name,
    name: method.name,
    encode: (request, writer) => writer.raw(toBinary(method.input, create(method.input, request))),
    decode: (buffer, start, end) => fromBinary(method.output, buffer.subarray(start, end)),
  }
}
