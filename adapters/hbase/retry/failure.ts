/** Classifies a failed attempt: whether another may succeed, after which pause, and which location to forget before it. */

import { HBaseError } from '../../../src/model/errors.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { RpcError, type RpcErrorCode } from '../rpc/rpc-error.ts'
import { finalCause } from './final-exceptions.ts'
import { FinalFailure } from './final-failure.ts'
import { JAVA_CLASS } from './java-exceptions.ts'

export type FailureKind =
  /** No attempt can succeed. */
  | 'final'
  /** The server has the region, but accepts no requests for the moment. */
  | 'busy'
  /** A failure like `busy`, but the server asks for a longer pause. */
  | 'overloaded'
  /** The server does not have the region, or not yet; its table may be disabled. */
  | 'not-serving'
  /** The server has stopped or cannot be reached. */
  | 'server-gone'
  /** Something else failed, perhaps because the region's location is wrong. */
  | 'unclear'

export interface Failure {
  readonly kind: FailureKind
  /** The pause that the server asks for; undefined where the back-off table decides. */
  readonly waitMs?: number
}

const KIND_OF_RPC_ERROR: Readonly<Record<RpcErrorCode, FailureKind>> = {
  CONNECT_FAILED: 'server-gone',
  CONNECTION_CLOSED: 'server-gone',
  NO_WORD: 'final',
  UNTRUSTED: 'final',
  LOGIN_FAILED: 'server-gone',
  LOGIN_REFUSED: 'final',
  USER_REFUSED: 'final',
  CALL_TIMEOUT: 'unclear',
  CALL_CANCELLED: 'final',
  // The queue for a server that does not read is bounded: the client must retry.
  OVERLOADED: 'final',
  REQUEST_TOO_LARGE: 'final',
  BAD_RESPONSE: 'final',
}

const KIND_OF_CLASS: ReadonlyMap<string, FailureKind> = new Map([
  [JAVA_CLASS.notServingRegion, 'not-serving'],
  [JAVA_CLASS.regionMoved, 'not-serving'],
  [JAVA_CLASS.regionOpening, 'not-serving'],
  [JAVA_CLASS.regionOffline, 'not-serving'],
  [JAVA_CLASS.regionTooBusy, 'busy'],
  [JAVA_CLASS.retryImmediately, 'busy'],
  [JAVA_CLASS.multiActionResultTooLarge, 'busy'],
  [JAVA_CLASS.rpcThrottling, 'busy'],
  [JAVA_CLASS.callQueueTooBig, 'overloaded'],
  [JAVA_CLASS.callDropped, 'overloaded'],
  [JAVA_CLASS.regionServerStopped, 'server-gone'],
  [JAVA_CLASS.regionServerAborted, 'server-gone'],
  [JAVA_CLASS.serverNotRunningYet, 'server-gone'],
  [JAVA_CLASS.masterNotRunning, 'server-gone'],
  [JAVA_CLASS.masterStopped, 'server-gone'],
])

const RETRYABLE_HERE: ReadonlySet<string> = new Set(['UNAVAILABLE', 'TIMEOUT', 'IO'])

/** The kind of a failed attempt. HBase: DoNotRetryIOException, ClientExceptionsUtil. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RemoteException) return failureOfRemote(error)
  if (error instanceof RpcError) return { kind: KIND_OF_RPC_ERROR[error.code] }
  if (error instanceof FinalFailure || !(error instanceof HBaseError)) return { kind: 'final' }
  if (error.code === 'NOT_SERVING_REGION') return { kind: 'not-serving' }
  if (error.code === 'REGION_TOO_BUSY') return { kind: 'busy' }
  if (error.code === 'OVERLOADED') return { kind: 'overloaded' }
  return { kind: RETRYABLE_HERE.has(error.code) ? 'unclear' : 'final' }
}

function failureOfRemote(error: RemoteException): Failure {
  const kind = KIND_OF_CLASS.get(error.javaClass)
  if (kind !== undefined) {
    const waitMs = error.javaClass === JAVA_CLASS.rpcThrottling ? throttledMs(error.message) : undefined
    if (waitMs !== undefined) return { kind, waitMs }
    return { kind: error.serverOverloaded ? 'overloaded' : kind }
  }
  if (finalCause(error) !== undefined) return { kind: 'final' }
  return { kind: error.serverOverloaded ? 'overloaded' : 'unclear' }
}

/** The pause that a message such as `... - wait 1mins, 2sec, 300ms` asks for, in milliseconds. HBase: RpcThrottlingException. */
function throttledMs(message: string): number | undefined {
  const match = /- wait (?:(\d+)hrs, )?(?:(\d+)mins, )?(?:(\d+)sec, )?(\d+)ms$/.exec(message)
  if (match === null) return undefined
  const [hours, minutes, seconds, millis] = match.slice(1).map((digits) => Number(digits ?? 0))
  return ((hours! * 60 + minutes!) * 60 + seconds!) * 1000 + millis!
}
