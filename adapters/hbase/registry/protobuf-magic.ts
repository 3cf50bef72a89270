/** The four bytes before protobuf that HBase keeps in ZooKeeper, in hbase:meta and on disk. HBase: ProtobufMagic. */

import { HBaseError } from '../../../src/model/errors.ts'

const MAGIC = Buffer.from('PBUF')

/** What follows them. Throws CORRUPTION where they are not there. */
export function stripMagic(bytes: Buffer): Buffer {
  if (bytes.subarray(0, MAGIC.length).equals(MAGIC)) return bytes.subarray(MAGIC.length)
  throw new HBaseError('CORRUPTION', 'Protobuf must begin with PBUF here', {
    detail: { found: bytes.subarray(0, MAGIC.length).toString('hex') },
  })
}
