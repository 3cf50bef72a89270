/**
 * One connection to each service of each server, opened on first use and again after it has ended. After a failure to
 * connect, requests of that server fail at once for a moment, so that they look elsewhere.
 * HBase: hbase.ipc.client.failed.servers.expiry.
 */

import type { SpanRecorder } from '../../../src/store/span-recorder.ts'
import type { Time } from '../retry/time.ts'
import { within } from '../retry/within.ts'
import { connect, type RpcConnection, type RpcConnectionOptions } from '../rpc/rpc-connection.ts'
import { RpcError } from '../rpc/rpc-error.ts'
import { addressText, type ServerAddress } from './cluster-address.ts'
import { type CallCounts, CountedConnection } from './counted-connection.ts'
import { TracedConnection } from './traced-connection.ts'

export type ServiceName =
  | 'ClientService'
  | 'AdminService'
  | 'MasterService'
  | 'HbckService'
  | 'ClientMetaService'

export type Connect = (options: RpcConnectionOptions) => Promise<RpcConnection>

export interface ServerConnectionsConfig {
  readonly time: Time
  /** Options of every connection. */
  readonly options: Omit<RpcConnectionOptions, 'host' | 'port' | 'service'>
  /** Milliseconds before the next attempt at an unreachable server. */
  readonly failedServerMs?: number
  /** Undefined: calls are not counted. */
  readonly calls?: CallCounts
  /** Undefined: nobody traces. */
  readonly spans?: SpanRecorder | undefined
  /** Replaced in tests. */
  readonly connect?: Connect
}

interface FailedServer {
  readonly until: number
  readonly reason: RpcError
}

const FAILED_SERVER_MS = 2_000

export class ServerConnections {
  readonly #config: ServerConnectionsConfig
  readonly #connect: Connect
  readonly #open = new Map<string, RpcConnection>()
  readonly #opening = new Map<string, Promise<RpcConnection>>()
  readonly #failed = new Map<string, FailedServer>()
  #closed = false

  constructor(config: ServerConnectionsConfig) {
    this.#config = config
    this.#connect = config.connect ?? connect
  }

  /** Connections that are open. */
  get size(): number {
    return this.#open.size
  }

  /** The connection if it is open: most calls find it here, without a promise. */
  opened(server: ServerAddress, service: ServiceName): RpcConnection | undefined {
    const connection = this.#open.get(connectionKey(server, service))
    return connection?.closedBy === undefined ? connection : undefined
  }

  /** Throws RpcError, or TIMEOUT at the deadline. */
  async get(server: ServerAddress, service: ServiceName, deadline: number): Promise<RpcConnection> {
    const connection = this.opened(server, service)
    if (connection !== undefined) return connection
    const what = `a connection to ${addressText(server)}`
    return within(this.#config.time, deadline, what, this.#opened(server, service))
  }

  /** Fails all calls under way, and later ones. */
  close(): void {
    this.#closed = true
    for (const connection of this.#open.values()) connection.close()
    this.#open.clear()
  }

  #opened(server: ServerAddress, service: ServiceName): Promise<RpcConnection> {
    const key = connectionKey(server, service)
    const current = this.#opening.get(key)
    if (current !== undefined) return current
    const opening = this.#openNew(server, service).finally(() => this.#opening.delete(key))
    this.#opening.set(key, opening)
    return opening
  }

  async #openNew(server: ServerAddress, service: ServiceName): Promise<RpcConnection> {
    if (this.#closed) throw new RpcError('CONNECTION_CLOSED', 'The store is closed')
    this.#refuseFailed(server)
    const { host, port } = server
    let connection: RpcConnection
    try {
      connection = await this.#connect({ ...this.#config.options, host, port, service })
    } catch (error) {
      if (error instanceof RpcError && error.code === 'CONNECT_FAILED') this.#markFailed(server, error)
      throw error
    }
    const { calls, spans } = this.#config
    if (calls !== undefined) connection = new CountedConnection(connection, calls)
    if (spans !== undefined) connection = new TracedConnection(connection, spans, { host, port, service })
    if (this.#closed) connection.close()
    else this.#keep(connectionKey(server, service), connection)
    return connection
  }

  #keep(key: string, connection: RpcConnection): void {
    this.#open.set(key, connection)
    connection.onClose(() => {
      if (this.#open.get(key) === connection) this.#open.delete(key)
    })
  }

  #refuseFailed(server: ServerAddress): void {
    const key = addressText(server)
    const failed = this.#failed.get(key)
    if (failed === undefined) return
    if (failed.until > this.#config.time.now()) {
      const { message } = failed.reason
      throw new RpcError('CONNECT_FAILED', `${message} (a moment ago)`, { cause: failed.reason })
    }
    this.#failed.delete(key)
  }

  #markFailed(server: ServerAddress, reason: RpcError): void {
    const until = this.#config.time.now() + (this.#config.failedServerMs ?? FAILED_SERVER_MS)
    this.#failed.set(addressText(server), { until, reason })
  }
}

/** Every call needs a key: each is built once per server. */
const keys = new WeakMap<ServerAddress, Map<ServiceName, string>>()

function connectionKey(server: ServerAddress, service: ServiceName): string {
  let ofServer = keys.get(server)
  if (ofServer === undefined) {
    ofServer = new Map()
    keys.set(server, ofServer)
  }
  let key = ofServer.get(service)
  if (key === undefined) {
    key = `${service}@${server.host}:${server.port}`
    ofServer.set(service, key)
  }
  return key
}
