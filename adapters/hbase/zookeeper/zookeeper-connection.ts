/**
 * One connection of a ZooKeeper session: the handshake, requests answered in order, pings. The first error ends the
 * connection, and its requests fail with UNAVAILABLE; the session may go on over another connection.
 */

import type { Socket } from 'node:net'
import { type ErrorDetail, HBaseError } from '../../../src/model/errors.ts'
import { ERROR_CODE, OP_CODE, SPECIAL_XID } from '../../../src/wire/zookeeper/codes.ts'
import {
  encodeFrame,
  FrameCutter,
  type FramePart,
  part,
  readLast,
} from '../../../src/wire/zookeeper/frames.ts'
import { JuteReader } from '../../../src/wire/zookeeper/jute-reader.ts'
import {
  CONNECT_REQUEST,
  CONNECT_RESPONSE,
  REPLY_HEADER,
  REQUEST_HEADER,
} from '../../../src/wire/zookeeper/records.ts'
import { openSocket, type TlsTrust } from '../rpc/open-socket.ts'
import { isUntrusted, silentCloseHint, socketFailureText } from '../rpc/tls-failure.ts'

/** Identifies a session, so that another connection may continue it. */
export interface ZooKeeperSession {
  /** 0: a new session. */
  readonly id: bigint
  readonly password: Buffer
  /** The last transaction seen: a server that is behind it refuses the session. */
  readonly lastZxid: bigint
}

export const NEW_SESSION: ZooKeeperSession = { id: 0n, password: Buffer.alloc(16), lastZxid: 0n }

export interface ZooKeeperConnectionOptions {
  readonly host: string
  readonly port: number
  /** Undefined: the connection is not encrypted. */
  readonly tls?: TlsTrust | undefined
  readonly session: ZooKeeperSession
  /** The requested timeout; the server may grant another. */
  readonly sessionTimeoutMs: number
  /** Milliseconds to connect, with the handshake. */
  readonly connectTimeoutMs: number
  /** Milliseconds for one answer. */
  readonly requestTimeoutMs: number
}

export interface ZooKeeperReply {
  /** One of ERROR_CODE; the reader has a response only where it is `ok`. */
  readonly err: number
  readonly reader: JuteReader
}

interface PendingReply {
  readonly xid: number
  readonly resolve: (reply: ZooKeeperReply) => void
  readonly reject: (error: HBaseError) => void
  readonly timer: NodeJS.Timeout
}

/** Ticks per session timeout. A tick sends a ping if nothing was sent since the last one. Three ticks without an answer end the connection. */
const PINGS_PER_TIMEOUT = 3

export class ZooKeeperConnection {
  readonly #options: ZooKeeperConnectionOptions
  readonly #socket: Socket
  readonly #frames = new FrameCutter()
  readonly #pending: PendingReply[] = []
  #session: ZooKeeperSession
  #connected: ((error: HBaseError | undefined) => void) | undefined
  #failure: HBaseError | undefined
  #xid = 0
  #pingTimer: NodeJS.Timeout | undefined
  #silentTicks = 0
  #sentSinceTick = false

  /** Connects and takes the session up. Throws UNAVAILABLE, with `expired` in its detail where the session has expired. */
  static async open(options: ZooKeeperConnectionOptions): Promise<ZooKeeperConnection> {
    const connection = new ZooKeeperConnection(options)
    await connection.#handshake()
    return connection
  }

  private constructor(options: ZooKeeperConnectionOptions) {
    this.#options = options
    this.#session = options.session
    const { host, port, tls } = options
    this.#socket = openSocket({ host, port, noDelay: true }, tls).socket
    this.#socket.on('data', (chunk) => this.#receive(chunk))
    this.#socket.on('error', (error) => {
      const reason = socketFailureText(error, tls)
      if (isUntrusted(error)) this.#refuse(reason, error)
      else this.#fail(reason, error)
    })
    this.#socket.on('close', () => this.#onClose())
  }

  #onClose(): void {
    const mayWantTls = this.#connected !== undefined && this.#options.tls === undefined
    this.#fail(
      mayWantTls ? `the connection was closed${silentCloseHint(undefined)}` : 'the connection was closed',
    )
  }

  /** The session with its latest state, for the next connection. */
  get session(): ZooKeeperSession {
    return this.#session
  }

  get host(): string {
    return this.#options.host
  }

  get port(): number {
    return this.#options.port
  }

  get failed(): boolean {
    return this.#failure !== undefined
  }

  /** Sends a request. Throws UNAVAILABLE. */
  request(type: number, request: FramePart): Promise<ZooKeeperReply> {
    return new Promise((resolve, reject) => {
      if (this.#failure !== undefined) {
        reject(this.#failure)
        return
      }
      const xid = this.#nextXid()
      const timer = setTimeout(
        () => this.#fail(`no answer within ${this.#options.requestTimeoutMs} ms`),
        this.#options.requestTimeoutMs,
      )
      timer.unref()
      this.#pending.push({ xid, resolve, reject, timer })
      this.#send(encodeFrame(part(REQUEST_HEADER, { xid, type }), request))
    })
  }

  /** Ends the session. */
  close(): void {
    if (this.#failure !== undefined) return
    this.#socket.end(encodeFrame(part(REQUEST_HEADER, { xid: this.#nextXid(), type: OP_CODE.closeSession })))
    this.#stop(this.#unavailable('the session was closed'))
    const timer = setTimeout(() => this.#socket.destroy(), this.#options.requestTimeoutMs)
    timer.unref()
    this.#socket.once('close', () => clearTimeout(timer))
  }

  #handshake(): Promise<void> {
    const { session, sessionTimeoutMs, connectTimeoutMs } = this.#options
    const request = {
      protocolVersion: 0,
      lastZxidSeen: session.lastZxid,
      timeOut: sessionTimeoutMs,
      sessionId: session.id,
      passwd: session.password,
      readOnly: false,
    }
    this.#send(encodeFrame(part(CONNECT_REQUEST, request)))
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#fail(`no connection within ${connectTimeoutMs} ms`),
        connectTimeoutMs,
      )
      this.#connected = (error) => {
        this.#connected = undefined
        clearTimeout(timer)
        if (error === undefined) resolve()
        else reject(error)
      }
    })
  }

  #nextXid(): number {
    this.#xid = this.#xid === 0x7fffffff ? 1 : this.#xid + 1
    return this.#xid
  }

  #send(frame: Buffer): void {
    this.#sentSinceTick = true
    this.#socket.write(frame)
  }

  #receive(chunk: Buffer): void {
    try {
      for (const frame of this.#frames.push(chunk)) {
        if (this.#failure !== undefined) return
        this.#silentTicks = 0
        if (this.#connected === undefined) this.#onReply(new JuteReader(frame))
        else this.#onConnectResponse(new JuteReader(frame))
      }
    } catch (error) {
      this.#fail('it does not speak the protocol', error)
    }
  }

  #onConnectResponse(reader: JuteReader): void {
    const { timeOut, sessionId, passwd } = readLast(reader, CONNECT_RESPONSE)
    if (timeOut <= 0) {
      this.#expire()
      return
    }
    this.#session = { ...this.#session, id: sessionId, password: Buffer.from(passwd ?? []) }
    this.#pingTimer = setInterval(() => this.#tick(), Math.max(1, timeOut / PINGS_PER_TIMEOUT))
    this.#pingTimer.unref()
    this.#connected?.(undefined)
  }

  #onReply(reader: JuteReader): void {
    const { xid, zxid, err } = REPLY_HEADER.read(reader)
    if (xid === SPECIAL_XID.ping || xid === SPECIAL_XID.auth || xid === SPECIAL_XID.watcherEvent) return
    const reply = this.#pending.shift()
    if (reply?.xid !== xid) {
      if (reply !== undefined) this.#pending.unshift(reply)
      this.#fail(`it answers request ${xid}, not ${reply?.xid ?? 'any'}`)
      return
    }
    if (zxid > this.#session.lastZxid) this.#session = { ...this.#session, lastZxid: zxid }
    if (err === ERROR_CODE.sessionExpired) {
      this.#pending.unshift(reply)
      this.#expire()
      return
    }
    clearTimeout(reply.timer)
    reply.resolve({ err, reader })
  }

  #tick(): void {
    this.#silentTicks++
    if (this.#silentTicks >= PINGS_PER_TIMEOUT) {
      this.#fail('it does not answer pings')
      return
    }
    if (!this.#sentSinceTick) {
      this.#send(encodeFrame(part(REQUEST_HEADER, { xid: SPECIAL_XID.ping, type: OP_CODE.ping })))
    }
    this.#sentSinceTick = false
  }

  #expire(): void {
    this.#session = NEW_SESSION
    this.#fail('the session has expired', undefined, { expired: true })
  }

  #fail(reason: string, cause?: unknown, detail?: ErrorDetail): void {
    if (this.#failure !== undefined) return
    this.#stop(this.#unavailable(reason, cause, detail))
    this.#socket.destroy()
  }

  /** Ends the connection with REFUSED: another attempt would meet the same certificates. */
  #refuse(reason: string, cause: unknown): void {
    if (this.#failure !== undefined) return
    const { host, port } = this.#options
    this.#stop(
      new HBaseError('REFUSED', `ZooKeeper at ${host}:${port}: ${reason}`, { detail: { host, port }, cause }),
    )
    this.#socket.destroy()
  }

  #stop(failure: HBaseError): void {
    this.#failure = failure
    clearInterval(this.#pingTimer)
    this.#connected?.(failure)
    for (const { reject, timer } of this.#pending.splice(0)) {
      clearTimeout(timer)
      reject(failure)
    }
  }

  #unavailable(reason: string, cause?: unknown, detail?: ErrorDetail): HBaseError {
    const { host, port } = this.#options
    return new HBaseError('UNAVAILABLE', `ZooKeeper at ${host}:${port}: ${reason}`, {
      detail: { host, port, ...detail },
      cause,
    })
  }
}
