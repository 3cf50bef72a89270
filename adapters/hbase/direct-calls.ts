/** Calls of the cluster's servers that no facet of a store has, for administrators' tools. */

import type { ServerName } from '../../src/model/server-name.ts'
import type { Call } from '../../src/store/call.ts'
import type { RpcMethod } from '../../src/wire/rpc/rpc-method.ts'
import type { Master, ProcedureNonce } from './admin/master.ts'
import type { Cluster } from './cluster/cluster.ts'
import type { Attempt } from './retry/retrier.ts'
import type { RpcConnection } from './rpc/rpc-connection.ts'

/** Calls of the master and of region servers. `operation` is for messages, as `list of peers`. All methods throw HBaseErrors. */
export class DirectCalls {
  readonly #cluster: Cluster
  readonly #master: Master

  constructor(cluster: Cluster, master: Master) {
    this.#cluster = cluster
    this.#master = master
  }

  askMaster<Request, Response>(
    operation: string,
    method: RpcMethod<Request, Response>,
    request: Request,
    call: Call,
  ): Promise<Response> {
    return this.#master.ask(operation, method, request, call)
  }

  /** Resolves when the procedure that the answer names has ended. */
  changeByMaster<Request>(
    operation: string,
    method: RpcMethod<Request, { readonly procId: bigint }>,
    request: (nonce: ProcedureNonce) => Request,
    call: Call,
  ): Promise<void> {
    return this.#master.change(operation, method, call, request)
  }

  /** Asks the master's HbckService. */
  askHbck<Request, Response>(
    operation: string,
    method: RpcMethod<Request, Response>,
    request: Request,
    call: Call,
  ): Promise<Response> {
    const asking = async (connection: RpcConnection, attempt: Attempt): Promise<Response> =>
      (await connection.call(method, request, attempt)).message
    return this.#cluster.onMaster(operation, call, asking, 'HbckService')
  }

  /** Asks a region server's AdminService. */
  askServer<Request, Response>(
    server: ServerName,
    operation: string,
    method: RpcMethod<Request, Response>,
    request: Request,
    call: Call,
  ): Promise<Response> {
    const { retrier, connections } = this.#cluster
    return retrier.retrying(operation, call, async (attempt) => {
      const connection = await connections.get(server, 'AdminService', attempt.deadline, call)
      return (await connection.call(method, request, attempt)).message
    })
  }
}
