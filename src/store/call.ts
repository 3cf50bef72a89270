/** The call that every request carries: its user, its deadline, and whether the client still waits. */

import { HBaseError } from '../model/errors.ts'
import type { HeldMemory } from './request-memory.ts'

/** The proof that a user has logged in by. `TOKEN`: a delegation token of HBase. HBase: UserGroupInformation.AuthenticationMethod, but for passwords and JWT. */
export type LoginMethod = 'KERBEROS' | 'TOKEN' | 'PASSWORD' | 'JWT' | 'CERTIFICATE'

export interface Principal {
  /** The user whose rights count. */
  readonly user: string
  /** The user that has logged in, and acts for `user`; undefined: `user` has logged in. */
  readonly realUser?: string | undefined
  /** The login of `realUser`, or of `user` where there is none; undefined: the user has proved nothing. */
  readonly method?: LoginMethod | undefined
}

export interface Call {
  /** Undefined where the client has not named its user. */
  readonly principal: Principal | undefined
  /** The client's address and port, for logs; undefined for Tidegate's own calls. */
  readonly client: string | undefined
  /** The address that the client connects from, undefined for Tidegate's own calls. */
  readonly address: string | undefined
  /** Milliseconds since 1970 after which the client no longer waits for the answer; Infinity: the client states none. */
  readonly deadline: number
  /**
   * Aborted once the client has hung up. The signal stays on the caller's side: between threads a message says that it was
   * aborted.
   */
  readonly signal: AbortSignal | undefined
  /** A W3C trace context, as the client sent it. */
  readonly trace: string | undefined
  /** HBase: HConstants.NORMAL_QOS 0, ADMIN_QOS 100, HIGH_QOS 200, by which a server queues calls. */
  readonly priority: number
  /**
   * True: the client sends and reads cells with their tags; each query and change says so, too. A cluster's servers
   * learn it from the codec in the header of a connection.
   */
  readonly withTags: boolean
  /** The memory of its request; undefined: of a small one, or of Tidegate's own calls. It stays on the caller's side. */
  readonly memory?: HeldMemory | undefined
  /** The count of changes of rights before a thread decided about this read: see rights-of-reads.ts. It stays in the thread. */
  readonly rights?: number | undefined
  /** True: Tidegate's own work, which no client sees the answer of. It may do everything. */
  readonly isOwn: boolean
}

/** Tidegate's own calls, which no client can end. */
export const OWN_CALL: Call = {
  principal: undefined,
  client: undefined,
  address: undefined,
  deadline: Number.POSITIVE_INFINITY,
  signal: undefined,
  trace: undefined,
  priority: 0,
  withTags: false,
  isOwn: true,
}

/** The same call for the rest of a change that must not stop halfway, even if the client hangs up. */
export function toTheEnd(call: Call): Call {
  return { ...call, signal: undefined }
}

/** The same call for a question whose answer no client receives. */
export function onOwnBehalf(call: Call): Call {
  return { ...call, isOwn: true }
}

/** Throws CALLER_GONE where the client has hung up, TIMEOUT after the deadline. `now`: milliseconds since 1970. */
export function checkIsAwaited({ signal, deadline }: Call, now: number): void {
  if (signal?.aborted === true) throw new HBaseError('CALLER_GONE', 'the client has hung up')
  if (now >= deadline)
    throw new HBaseError('TIMEOUT', `the call's deadline has passed ${now - deadline} ms ago`)
}
