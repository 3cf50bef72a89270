import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'

/** The bytes of a message. */
export function writeMessage<Desc extends DescMessage>(
  schema: Desc,
  fields: MessageInitShape<Desc>,
): Uint8Array {
  return toBinary(schema, create(schema, fields))
}
