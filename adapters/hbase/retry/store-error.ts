/** Failures of the cluster and of its connections as HBaseError, the one error that a store throws. */

import { ERROR_CODES, ERROR_TRAITS, type ErrorCode, HBaseError } from '../../../src/model/errors.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { RpcError, type RpcErrorCode } from '../rpc/rpc-error.ts'
import { finalCause } from './final-exceptions.ts'
import { FinalFailure } from './final-failure.ts'
import { JAVA_CLASS } from './java-exceptions.ts'

const CODE_OF_RPC_ERROR: Readonly<Record<RpcErrorCode, ErrorCode>> = {
  CONNECT_FAILED: 'UNAVAILABLE',
  CONNECTION_CLOSED: 'UNAVAILABLE',
  NO_WORD: 'UNAVAILABLE',
  UNTRUSTED: 'UNAVAILABLE',
  LOGIN_FAILED: 'UNAVAILABLE',
  LOGIN_REFUSED: 'UNAVAILABLE',
  USER_REFUSED: 'ACCESS_DENIED',
  CALL_TIMEOUT: 'TIMEOUT',
  CALL_CANCELLED: 'CALLER_GONE',
  OVERLOADED: 'OVERLOADED',
  REQUEST_TOO_LARGE: 'TOO_LARGE',
  BAD_RESPONSE: 'IO',
}

/** Java classes that share a code with another class because they mean the same to a client. */
const CODE_OF_KIN: ReadonlyMap<string, ErrorCode> = new Map([
  [JAVA_CLASS.regionMoved, 'NOT_SERVING_REGION'],
  [JAVA_CLASS.regionOpening, 'NOT_SERVING_REGION'],
  [JAVA_CLASS.regionOffline, 'NOT_SERVING_REGION'],
  [JAVA_CLASS.retryImmediately, 'REGION_TOO_BUSY'],
  [JAVA_CLASS.multiActionResultTooLarge, 'REGION_TOO_BUSY'],
  [JAVA_CLASS.callQueueTooBig, 'OVERLOADED'],
  [JAVA_CLASS.callDropped, 'OVERLOADED'],
  [JAVA_CLASS.regionServerAborted, 'UNAVAILABLE'],
  [JAVA_CLASS.serverNotRunningYet, 'UNAVAILABLE'],
  [JAVA_CLASS.masterNotRunning, 'UNAVAILABLE'],
  [JAVA_CLASS.masterStopped, 'UNAVAILABLE'],
  [JAVA_CLASS.pleaseHold, 'UNAVAILABLE'],
  [JAVA_CLASS.lease, 'UNKNOWN_SCANNER'],
  [JAVA_CLASS.wrongRegion, 'NOT_SERVING_REGION'],
  [JAVA_CLASS.callTimeout, 'TIMEOUT'],
  [JAVA_CLASS.socketTimeout, 'TIMEOUT'],
])

/** The first of two codes with one class counts: TOO_LARGE and DO_NOT_RETRY share a class, and so do REFUSED and IO. */
const CODE_OF_CLASS: ReadonlyMap<string, ErrorCode> = new Map([
  ...ERROR_CODES.toReversed().map((code) => [ERROR_TRAITS[code].javaClass, code] as const),
  ...CODE_OF_KIN,
])

/** The failure as an HBaseError, with HBase's message and the class that the server named. Throws any other error as it is. */
export function storeError(error: unknown): HBaseError {
  if (error instanceof HBaseError) return error
  if (error instanceof FinalFailure) return error.error
  if (error instanceof RemoteException) return remoteError(error)
  if (error instanceof RpcError) {
    return new HBaseError(CODE_OF_RPC_ERROR[error.code], error.message, { cause: error })
  }
  throw error
}

function remoteError(error: RemoteException): HBaseError {
  const { javaClass } = error
  const cause = finalCause(error)
  // A client would retry the server's IOException. HBase turns a LinkageError into a DoNotRetryIOException for that reason: RpcServer.call.
  if (cause?.wrapped !== undefined)
    return new HBaseError('DO_NOT_RETRY', cause.wrapped, {
      detail: { javaClass: cause.javaClass },
      cause: error,
    })
  const code = CODE_OF_CLASS.get(javaClass) ?? (cause === undefined ? 'IO' : 'DO_NOT_RETRY')
  return new HBaseError(code, error.message, { detail: { javaClass }, cause: error, javaClass })
}
