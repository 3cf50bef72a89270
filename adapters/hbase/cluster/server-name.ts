import { HBaseError } from '../../../src/model/errors.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { ServerName as ServerNameMessage } from '../../../src/wire/rpc/gen/hbase_pb.ts'

/** Throws UNAVAILABLE where there is none. `whose` is for the message. */
export function serverNameOf(message: ServerNameMessage | undefined, whose: string): ServerName {
  if (message === undefined || message.hostName === '') {
    throw new HBaseError('UNAVAILABLE', `No server has ${whose} at the moment`)
  }
  return { host: message.hostName, port: message.port, startCode: Number(message.startCode) }
}
