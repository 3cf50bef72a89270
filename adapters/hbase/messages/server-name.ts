import { HBaseError } from '../../../src/model/errors.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { ServerName as ServerNameMessage } from '../../../src/wire/rpc/gen/hbase_pb.ts'

/** Throws UNAVAILABLE where the message names no server. `whose` is for the error message. */
export function presentServer(message: ServerNameMessage | undefined, whose: string): ServerName {
  if (message === undefined || message.hostName === '') {
    throw new HBaseError('UNAVAILABLE', `No server has ${whose} at the moment`)
  }
  return serverNameFromMessage(message)
}

export function serverNameFromMessage({ hostName, port, startCode }: ServerNameMessage): ServerName {
  return { host: hostName, port, startCode: Number(startCode) }
}
