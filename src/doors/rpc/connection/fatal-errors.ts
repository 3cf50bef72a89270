/** Errors that end a connection, and refusals of too large frames. */

import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { FrameTooLarge } from '../../../wire/rpc/frame-too-large.ts'
import type { ClientRelease } from '../contract/client-release.ts'
import type { CallsContext } from './calls.ts'

const REQUEST_TOO_BIG = 'org.apache.hadoop.hbase.exceptions.RequestTooBigException'

/** The answer to a call whose frame is too large. HBase ends the connection behind it: NettyRpcFrameDecoder.handleTooBigRequest. */
export function requestTooBig({ message }: FrameTooLarge, { knowsTooBig }: ClientRelease): HBaseError {
  return new HBaseError('TOO_LARGE', message, { javaClass: knowsTooBig ? REQUEST_TOO_BIG : undefined })
}

/** Counts and logs an error that ends a connection. `remote`: address of the client. */
export function reportFatal(
  { counters, failures }: Pick<CallsContext, 'counters' | 'failures'>,
  error: unknown,
  remote: string | undefined,
): void {
  if (isHBaseError(error)) {
    failures.failed(error, { action: 'closing' })
    return
  }
  counters.malformed()
  const { name, message } = error instanceof Error ? error : new Error(String(error))
  failures.malformed(name, `native RPC: closing a connection: ${message}`, { remote })
}
