/** One connection to one service of one server: calls are sent side by side and answered in any order. */

import type { CellBlock } from '../../../src/model/cell-block.ts'
import type { CellBlockCompressor } from '../../../src/wire/rpc/cell-block-compressor.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Callers } from './caller-watch.ts'
import type { RpcError } from './rpc-error.ts'
import type { RpcLimits } from './rpc-limits.ts'
import { openRpcSocket } from './rpc-socket.ts'

export interface RpcConnectionOptions {
  readonly host: string
  readonly port: number
  /** `ClientService`, `AdminService`, `MasterService`, `ClientMetaService`. */
  readonly service: string
  /** User name sent to the server: SIMPLE authentication. */
  readonly user: string
  /** How cell blocks are compressed, both ways. HBase: hbase.client.rpc.compressor. */
  readonly compressor?: CellBlockCompressor | undefined
  readonly limits?: Partial<RpcLimits>
  /** Ends the attempt to connect, or the connection. */
  readonly signal?: AbortSignal | undefined
}

export interface CallOptions {
  /** Cells that belong to the request, one after the other. Copied before `call` returns. */
  readonly cells?: readonly CellBlock[]
  /** Milliseconds for the answer, to within some ten; the server too gives the call up then. */
  readonly timeoutMs?: number
  /** A class of HBase's call queues: HConstants.HIGH_QOS 200 for system tables, ADMIN_QOS 100. */
  readonly priority?: number | undefined
  /** Who waits for the answer: once nobody does any more the call is cancelled. */
  readonly signal?: Callers
}

export interface RpcResponse<Message> {
  readonly message: Message
  /**
   * What the response carries behind its message, as it was received, checked to be whole cells; EMPTY where there is
   * nothing. It may share its memory with other responses: copy what is kept for long.
   */
  readonly cells: CellBlock
  readonly cellCount: number
  /**
   * Who has read the cells and will not look at them again may say so, once: their memory serves another response then.
   * Undefined where others have a part in it.
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
  /** Runs `work`, which must not throw, at the end of this turn of the event loop: its calls go out with those of the turn. */
  beforeSending(work: () => void): void
  /** Calls that are not answered yet. */
  readonly pending: number
  /** Why it is closed; undefined while it is open. */
  readonly closedBy: RpcError | undefined
  /** Once, when it closes for whatever reason. */
  onClose(listener: (reason: RpcError) => void): void
  /** Fails what is in flight. Safe to call twice. */
  close(): void
}

/**
 * Resolves once the server has taken the connection; rejects with an RpcError. It does not reconnect: who finds it closed
 * connects again.
 */
export function connect(options: RpcConnectionOptions): Promise<RpcConnection> {
  return openRpcSocket(options)
}
