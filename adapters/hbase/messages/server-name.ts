import { HBaseError } from '../../../src/model/errors.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { ServerName as ServerNameMessage } from '../../../src/wire/rpc/gen/hbase_pb.ts'

/** The server that the message names. Throws UNAVAILABLE where it names none; `part` is for that error, as `the master`. */
export function presentServer(message: ServerNameMessage | undefined, part: string): ServerName {
  if (message === undefined || message.hostName === '') {
    throw new HBaseError('UNAVAILABLE', `No server has ${part} at the moment`)
  }
  return serverNameFromMessage(message)
}

export function serverNameFromMessage({ hostName, port, startCode }: ServerNameMessage): ServerName {
  return { host: hostName, port, startCode: Number(startCode) }
}
