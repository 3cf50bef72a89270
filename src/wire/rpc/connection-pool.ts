/** The connections of a client: one a server and service, opened when it is first asked for and shared by all calls. */

import {
  type CallOptions,
  connect,
  type RpcConnection,
  type RpcConnectionOptions,
  type RpcResponse,
} from './rpc-connection.ts'
import { RpcError } from './rpc-error.ts'
import type { RpcMethod } from './rpc-method.ts'

export interface ServerAddress {
  readonly host: string
  readonly port: number
}

export type ConnectionPoolOptions = Omit<RpcConnectionOptions, 'host' | 'port' | 'service'>

export class ConnectionPool {
  readonly #options: ConnectionPoolOptions
  readonly #connections = new Map<string, RpcConnection>()
  #closed = false

  constructor(options: ConnectionPoolOptions) {
    this.#options = options
  }

  /** Connections that are open or being opened. */
  get size(): number {
    return this.#connections.size
  }

  /** Calls that are not answered yet, at all servers. */
  get pending(): number {
    let pending = 0
    for (const connection of this.#connections.values()) pending += connection.pending
    return pending
  }

  /** Calls a server over its connection, or a new one where that is closed. Rejects as RpcConnection.call does. */
  call<Request, Response>(
    server: ServerAddress,
    method: RpcMethod<Request, Response>,
    request: Request,
    options?: CallOptions,
  ): Promise<RpcResponse<Response>> {
    if (this.#closed) return Promise.reject(new RpcError('CONNECTION_CLOSED', 'the client is closed'))
    return this.#connection(server, method.service).call(method, request, options)
  }

  /** Ends what goes to one server, for who knows that it is gone. */
  closeServer({ host, port }: ServerAddress): void {
    const prefix = keyOf(host, port, '')
    for (const [key, connection] of this.#connections) if (key.startsWith(prefix)) connection.close()
  }

  /** Fails all calls in flight; later ones fail at once. */
  close(): void {
    this.#closed = true
    for (const connection of this.#connections.values()) connection.close()
  }

  #connection({ host, port }: ServerAddress, service: string): RpcConnection {
    const key = keyOf(host, port, service)
    const known = this.#connections.get(key)
    if (known !== undefined) return known
    const connection = connect({ ...this.#options, host, port, service })
    this.#connections.set(key, connection)
    connection.onClose(() => this.#connections.delete(key))
    return connection
  }
}

function keyOf(host: string, port: number, service: string): string {
  return `${host}:${port}/${service}`
}
