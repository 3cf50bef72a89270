/** A ZooKeeper for tests, as far as reading goes: nodes in a map, and faults on demand. */

import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { SaslServer } from '../../../../src/wire/sasl/sasl.ts'
import { ERROR_CODE, OP_CODE, SPECIAL_XID } from '../../../../src/wire/zookeeper/codes.ts'
import { encodeFrame, FrameCutter, type FramePart, part } from '../../../../src/wire/zookeeper/frames.ts'
import { JuteReader } from '../../../../src/wire/zookeeper/jute-reader.ts'
import {
  CONNECT_REQUEST,
  CONNECT_RESPONSE,
  type ConnectRequest,
  EXISTS_RESPONSE,
  GET_CHILDREN_RESPONSE,
  GET_DATA_RESPONSE,
  PATH_REQUEST,
  REPLY_HEADER,
  REQUEST_HEADER,
  type Stat,
  WATCHER_EVENT,
} from '../../../../src/wire/zookeeper/records.ts'

import { SASL_TOKEN } from '../../../../src/wire/zookeeper/server-records.ts'
import type { FakeService } from '../../../harness/fake-kerberos.ts'

/** Faults in place of an answer. */
export type Fault = 'hang-up' | 'silence' | 'wrong-xid' | 'garbage' | { readonly err: number }

const STAT: Stat = {
  czxid: 1n,
  mzxid: 1n,
  ctime: 0n,
  mtime: 0n,
  version: 0,
  cversion: 0,
  aversion: 0,
  ephemeralOwner: 0n,
  dataLength: 0,
  numChildren: 0,
  pzxid: 1n,
}

export class FakeZooKeeper {
  readonly nodes: Map<string, Buffer | null> = new Map()
  /** Sessions that live; all fakes of an ensemble share it. */
  readonly sessions: Map<bigint, Buffer>
  /** Consumed one a request. */
  readonly faults: (Fault | undefined)[] = []
  readonly connects: ConnectRequest[] = []
  readonly requests: { type: number; path: string }[] = []
  pings = 0
  /** The longest session timeout granted. */
  timeOut = 30_000
  answersPings = true
  /** Sends an event of a watch before each answer. */
  chatty = false
  /** Takes logins by SASL; undefined: as a server without SASL. */
  logins: FakeService | undefined
  /** The principals that have logged in. */
  readonly principals: string[] = []
  /** The principal that may read; others get `denial`. Undefined: every client may. */
  reader: string | undefined
  denial: number = ERROR_CODE.noAuth
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  private constructor(server: Server, sessions: Map<bigint, Buffer>) {
    this.#server = server
    this.sessions = sessions
    server.on('connection', (socket) => this.#accept(socket))
  }

  static async start(sessions: Map<bigint, Buffer> = new Map<bigint, Buffer>()): Promise<FakeZooKeeper> {
    const server = createServer()
    const fake = new FakeZooKeeper(server, sessions)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return fake
  }

  get address(): { host: string; port: number } {
    return { host: '127.0.0.1', port: (this.#server.address() as AddressInfo).port }
  }

  get connections(): number {
    return this.#sockets.size
  }

  hangUp(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  async stop(): Promise<void> {
    if (!this.#server.listening) return
    this.#server.close()
    this.hangUp()
    await once(this.#server, 'close')
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => this.#sockets.delete(socket))
    const frames = new FrameCutter()
    let session: bigint | undefined
    const login = this.logins?.saslServer(['authentication'])
    socket.on('close', () => login?.close())
    socket.on('data', (chunk) => {
      for (const frame of frames.push(chunk)) {
        const reader = new JuteReader(frame)
        if (session === undefined) session = this.#connect(socket, CONNECT_REQUEST.read(reader))
        else this.#answer(socket, session, reader, login)
      }
    })
  }

  /** As ZooKeeper: a login that fails ends the connection, and a server without SASL answers with nothing. */
  async #logIn(socket: Socket, xid: number, reader: JuteReader, login?: SaslServer): Promise<void> {
    const { token } = SASL_TOKEN.read(reader)
    try {
      const step = await login?.step(token ?? Buffer.alloc(0))
      if (step?.isDone === true) this.principals.push(login!.authenticated)
      reply(socket, xid, 0, part(SASL_TOKEN, { token: step?.token ?? null }))
    } catch {
      reply(socket, xid, ERROR_CODE.authFailed)
      socket.end()
    }
  }

  #connect(socket: Socket, request: ConnectRequest): bigint {
    this.connects.push(request)
    const isNew = request.sessionId === 0n
    const id = isNew ? BigInt(this.sessions.size + 1) : request.sessionId
    if (isNew) this.sessions.set(id, Buffer.alloc(16, this.sessions.size + 1))
    const passwd = this.sessions.get(id)
    const lives = passwd !== undefined && (isNew || request.passwd?.equals(passwd) === true)
    const response = {
      protocolVersion: 0,
      timeOut: lives ? Math.min(request.timeOut, this.timeOut) : 0,
      sessionId: lives ? id : 0n,
      passwd: passwd ?? Buffer.alloc(16),
      readOnly: false,
    }
    socket.write(encodeFrame(part(CONNECT_RESPONSE, response)))
    if (!lives) socket.end()
    return id
  }

  #answer(socket: Socket, session: bigint, reader: JuteReader, login?: SaslServer): void {
    const { xid, type } = REQUEST_HEADER.read(reader)
    if (type === OP_CODE.sasl) {
      void this.#logIn(socket, xid, reader, login)
      return
    }
    if (type === OP_CODE.ping) {
      this.pings++
      if (this.answersPings) reply(socket, SPECIAL_XID.ping, 0)
      return
    }
    if (type === OP_CODE.closeSession) {
      this.sessions.delete(session)
      reply(socket, xid, 0)
      socket.end()
      return
    }
    const { path } = PATH_REQUEST.read(reader)
    this.requests.push({ type, path })
    const fault = this.faults.shift()
    if (this.reader !== undefined && login?.authenticated !== this.reader) {
      reply(socket, xid, this.denial)
      if (this.denial === ERROR_CODE.sessionClosedRequireAuth) socket.end()
    } else if (fault === undefined) this.#answerRead(socket, xid, type, path)
    else if (fault === 'hang-up') socket.destroy()
    else if (fault === 'wrong-xid') reply(socket, xid + 1, 0)
    else if (fault === 'garbage') socket.write(Buffer.from('HTTP/1.1 400'))
    else if (fault !== 'silence') reply(socket, xid, fault.err)
  }

  #answerRead(socket: Socket, xid: number, type: number, path: string): void {
    if (this.chatty) {
      const event = part(WATCHER_EVENT, { type: 3, state: 3, path })
      socket.write(
        encodeFrame(part(REPLY_HEADER, { xid: SPECIAL_XID.watcherEvent, zxid: -1n, err: 0 }), event),
      )
    }
    // A parent of nodes is one, too.
    const isParent = [...this.nodes.keys()].some((name) => name.startsWith(`${path}/`))
    const data = this.nodes.get(path) ?? (isParent ? null : this.nodes.get(path))
    if (data === undefined) {
      reply(socket, xid, ERROR_CODE.noNode)
      return
    }
    const children = [...this.nodes.keys()]
      .filter((name) => name.startsWith(`${path}/`))
      .map((name) => name.slice(path.length + 1))
    const stat = { ...STAT, numChildren: children.length }
    if (type === OP_CODE.getData) reply(socket, xid, 0, part(GET_DATA_RESPONSE, { data, stat }))
    else if (type === OP_CODE.exists) reply(socket, xid, 0, part(EXISTS_RESPONSE, { stat }))
    else reply(socket, xid, 0, part(GET_CHILDREN_RESPONSE, { children }))
  }
}

let zxid = 100n

function reply(socket: Socket, xid: number, err: number, ...parts: readonly FramePart[]): void {
  zxid++
  socket.write(encodeFrame(part(REPLY_HEADER, { xid, zxid, err }), ...parts))
}
