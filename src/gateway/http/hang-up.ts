/** Recognises a client that hung up by the errors of Node's streams. */

import { HBaseError } from '../../model/errors.ts'

const CODES: ReadonlySet<unknown> = new Set([
  'ECONNRESET',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_PREMATURE_CLOSE',
])

export function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CODES.has(error.code)
}

export function callerGone(cause: unknown): HBaseError {
  return new HBaseError('CALLER_GONE', 'the client has hung up', { cause })
}
