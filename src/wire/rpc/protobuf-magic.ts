/** The four bytes before protobuf that HBase keeps in ZooKeeper, in hbase:meta and on disk. HBase: ProtobufMagic. */

import { HBaseError } from '../../model/errors.ts'

export const PROTOBUF_MAGIC: Buffer = Buffer.from('PBUF')

/** The protobuf behind the magic. Throws CORRUPTION where the magic is missing. */
export function stripMagic(bytes: Buffer): Buffer {
  const start = bytes.subarray(0, PROTOBUF_MAGIC.length)
  if (start.equals(PROTOBUF_MAGIC)) return bytes.subarray(PROTOBUF_MAGIC.length)
  throw new HBaseError('CORRUPTION', 'Protobuf must begin with PBUF here', {
    detail: { found: start.toString('hex') },
  })
}
