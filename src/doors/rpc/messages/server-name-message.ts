import type { MessageInitShape } from '@bufbuild/protobuf'
import type { ServerName } from '../../../model/server-name.ts'
import type { ServerNameSchema } from '../../../wire/rpc/gen/hbase_pb.ts'

export function serverNameMessage({
  host,
  port,
  startCode,
}: ServerName): MessageInitShape<typeof ServerNameSchema> {
  return { hostName: host, port, startCode: BigInt(startCode) }
}
