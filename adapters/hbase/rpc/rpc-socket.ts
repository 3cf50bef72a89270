import type { Socket } from 'node:net'
import { CellBlock } from '../../../src/model/cell-block.ts'
import { messageOf } from '../../../src/model/message-of.ts'
import { FrameReader } from '../../../src/wire/rpc/frame-reader.ts'
import { oneBlock } from '../../../src/wire/rpc/one-block.ts'
import { cellBlockBytes } from '../../../src/wire/rpc/request-frame.ts'
import { ResponseFrame } from '../../../src/wire/rpc/response-frame.ts'
import type { RpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { SaslFailure } from '../../../src/wire/sasl/sasl.ts'
import { answerCall } from './answer-call.ts'
import { areGone } from './caller-watch.ts'
import { connectionRefusal } from './connection-refusal.ts'
import { ConnectionStart } from './connection-start.ts'
import { openSocket } from './open-socket.ts'
import { PendingCall } from './pending-call.ts'
import { PendingCalls } from './pending-calls.ts'
import { ProtectedTraffic } from './protected-traffic.ts'
import { RequestQueue } from './request-queue.ts'
import type { CallOptions, RpcConnection, RpcConnectionOptions, RpcResponse } from './rpc-connection.ts'
import { RpcError, type RpcErrorCode } from './rpc-error.ts'
import { DEFAULT_RPC_LIMITS, type RpcLimits } from './rpc-limits.ts'
import { saslRefusal } from './sasl-refusal.ts'
import type { LoggedIn } from './sasl-start.ts'
import type { StartReader } from './start-reader.ts'
import { isUntrusted, silentCloseHint, socketFailureText } from './tls-failure.ts'

/** The most bytes that go to the socket at a time: requests behind them can still be withdrawn. */
const SOCKET_BYTES = 256 * 1024
const NO_CELLS: readonly CellBlock[] = []

export function openRpcSocket(options: RpcConnectionOptions): Promise<RpcConnection> {
  return new Promise((resolve, reject) => {
    const connection = new RpcSocket(options, () => resolve(connection))
    connection.onClose(reject)
  })
}

class RpcSocket implements RpcConnection {
  closedBy: RpcError | undefined
  readonly #name: string
  readonly #options: RpcConnectionOptions
  readonly #limits: RpcLimits
  readonly #socket: Socket
  readonly #frames: FrameReader
  /** Takes the received bytes: #frames, but before them the messages of a login. */
  #receiver: FrameReader | StartReader
  /** Node has its space for the next read already. */
  #filling: FrameReader | StartReader
  readonly #start: ConnectionStart
  #login: LoggedIn | undefined
  /** Undefined: bytes go as they are. */
  #traffic: ProtectedTraffic | undefined
  readonly #response = new ResponseFrame()
  readonly #giveUp = (call: PendingCall, error: Error): void => this.#fail(call, error)
  readonly #calls = new PendingCalls(this.#giveUp)
  readonly #requests = new RequestQueue()
  #flushing = false
  readonly #beforeSending: (() => void)[] = []
  #isAnswered = false
  readonly #closeListeners: ((reason: RpcError) => void)[] = []
  #idleTimer: NodeJS.Timeout | undefined
  #usedAt = performance.now()

  constructor(options: RpcConnectionOptions, onOpen: () => void) {
    const { host, port, service } = options
    this.#options = options
    this.#name = `${service} of ${host}:${port}`
    this.#limits = { ...DEFAULT_RPC_LIMITS, ...options.limits }
    this.#frames = new FrameReader(this.#limits.responseBytesMax, (buffer, start, end, release) =>
      this.#traffic === undefined
        ? this.#onFrame(buffer, start, end, release)
        : this.#traffic.take(buffer, start, end, release),
    )
    this.#start = new ConnectionStart(options, this.#limits.connectTimeoutMs, {
      open: (login) => {
        this.#onOpen(login)
        onOpen()
      },
      end: (code, why, cause) => this.#end(code, why, cause),
    })
    this.#receiver = this.#start.reader ?? this.#frames
    this.#filling = this.#receiver
    const onread = { buffer: () => this.#space(), callback: (bytes: number) => this.#onRead(bytes) }
    const { socket, ready } = openSocket({ host, port, noDelay: true, keepAlive: true, onread }, options.tls)
    this.#socket = socket
    if (options.tls !== undefined)
      socket.on('data', (bytes: Buffer) => this.#read(() => this.#receiver.push(bytes)))
    socket.once(ready, () => this.#start.send(socket))
    this.#socket.on('drain', () => this.#flush())
    this.#socket.on('error', (cause: NodeJS.ErrnoException) => {
      const text = socketFailureText(cause, options.tls)
      if (cause.code === 'ECONNRESET') this.#onServerClose(text, cause)
      else this.#end(isUntrusted(cause) ? 'UNTRUSTED' : undefined, text, cause)
    })
    socket.once('close', () => this.#onServerClose())
    this.#closeOn(options.signal)
  }

  /** Closes the connection when the signal aborts. */
  #closeOn(signal: AbortSignal | undefined): void {
    if (signal === undefined) return
    const close = (): void => this.close()
    if (signal.aborted) close()
    else signal.addEventListener('abort', close)
    this.onClose(() => signal.removeEventListener('abort', close))
  }

  get pending(): number {
    return this.#calls.size
  }

  onClose(listener: (reason: RpcError) => void): void {
    if (this.closedBy === undefined) this.#closeListeners.push(listener)
    else listener(this.closedBy)
  }

  close(): void {
    this.#end('CONNECTION_CLOSED', 'closed')
  }

  call<Request, Response>(
    method: RpcMethod<Request, Response>,
    request: Request,
    options: CallOptions = {},
  ): Promise<RpcResponse<Response>> {
    return new Promise((resolve, reject) => {
      const refusal = this.#refusal(options)
      if (refusal !== undefined) {
        reject(refusal)
        return
      }
      const timeoutMs = options.timeoutMs ?? this.#limits.callTimeoutMs
      const id = this.#calls.nextId()
      const call = new PendingCall(id, method, timeoutMs, options.signal, resolve, reject, this.#giveUp)
      this.#enqueue(call, request, timeoutMs, options)
      this.#calls.add(call)
      this.#usedAt = call.startedAt
      this.#flushSoon()
    })
  }

  #refusal({ signal }: CallOptions): Error | undefined {
    if (this.closedBy !== undefined) {
      return new RpcError('CONNECTION_CLOSED', this.closedBy.message, { cause: this.closedBy })
    }
    if (areGone(signal)) return new RpcError('CALL_CANCELLED', 'the client has hung up')
    if (this.#calls.size >= this.#limits.callsMax) {
      return new RpcError('OVERLOADED', `${this.#name}: ${this.#calls.size} calls wait for an answer`)
    }
    return undefined
  }

  /** Appends the request to the queue. Throws REQUEST_TOO_LARGE, OVERLOADED, or the error of the method's encoder. */
  #enqueue(call: PendingCall, request: unknown, timeoutMs: number, options: CallOptions): void {
    const { compressor } = this.#options
    const { name } = call.method
    let cells = options.cells ?? NO_CELLS
    this.#checkSize(cellBlockBytes(cells), name)
    if (compressor !== undefined && cellBlockBytes(cells) > 0)
      cells = [new CellBlock(compressor.compress(oneBlock(cells)))]
    const header = {
      callId: call.id,
      method: name,
      priority: options.priority,
      timeoutMs: Math.max(1, Math.ceil(timeoutMs)),
      trace: options.trace,
    }
    const bytes = this.#requests.add(call, header, request, cells)
    try {
      this.#checkSize(bytes, name, bytes)
    } catch (error) {
      this.#requests.drop(call)
      throw error
    }
  }

  /** Throws REQUEST_TOO_LARGE or OVERLOADED. `queued`: bytes of this request that are already in the queue. */
  #checkSize(bytes: number, method: string, queued = 0): void {
    const { requestBytesMax, waitingBytesMax } = this.#limits
    if (bytes > requestBytesMax) {
      throw new RpcError('REQUEST_TOO_LARGE', `${method} of ${bytes} bytes; the limit is ${requestBytesMax}`)
    }
    const unsent = this.#socket.writableLength + (this.#traffic?.waitingBytes ?? 0)
    const waiting = this.#requests.bytes - queued + unsent
    if (waiting > 0 && waiting + bytes > waitingBytesMax) {
      throw new RpcError('OVERLOADED', `${this.#name}: ${waiting} bytes of requests wait to be read`)
    }
  }

  /** Fails a pending call, and withdraws its request if that still waits. */
  #fail(call: PendingCall, error: Error): void {
    this.#calls.take(call.id)
    this.#requests.drop(call)
    call.reject(error)
  }

  beforeSending(work: () => void): void {
    this.#beforeSending.push(work)
    this.#flushSoon()
  }

  /** Sends the requests of this turn of the event loop together. */
  #flushSoon(): void {
    if (this.#flushing) return
    this.#flushing = true
    setImmediate(() => {
      for (const work of this.#beforeSending.splice(0)) work()
      this.#flushing = false
      this.#flush()
    })
  }

  #flush(): void {
    if (this.closedBy !== undefined || this.#socket.writableNeedDrain) return
    if (this.#traffic !== undefined) {
      this.#flushTo(this.#traffic)
      return
    }
    const requests = this.#requests.take(SOCKET_BYTES)
    if (requests === undefined) return
    this.#socket.write(requests)
    if (this.#requests.bytes > 0 && !this.#socket.writableNeedDrain) this.#flushSoon()
  }

  #flushTo(traffic: ProtectedTraffic): void {
    try {
      while (!this.#socket.writableNeedDrain && traffic.flush()) {
        const requests = this.#requests.take(SOCKET_BYTES)
        if (requests === undefined) return
        traffic.send(requests)
      }
    } catch (cause) {
      // Kerberos may end with its ticket, and a new connection has a new one.
      this.#end('CONNECTION_CLOSED', messageOf(cause), cause)
    }
  }

  #onOpen(login: LoggedIn | undefined): void {
    this.#login = login
    if (login?.layer !== undefined)
      this.#traffic = new ProtectedTraffic(login.layer, this.#socket, this.#limits.responseBytesMax, {
        frame: (buffer, start, end, release) => this.#onFrame(buffer, start, end, release),
        // HBase 2.4 does not protect its refusal of a connection.
        strange: (buffer, start, end) => void (this.#isAnswered || this.#isRefused(buffer, start, end)),
        turn: () => this.#flush(),
        read: (work) => this.#read(work),
      })
    this.#receiver = this.#frames
    this.#watchIdle(this.#limits.idleMs)
    this.#pushRest()
  }

  #watchIdle(waitMs: number): void {
    this.#idleTimer = setTimeout(() => {
      const left = this.#usedAt + this.#limits.idleMs - performance.now()
      if (this.#calls.size === 0 && left <= 0) this.#end('CONNECTION_CLOSED', 'idle')
      else this.#watchIdle(Math.max(left, this.#limits.idleMs / 2))
    }, waitMs).unref()
  }

  #onRead(bytes: number): boolean {
    this.#read(() => this.#filling.advance(bytes))
    if (this.#filling !== this.#receiver) this.#pushRest()
    return true
  }

  #space(): Buffer {
    this.#filling = this.#receiver
    return this.#filling.space()
  }

  /** Takes what has come behind the login. */
  #pushRest(): void {
    const rest = this.#start.reader?.takeRest()
    if (rest !== undefined) this.#read(() => this.#frames.push(rest))
  }

  #read(take: () => void): void {
    try {
      take()
    } catch (cause) {
      this.#end(cause instanceof SaslFailure ? undefined : 'BAD_RESPONSE', messageOf(cause), cause)
    }
  }

  /** A server resets a connection where it has not read all bytes, and else only ends it. */
  #onServerClose(text = 'the server closed the connection', cause?: unknown): void {
    const { tls, isImpatient } = this.#options
    const isSilent = this.#start.isConnected && !this.#isAnswered && this.#login === undefined
    const hint = isSilent ? silentCloseHint(tls) : ''
    const code = hint !== '' && isImpatient === true ? 'NO_WORD' : undefined
    this.#end(code, `${text}${hint}`, cause)
  }

  /** True where the next frame may be a refusal of the login's last message, which is no frame. */
  get #mayBeSasl(): boolean {
    return this.#options.password !== undefined || (this.#login !== undefined && !this.#isAnswered)
  }

  /** Reads a response. Ends the connection where that refuses the whole connection: true. */
  #isRefused(buffer: Buffer, start: number, end: number): boolean {
    const refusal = this.#mayBeSasl ? saslRefusal(buffer, start, end) : undefined
    this.#isAnswered = true
    if (refusal !== undefined) this.#end(this.#login === undefined ? 'USER_REFUSED' : 'LOGIN_FAILED', refusal)
    else {
      this.#response.read(buffer, start, end)
      const refused = connectionRefusal(this.#response, this.#options)
      if (refused !== undefined) this.#end(refused.code, refused.why, refused.cause)
    }
    return this.closedBy !== undefined
  }

  #onFrame(buffer: Buffer, start: number, end: number, release: (() => void) | undefined): void {
    if (this.closedBy !== undefined) return
    if (this.#isRefused(buffer, start, end)) return
    const response = this.#response
    // The call timed out or was cancelled.
    const call = this.#calls.take(response.callId)
    if (call === undefined) return
    this.#requests.drop(call)
    if (response.exception !== undefined) {
      call.reject(response.exception)
      return
    }
    const { compressor } = this.#options
    answerCall(call, { response, buffer, release }, { compressor, bytesMax: this.#limits.responseBytesMax })
  }

  /** Closes the connection and fails every call in flight. An undefined `code` means CONNECTION_CLOSED, or CONNECT_FAILED before the socket had connected. */
  #end(code: RpcErrorCode | undefined, why: string, cause?: unknown): void {
    if (this.closedBy !== undefined) return
    const actual = code ?? (this.#start.isConnected ? 'CONNECTION_CLOSED' : 'CONNECT_FAILED')
    const reason = new RpcError(actual, `${this.#name}: ${why}`, { cause })
    this.closedBy = reason
    clearTimeout(this.#idleTimer)
    this.#socket.destroy()
    this.#traffic?.close()
    this.#login?.exchange?.close()
    this.#start.end(reason)
    for (const call of this.#calls.takeAll()) {
      call.reject(new RpcError(actual, reason.message, { sent: !call.waiting, cause: reason }))
    }
    for (const listener of this.#closeListeners.splice(0)) listener(reason)
  }
}
