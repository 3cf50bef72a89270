import type { DescMessage, MessageShape } from '@bufbuild/protobuf'
import { readMessage } from '../../../filter/protobuf/messages.ts'
import { InvalidMessage } from '../../../filter/protobuf/wire-check.ts'
import { MalformedMessage } from '../../../wire/rpc/message-reader.ts'

/** Reads a client's message. Throws MalformedMessage, also where a required field is missing. */
export function readClientMessage<Schema extends DescMessage>(
  schema: Schema,
  bytes: Uint8Array,
): MessageShape<Schema> {
  try {
    return readMessage(schema, bytes)
  } catch (error) {
    throw error instanceof InvalidMessage ? new MalformedMessage(error.message, { cause: error }) : error
  }
}
