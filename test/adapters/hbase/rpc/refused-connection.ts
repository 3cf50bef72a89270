import { MessageWriter } from '../../../../src/wire/rpc/message-writer.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { writeExceptionResponse } from '../../../../src/wire/rpc/response-frame.ts'

export const ACCESS_DENIED = 'org.apache.hadoop.hbase.security.AccessDeniedException'

/** The message by which a server of HBase refuses a whole connection. */
export function refusal(javaClass: string, message: string): Buffer {
  const writer = new MessageWriter()
  const stackTrace = `${javaClass}: ${message}`
  writeExceptionResponse(
    writer,
    0xffffffff,
    new RemoteException({ javaClass, stackTrace, doNotRetry: false }),
  )
  return Buffer.from(writer.take())
}
