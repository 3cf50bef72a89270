/**
 * The values of HBase's znodes: a byte 0xff, the int32 length of the writer's id, the id, then in most nodes PBUF, then
 * protobuf. The last eight bytes of the id are random. HBase: RecoverableZooKeeper.appendMetaData.
 */

import { randomBytes } from 'node:crypto'
import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { PROTOBUF_MAGIC } from '../../../wire/rpc/protobuf-magic.ts'

const HAS_ID = 0xff
const SALT_BYTES = 8

export function protobufOf<Schema extends DescMessage>(
  schema: Schema,
  message: MessageInitShape<Schema>,
): Buffer {
  return Buffer.from(toBinary(schema, create(schema, message)))
}

export function withMagic(protobuf: Buffer): Buffer {
  return Buffer.concat([PROTOBUF_MAGIC, protobuf])
}

/** A node's value. `writer`: kind and port of the server that writes it, such as `master:16000`. */
export function znodeValue(writer: string, body: Buffer): Buffer {
  const prefix = Buffer.alloc(5)
  prefix[0] = HAS_ID
  prefix.writeInt32BE(Buffer.byteLength(writer) + SALT_BYTES, 1)
  return Buffer.concat([prefix, Buffer.from(writer), randomBytes(SALT_BYTES), body])
}
