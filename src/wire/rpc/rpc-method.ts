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

/** One method of a service: its name on the wire, and the codec of its messages. */
export interface RpcMethod<Request, Response> {
  /** The service's name in the connection header: `ClientService`. */
  readonly service: string
  readonly name: string
  encode(request: Request, writer: MessageWriter): void
  /**
   * Decodes the message in `buffer` from `start` to `end`. Its bytes share the buffer, perhaps with other responses: copy them
   * to keep them for long. Throws for another message.
   */
  decode(buffer: Buffer, start: number, end: number): Response
}

/** An unknown field of two bytes would be kept as an object of some eighty. */
const KNOWN_FIELDS = { readUnknownFields: false }

/** A method of idl/rpc, such as `rpcMethod(MasterService.method.createTable)`, for infrequent calls. */
export function rpcMethod<Input extends DescMessage, Output extends DescMessage>(
  method: DescMethodUnary<Input, Output>,
): RpcMethod<MessageInitShape<Input>, MessageShape<Output>> {
  return {
    service: method.parent.name,
    name: method.name,
    encode: (request, writer) => writer.raw(toBinary(method.input, create(method.input, request))),
    decode: (buffer, start, end) => fromBinary(method.output, buffer.subarray(start, end), KNOWN_FIELDS),
  }
}
