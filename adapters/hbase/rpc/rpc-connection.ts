/** One connection to one service of one server. Calls run in parallel, and their answers come in any order. */

import type { CellBlock } from '../../../src/model/cell-block.ts'
import type { CellBlockCompressor } from '../../../src/wire/rpc/cell-block-compressor.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { ClusterKerberos } from '../config/cluster-kerberos.ts'
import type { Callers } from './caller-watch.ts'
import type { TlsTrust } from './open-socket.ts'
import { RpcError } from './rpc-error.ts'
import type { RpcLimits } from './rpc-limits.ts'
import { openRpcSocket } from './rpc-socket.ts'
import { isPrincipalUnknown } from './server-principal.ts'

export interface RpcConnectionOptions {
  readonly host: string
  readonly port: number
  /** `ClientService`, `AdminService`, `MasterService`, `ClientMetaService`. */
  readonly service: string
  /** User name sent to the server. Without a login the server trusts it; one that differs from the name of the login must be passed on. */
  readonly user: string
  /** The user that acts for `user`, for which the server must have a rule; undefined: no other user acts. */
  readonly realUser?: string | undefined
  /** True: the user is a client's. The server's refusal of this user is then an answer to the client, not a failure of the server. */
  readonly isPassed?: boolean
  /** The user's password; undefined: the server trusts the name. */
  readonly password?: string | undefined
  /** Undefined: no login by Kerberos. */
  readonly kerberos?: ConnectionKerberos | undefined
  /** Undefined: the connection is not encrypted. */
  readonly tls?: TlsTrust | undefined
  /** True: an operator waits, so a server that ends the connection without an answer gets no second attempt. */
  readonly isImpatient?: boolean
  /** True: cells carry their tags in both directions. A server sends tags only to users that it trusts with them. */
  readonly withTags?: boolean
  /** Compresses cell blocks in both directions. HBase: hbase.client.rpc.compressor. */
  readonly compressor?: CellBlockCompressor | undefined
  readonly limits?: Partial<RpcLimits>
  /** Aborting ends the attempt to connect, or the connection. */
  readonly signal?: AbortSignal | undefined
}

export interface ConnectionKerberos
  extends Pick<ClusterKerberos, 'login' | 'protections' | 'mayFallBack' | 'asksForAes'> {
  /** The principals that the server may have, at least one, with its host: `hbase/rs1.example.org@REALM`. Where there are several, the server is asked. */
  readonly principals: readonly string[]
}

export interface CallOptions {
  /** Cells of the request, in order. Copied before `call` returns. */
  readonly cells?: readonly CellBlock[]
  /** Milliseconds for the answer, exact to about ten. The server drops the call after them too. */
  readonly timeoutMs?: number
  /** A class of HBase's call queues: HConstants.HIGH_QOS 200 for system tables, ADMIN_QOS 100. */
  readonly priority?: number | undefined
  /** The callers that wait for the answer. When all have hung up, the call is cancelled. */
  readonly signal?: Callers
  /** As `Call.trace`, which HBase's servers continue. Undefined: the call is not traced. */
  readonly trace?: string | undefined
}

export interface RpcResponse<Message> {
  readonly message: Message
  /**
   * The received cell block, checked to be whole cells; EMPTY where there is none. It may share its memory with other
   * responses: copy cells to keep them for long.
   */
  readonly cells: CellBlock
  readonly cellCount: number
  /**
   * Returns the memory of the cells to the connection, for reuse. A reader may call it once, when it needs the cells no more.
   * Undefined where other responses share the memory.
   */
  readonly release?: (() => void) | undefined
}

export interface RpcConnection {
  /** Rejects with a RemoteException (the server's answer) or an RpcError (none came). */
  call<Request, Response>(
    method: RpcMethod<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): Promise<RpcResponse<Response>>
  /** Runs `work`, which must not throw, at the end of this turn of the event loop; its calls go out with the turn's. */
  beforeSending(work: () => void): void
  /** The number of unanswered calls. */
  readonly pending: number
  /** The reason why the connection is closed; undefined while it is open. */
  readonly closedBy: RpcError | undefined
  /** Calls `listener` once, when the connection closes for any reason. */
  onClose(listener: (reason: RpcError) => void): void
  /** Fails the calls in flight. Safe to call twice. */
  close(): void
}

/**
 * Opens a connection. Resolves once the server has accepted it; rejects with an RpcError. A closed connection does not
 * reconnect.
 */
export async function connect(options: RpcConnectionOptions): Promise<RpcConnection> {
  try {
    return await openRpcSocket(options)
  } catch (error) {
    const { kerberos } = options
    if (kerberos === undefined || !(error instanceof RpcError) || !isPrincipalUnknown(error)) throw error
    return await connectByTrying(options, kerberos)
  }
}

/** Connects to a server that cannot be asked for its principal. HBase takes one at random. */
async function connectByTrying(
  options: RpcConnectionOptions,
  kerberos: ConnectionKerberos,
): Promise<RpcConnection> {
  const failures: unknown[] = []
  for (const principal of kerberos.principals) {
    try {
      return await openRpcSocket({ ...options, kerberos: { ...kerberos, principals: [principal] } })
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures[0]
}
