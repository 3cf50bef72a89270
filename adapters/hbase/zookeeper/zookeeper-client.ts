/**
 * Reads nodes of a ZooKeeper ensemble. The client connects on first use, to a random server. When that server fails, the client connects
 * to the next one with the same session (a new one if that has expired) and repeats the read. It ends an idle session, which would cost the
 * ensemble work.
 */

import { HBaseError } from '../../../src/model/errors.ts'
import { ERROR_CODE, errorName, OP_CODE } from '../../../src/wire/zookeeper/codes.ts'
import { part, readLast } from '../../../src/wire/zookeeper/frames.ts'
import type { JuteType } from '../../../src/wire/zookeeper/jute-type.ts'
import {
  EXISTS_RESPONSE,
  GET_CHILDREN_RESPONSE,
  GET_DATA_RESPONSE,
  PATH_REQUEST,
  type Stat,
} from '../../../src/wire/zookeeper/records.ts'
import type { TlsTrust } from '../rpc/open-socket.ts'
import { NEW_SESSION, ZooKeeperConnection, type ZooKeeperSession } from './zookeeper-connection.ts'
import { logInToZooKeeper, type ZooKeeperLogin } from './zookeeper-login.ts'

export interface ZooKeeperClientOptions {
  /** At least one. */
  readonly servers: readonly { readonly host: string; readonly port: number }[]
  /** Undefined: the connections are not encrypted. */
  readonly tls?: TlsTrust | undefined
  /** Undefined: Tidegate has no login for the ensemble. */
  readonly login?: ZooKeeperLogin | undefined
  /** Put before every path; '' for none. */
  readonly chroot: string
  readonly sessionTimeoutMs: number
  /** Milliseconds to connect to one server: a few dead servers must leave time for a live one. */
  readonly connectTimeoutMs: number
  readonly requestTimeoutMs: number
  /** Milliseconds without a request after which the session ends. */
  readonly idleMs: number
  /** From 0 to less than 1. */
  readonly random: () => number
}

export interface ZooKeeperNode {
  readonly data: Buffer
  readonly stat: Stat
}

export class ZooKeeperClient {
  readonly #options: ZooKeeperClientOptions
  #server: number
  #session: ZooKeeperSession = NEW_SESSION
  #connection: Promise<ZooKeeperConnection> | undefined
  #idleTimer: NodeJS.Timeout | undefined
  #requests = 0
  #closed = false
  /** True: new connections log in. */
  #logsIn: boolean
  /** The connections that have tried to, and whether the server takes logins. */
  readonly #logins = new WeakMap<ZooKeeperConnection, boolean>()

  constructor(options: ZooKeeperClientOptions) {
    this.#options = options
    this.#server = Math.floor(options.random() * options.servers.length)
    this.#logsIn = options.login?.options.use === 'always'
  }

  /** The node's state; undefined where there is no such node. Throws UNAVAILABLE where no server answers, IO, DO_NOT_RETRY. */
  async exists(path: string): Promise<Stat | undefined> {
    return (await this.#read(OP_CODE.exists, path, EXISTS_RESPONSE))?.stat
  }

  /** The node's data and state. Otherwise as exists. */
  async getData(path: string): Promise<ZooKeeperNode | undefined> {
    const node = await this.#read(OP_CODE.getData, path, GET_DATA_RESPONSE)
    return node && { data: Buffer.from(node.data ?? []), stat: node.stat }
  }

  /** The names of the node's children, in no order. Otherwise as exists. */
  async getChildren(path: string): Promise<readonly string[] | undefined> {
    return (await this.#read(OP_CODE.getChildren, path, GET_CHILDREN_RESPONSE))?.children
  }

  /** Fails the reads in flight, and later ones, with UNAVAILABLE. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#endSession()
  }

  async #read<T>(type: number, path: string, response: JuteType<T>): Promise<T | undefined> {
    this.#requests++
    clearTimeout(this.#idleTimer)
    try {
      return await this.#readRetrying(type, `${this.#options.chroot}${path}`, response)
    } finally {
      this.#requests--
      if (this.#requests === 0) this.#becomeIdle()
    }
  }

  /** Asks each server once, and one server again where an old connection had ended unnoticed. */
  async #readRetrying<T>(type: number, path: string, response: JuteType<T>): Promise<T | undefined> {
    for (let turnsLeft = this.#options.servers.length; ; turnsLeft--) {
      try {
        const connection = await this.#connected()
        const { err, reader } = await connection.request(type, part(PATH_REQUEST, { path, watch: false }))
        if (err === ERROR_CODE.ok) return readLast(reader, response)
        if (err === ERROR_CODE.noNode) return undefined
        if (!WANTS_LOGIN.has(err)) throw refusal(err, path)
        const { login } = this.#options
        if (this.#logins.has(connection) || login?.options.use !== 'asked')
          throw deniedRead(err, path, login, this.#logins.get(connection))
        await this.#logInFromNowOn()
        // The servers have answered: the login is no attempt of its own.
        turnsLeft++
      } catch (error) {
        const mayAskAnother = error instanceof HBaseError && error.code === 'UNAVAILABLE'
        if (!mayAskAnother || turnsLeft === 0 || this.#closed) throw error
      }
    }
  }

  /** Ends the connection, which has no login, and its session. */
  async #logInFromNowOn(): Promise<void> {
    // A read that has waited for the same connection may have done so.
    if (this.#logsIn) return
    this.#logsIn = true
    await this.#endSession()
  }

  async #connected(): Promise<ZooKeeperConnection> {
    if (this.#closed) throw new HBaseError('UNAVAILABLE', 'The ZooKeeper client is closed')
    const current = this.#connection
    if (current !== undefined) {
      const connection = await current
      if (!connection.failed) return connection
      if (this.#connection === current) this.#forget(connection)
      return this.#connected()
    }
    const opening = this.#open()
    this.#connection = opening
    try {
      return await opening
    } catch (error) {
      if (this.#connection === opening) this.#connection = undefined
      throw error
    }
  }

  /** Connects to the current server. After a failure the next server becomes the current one. */
  async #open(): Promise<ZooKeeperConnection> {
    const { servers, tls, login, sessionTimeoutMs, connectTimeoutMs, requestTimeoutMs } = this.#options
    const { host, port } = servers[this.#server % servers.length]!
    const session = this.#session
    let connection: ZooKeeperConnection | undefined
    try {
      connection = await ZooKeeperConnection.open({
        host,
        port,
        session,
        sessionTimeoutMs,
        tls,
        connectTimeoutMs,
        requestTimeoutMs,
      })
      if (login !== undefined && this.#logsIn)
        this.#logins.set(connection, await logInToZooKeeper(connection, login))
      return connection
    } catch (error) {
      connection?.close()
      const expired = error instanceof HBaseError && error.detail?.['expired'] === true
      if (expired && session.id !== 0n) {
        this.#session = NEW_SESSION
        return this.#open()
      }
      this.#server++
      throw error
    }
  }

  #forget(connection: ZooKeeperConnection): void {
    this.#connection = undefined
    this.#session = connection.session
    this.#server++
  }

  #becomeIdle(): void {
    this.#idleTimer = setTimeout(() => void this.#endSession(), this.#options.idleMs)
    this.#idleTimer.unref()
  }

  async #endSession(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const opening = this.#connection
    this.#connection = undefined
    this.#session = NEW_SESSION
    const connection = await opening?.catch(() => undefined)
    connection?.close()
  }
}

/** The codes by which a server says that a client without a login, or with another one, may not have the answer. */
const WANTS_LOGIN: ReadonlySet<number> = new Set([
  ERROR_CODE.noAuth,
  ERROR_CODE.authFailed,
  ERROR_CODE.sessionClosedRequireAuth,
])

function refusal(err: number, path: string): HBaseError {
  return new HBaseError('IO', `ZooKeeper answers ${errorName(err)} for ${path}`, { detail: { err, path } })
}

/** `takesLogins`: undefined where the connection has not tried to log in. */
function deniedRead(
  err: number,
  path: string,
  login: ZooKeeperLogin | undefined,
  takesLogins: boolean | undefined,
): HBaseError {
  const answer = `ZooKeeper answers ${errorName(err)} for ${path}`
  const reason = deniedBecause(login, takesLogins)
  return new HBaseError('DO_NOT_RETRY', `${answer}: ${reason}`, { detail: { err, path } })
}

function deniedBecause(login: ZooKeeperLogin | undefined, takesLogins: boolean | undefined): string {
  if (login === undefined || takesLogins === undefined)
    return 'it wants a login: give Tidegate one by Kerberos, and do not set zookeeper.sasl.client to false (docs/cluster.md)'
  if (!takesLogins) return 'it takes no login by SASL, which its access list asks for'
  return `it does not let ${login.kerberos.principal} in: look at the access list of the znode`
}
