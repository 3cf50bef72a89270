/**
 * One connection to each service of each server, another for calls whose cells have tags, and the same for each passed user,
 * opened on first use and again after it has ended. After a failure to connect, requests to that server fail at once for two
 * seconds, so that they try another server.
 * HBase: hbase.ipc.client.failed.servers.expiry.
 */

import type { Call } from '../../../src/store/call.ts'
import type { SpanRecorder } from '../../../src/store/span-recorder.ts'
import { addressText, type ServerAddress } from '../config/cluster-address.ts'
import type { ClusterKerberos } from '../config/cluster-kerberos.ts'
import type { Time } from '../retry/time.ts'
import { within } from '../retry/within.ts'
import {
  type ConnectionKerberos,
  connect,
  type RpcConnection,
  type RpcConnectionOptions,
} from '../rpc/rpc-connection.ts'
import { RpcError, type RpcErrorCode } from '../rpc/rpc-error.ts'
import type { CallCounts } from './call-counts.ts'
import { passedUser, type UserPassing } from './passed-user.ts'
import { serverPrincipals } from './server-principals.ts'
import { UserConnections } from './user-connections.ts'
import { WatchedConnection } from './watched-connection.ts'

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
  readonly options: Omit<RpcConnectionOptions, 'host' | 'port' | 'service' | 'kerberos'>
  /** Undefined: connections log in without Kerberos. */
  readonly kerberos?: ClusterKerberos | undefined
  /** Undefined: Tidegate's own user makes every call. */
  readonly passing?: UserPassing | undefined
  /** Milliseconds before the next attempt at an unreachable server. */
  readonly failedServerMs?: number
  /** Undefined: calls are not counted. */
  readonly calls?: CallCounts
  /** Undefined: calls are not traced. */
  readonly spans?: SpanRecorder | undefined
  /** Replaced in tests. */
  readonly connect?: Connect
}

interface FailedServer {
  readonly until: number
  readonly reason: RpcError
}

const FAILED_SERVER_MS = 2_000
/** A login that failed would fail again, for all connections. HBase: NettyRpcConnection.failInit. */
const SERVER_FAILURES: ReadonlySet<RpcErrorCode> = new Set(['CONNECT_FAILED', 'LOGIN_FAILED'])

export class ServerConnections {
  readonly #config: ServerConnectionsConfig
  readonly #connect: Connect
  readonly #open = new Map<string, RpcConnection>()
  readonly #ofUsers: UserConnections | undefined
  readonly #opening = new Map<string, Promise<RpcConnection>>()
  readonly #failed = new Map<string, FailedServer>()
  #closed = false

  constructor(config: ServerConnectionsConfig) {
    this.#config = config
    this.#connect = config.connect ?? connect
    const { passing, time } = config
    this.#ofUsers = passing && new UserConnections(time, passing.connectionsMax)
  }

  /** The number of open connections. */
  get size(): number {
    return this.#open.size + (this.#ofUsers?.size ?? 0)
  }

  /** The open connection of the call's user, if there is one: most calls find it here, without a promise. Throws ACCESS_DENIED. */
  opened(server: ServerAddress, service: ServiceName, call: Call): RpcConnection | undefined {
    return this.#openedAs(endOf(server, service, call), passedUser(this.#config.passing, call))
  }

  /**
   * The connection of the call's user, opened if necessary. Throws RpcError, TIMEOUT at the deadline, ACCESS_DENIED, and OVERLOADED where users
   * have too many connections.
   */
  async get(
    server: ServerAddress,
    service: ServiceName,
    deadline: number,
    call: Call,
  ): Promise<RpcConnection> {
    const user = passedUser(this.#config.passing, call)
    const end = endOf(server, service, call)
    const connection = this.#openedAs(end, user)
    if (connection !== undefined) return connection
    const what = `a connection to ${addressText(server)}`
    return within(this.#config.time, deadline, what, this.#opened(end, user))
  }

  /** Fails all calls in flight, and later ones. */
  close(): void {
    this.#closed = true
    for (const connection of this.#open.values()) connection.close()
    this.#open.clear()
    this.#ofUsers?.close()
  }

  #openedAs({ key }: ConnectionEnd, user: string | undefined): RpcConnection | undefined {
    if (user !== undefined) return this.#ofUsers?.opened(user, key)
    const connection = this.#open.get(key)
    return connection?.closedBy === undefined ? connection : undefined
  }

  #opened(end: ConnectionEnd, user: string | undefined): Promise<RpcConnection> {
    const openingKey = user === undefined ? end.key : `${end.key} ${user}`
    const current = this.#opening.get(openingKey)
    if (current !== undefined) return current
    const opening = this.#openNew(end, user).finally(() => this.#opening.delete(openingKey))
    this.#opening.set(openingKey, opening)
    return opening
  }

  async #openNew(end: ConnectionEnd, user: string | undefined): Promise<RpcConnection> {
    if (this.#closed) throw new RpcError('CONNECTION_CLOSED', 'The store is closed')
    this.#refuseFailed(end.server)
    if (user === undefined) return this.#kept(await this.#connected(end), end, user)
    this.#ofUsers!.reserve()
    try {
      return this.#kept(await this.#connected(end, user), end, user)
    } finally {
      this.#ofUsers!.release()
    }
  }

  async #connected({ server, service, withTags }: ConnectionEnd, user?: string): Promise<RpcConnection> {
    const { options } = this.#config
    const { host, port } = server
    const kerberos = this.#config.kerberos && (await kerberosAt(this.#config.kerberos, server, service))
    try {
      const connection = await this.#connect({
        ...options,
        host,
        port,
        service,
        ...(kerberos && { kerberos }),
        ...this.#userOf(user),
        ...(withTags && { withTags }),
      })
      return this.#watched(connection, server, service)
    } catch (error) {
      if (error instanceof RpcError && SERVER_FAILURES.has(error.code)) this.#markFailed(server, error)
      throw error
    }
  }

  /**
   * The user in the connection header. With Kerberos the servers know by the login who acts for a passed user, and Tidegate's own user is the principal.
   * HBase: GssSaslClientAuthenticationProvider.getUserInfo.
   */
  #userOf(passed: string | undefined): Partial<Pick<RpcConnectionOptions, 'user' | 'realUser' | 'isPassed'>> {
    const { options, passing, kerberos } = this.#config
    if (passed === undefined) return kerberos === undefined ? {} : { user: kerberos.login.principal }
    const isProxied = passing?.as === 'proxy' && kerberos === undefined
    return { user: passed, isPassed: true, ...(isProxied && { realUser: options.user }) }
  }

  #watched(connection: RpcConnection, { host, port }: ServerAddress, service: ServiceName): RpcConnection {
    const { calls, spans } = this.#config
    if (calls === undefined && spans === undefined) return connection
    return new WatchedConnection(connection, { host, port, service }, { calls, spans })
  }

  #kept(connection: RpcConnection, { key }: ConnectionEnd, user: string | undefined): RpcConnection {
    if (this.#closed) connection.close()
    else if (user === undefined) this.#keep(key, connection)
    else this.#ofUsers!.keep(user, key, connection)
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
      const { code, message } = failed.reason
      throw new RpcError(code, `${message} (a moment ago)`, { cause: failed.reason })
    }
    this.#failed.delete(key)
  }

  #markFailed(server: ServerAddress, reason: RpcError): void {
    const until = this.#config.time.now() + (this.#config.failedServerMs ?? FAILED_SERVER_MS)
    this.#failed.set(addressText(server), { until, reason })
  }
}

async function kerberosAt(
  kerberos: ClusterKerberos,
  { host }: ServerAddress,
  service: ServiceName,
): Promise<ConnectionKerberos> {
  const { login, protections, mayFallBack, asksForAes } = kerberos
  const principals = await serverPrincipals(kerberos, service, host)
  return { login, protections, mayFallBack, principals, ...(asksForAes && { asksForAes }) }
}

/** The server and service of a connection, and whether its codec carries the tags of cells. */
interface ConnectionEnd {
  readonly key: string
  readonly server: ServerAddress
  readonly service: ServiceName
  readonly withTags: boolean
}

/** The ends of each server's connections. Every call needs one, so each is built once. */
const ends = new WeakMap<ServerAddress, Map<ServiceName, ConnectionEnd>>()
const endsWithTags = new WeakMap<ServerAddress, Map<ServiceName, ConnectionEnd>>()

/** The end for a call. Only messages of ClientService have cells that clients send or read, so only these carry tags. */
function endOf(server: ServerAddress, service: ServiceName, call: Call): ConnectionEnd {
  const withTags = call.withTags && service === 'ClientService'
  const known = withTags ? endsWithTags : ends
  let ofServer = known.get(server)
  if (ofServer === undefined) {
    ofServer = new Map()
    known.set(server, ofServer)
  }
  let end = ofServer.get(service)
  if (end === undefined) {
    const key = `${service}@${server.host}:${server.port}${withTags ? ' with tags' : ''}`
    end = { key, server, service, withTags }
    ofServer.set(service, end)
  }
  return end
}
