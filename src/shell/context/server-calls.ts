/** Calls of a cluster's servers beside the seam, for data that only HBase's own servers have, such as procedures and peers. */

import type { ServerName } from '../../model/server-name.ts'
import type { Call } from '../../store/call.ts'
import type { RpcMethod } from '../../wire/rpc/rpc-method.ts'

/** A repeated request with the same nonce finds the procedure that the first one began. */
export interface Nonce {
  readonly nonceGroup: bigint
  readonly nonce: bigint
}

/** `operation` is for messages, as `list of peers`. All methods throw HBaseErrors. */
export interface ServerCalls {
  askMaster<Request, Response>(
    operation: string,
    method: RpcMethod<Request, Response>,
    request: Request,
    call: Call,
  ): Promise<Response>
  /** Resolves when the procedure that the answer names has ended. */
  changeByMaster<Request>(
    operation: string,
    method: RpcMethod<Request, { readonly procId: bigint }>,
    request: (nonce: Nonce) => Request,
    call: Call,
  ): Promise<void>
  askHbck<Request, Response>(
    operation: string,
    method: RpcMethod<Request, Response>,
    request: Request,
    call: Call,
  ): Promise<Response>
  askServer<Request, Response>(
    server: ServerName,
    operation: string,
    method: RpcMethod<Request, Response>,
    request: Request,
    call: Call,
  ): Promise<Response>
}
