/** What a failed attempt means: whether another may succeed, after what pause, and what is to be looked up anew before it. */

import { HBaseError } from '../../../src/model/errors.ts'
import { RemoteException } from '../../../src/wire/rpc/remote-exception.ts'
import { RpcError, type RpcErrorCode } from '../rpc/rpc-error.ts'
import { FinalFailure } from './final-failure.ts'
import { isDoNotRetry, JAVA_CLASS } from './java-exceptions.ts'

export type FailureKind =
  /** No attempt can succeed. */
  | 'final'
  /** The server has the region, but takes nothing for the moment. */
  | 'busy'
  /** As busy, and the server asks for a longer pause. */
  | 'overloaded'
  /** The region is not there, or not yet; its table may be disabled. */
  | 'not-serving'
  /** There is no such server any more, or none that can be reached. */
  | 'server-gone'
  /** Something else went wrong, with the region's location perhaps. */
  | 'unclear'

export interface Failure {
  readonly kind: FailureKind
  /** The server's word on how long to wait; undefined where the back-off table decides. */
  readonly waitMs?: number
}

const KIND_OF_RPC_ERROR: Readonly<Record<RpcErrorCode, FailureKind>> = {
  CONNECT_FAILED: 'server-gone',
  CONNECTION_CLOSED: 'server-gone',
  CALL_TIMEOUT: 'unclear',
  CALL_CANCELLED: 'final',
  // What waits for a server that does not read is bounded: the client is the one who has to come again.
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

/** HBase: DoNotRetryIOException, ClientExceptionsUtil. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RemoteException) return failureOfRemote(error)
  if (error instanceof RpcError) return { kind: KIND_OF_RPC_ERROR[error.code] }
  if (error instanceof FinalFailure || !(error instanceof HBaseError)) return { kind: 'final' }
  if (error.code === 'NOT_SERVING_REGION') return { kind: 'not-serving' }
  if (error.code === 'REGION_TOO_BUSY') return { kind: 'busy' }
  return { kind: RETRYABLE_HERE.has(error.code) ? 'unclear' : 'final' }
}

function failureOfRemote(error: RemoteException): Failure {
  const kind = KIND_OF_CLASS.get(error.javaClass)
  if (kind !== undefined) {
    const waitMs = error.javaClass === JAVA_CLASS.rpcThrottling ? throttledMs(error.message) : undefined
    if (waitMs !== undefined) return { kind, waitMs }
    return { kind: error.serverOverloaded ? 'overloaded' : kind }
  }
  if (error.doNotRetry || isDoNotRetry(error.javaClass) || isFault(error.javaClass)) return { kind: 'final' }
  return { kind: error.serverOverloaded ? 'overloaded' : 'unclear' }
}

/** A server that stumbles over what it was asked will do so again. HBase's client tries it all the same. */
function isFault(javaClass: string): boolean {
  return /^java\.lang\.\w+Exception$/.test(javaClass) && !javaClass.endsWith('.InterruptedException')
}

/** From `... - wait 1mins, 2sec, 300ms`. HBase: RpcThrottlingException. */
function throttledMs(message: string): number | undefined {
  const match = /- wait (?:(\d+)hrs, )?(?:(\d+)mins, )?(?:(\d+)sec, )?(\d+)ms$/.exec(message)
  if (match === null) return undefined
  const [hours, minutes, seconds, millis] = match.slice(1).map((digits) => Number(digits ?? 0))
  return ((hours! * 60 + minutes!) * 60 + seconds!) * 1000 + millis!
}
