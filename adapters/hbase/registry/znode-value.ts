/**
 * The value of HBase's znodes: a byte 0xff, the int32 length of the writer's id, the id, then PBUF and protobuf. Older values
 * lack the id. HBase: RecoverableZooKeeper, ProtobufMagic.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import { stripMagic } from '../../../src/wire/rpc/protobuf-magic.ts'

const HAS_ID = 0xff
const ID_AT = 5

/** The protobuf bytes of a znode's value. Throws CORRUPTION. */
export function readZnode(data: Buffer): Buffer {
  if (data[0] !== HAS_ID) return stripMagic(data)
  const idBytes = data.length < ID_AT ? -1 : data.readInt32BE(1)
  if (idBytes < 0 || ID_AT + idBytes > data.length) {
    throw new HBaseError('CORRUPTION', 'A znode ends within its id', { detail: { bytes: data.length } })
  }
  return stripMagic(data.subarray(ID_AT + idBytes))
}
