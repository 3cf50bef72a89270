import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { type Activity, type Deadlines, PeerClock } from '../../../gateway/connections/peer-clock.ts'
import { SocketCall } from '../../../gateway/connections/socket-call.ts'
import { httpTrace } from '../../../gateway/http/http-access.ts'
import { actingHeader } from '../../../gateway/identity/guard/acting-user.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import {
  type LoginHeaders,
  type LoginRefusal,
  loginRefusal,
} from '../../../gateway/identity/guard/http-login.ts'
import type { LoginAnswer } from '../../../gateway/identity/guard/negotiate/http-negotiation.ts'
import { forwardedAddress, placeOf } from '../../../gateway/identity/proxies/request-origin.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { ReceivedBytes } from '../../../gateway/requests/received-bytes.ts'
import { EMPTY } from '../../../model/bytes.ts'
import { type HBaseError, isHBaseError } from '../../../model/errors.ts'
import { messageOf } from '../../../model/message-of.ts'
import type { Call, Principal } from '../../../store/call.ts'
import { type ProtocolName, ThriftProtocolError } from '../../../wire/thrift/protocol.ts'
import { LARGE_BYTES } from './call-memory.ts'
import type { CallProcessor } from './call-processor.ts'
import type { Caller, Session } from './caller.ts'
import { detectDialect } from './dialect.ts'
import type { Peer } from './peer.ts'
import { answerThrift, refusedCall, THRIFT_TYPE } from './refused-call.ts'

export interface HttpPeerParts {
  readonly processor: CallProcessor
  /** Most bytes of a request's body. */
  readonly bytesMax: number
  readonly memory: MemoryBudget
  /** Checks logins; absent where clients need none. */
  readonly guard?: Guard | undefined
  readonly logger: Logger
  readonly nowMs: number
  /** Answers a client whose request comes too slowly, and ends the connection. */
  readonly refuseLate: (socket: Socket) => void
  /** Answers the first request of a connection that the server refuses; absent otherwise. */
  readonly refusal?: HBaseError | undefined
}

/** A connection that speaks HTTP: each POST, to any path, carries one call, and its response the reply. */
export class HttpPeer implements Peer {
  readonly #socket: Socket
  readonly #processor: CallProcessor
  readonly #logger: Logger
  readonly #bytesMax: number
  readonly #memory: MemoryBudget
  readonly #session: Session = { lastService: undefined }
  readonly #socketCall: SocketCall
  readonly #guard: Guard | undefined
  /** Number of requests whose responses have not been sent. */
  #open = 0
  #running = 0
  #isClosing = false
  /** Number of requests whose bodies have not come whole. */
  #receiving = 0
  #requests = 0
  /** Bytes that the socket had received at the end of the last request. */
  #readBytes = 0
  readonly #clock: PeerClock
  readonly #refuseLate: (socket: Socket) => void
  readonly #refusal: HBaseError | undefined

  constructor(socket: Socket, parts: HttpPeerParts) {
    this.#socket = socket
    this.#processor = parts.processor
    this.#bytesMax = parts.bytesMax
    this.#memory = parts.memory
    this.#logger = parts.logger
    this.#clock = new PeerClock(parts.nowMs)
    this.#refuseLate = parts.refuseLate
    this.#refusal = parts.refusal
    this.#socketCall = SocketCall.of(socket)
    this.#guard = parts.guard
  }

  expire(nowMs: number, deadlines: Deadlines): void {
    const { calls, receives } = { calls: this.#requests, receives: this.#receives() }
    const activity = { isRunning: this.#running > 0, calls, receives }
    const lateness = this.#clock.lateness(nowMs, this.#socket, activity, deadlines)
    if (lateness === undefined) return
    this.#logger.debug(`a client of HTTP is late with ${lateness}`)
    if (lateness === 'the rest of a request') this.#refuseLate(this.#socket)
    else this.#socket.destroy()
  }

  #receives(): Activity['receives'] {
    if (this.#receiving > 0) return 'request'
    return this.#open === 0 && this.#socket.bytesRead > this.#readBytes ? 'headers' : 'nothing'
  }

  close(): void {
    this.#isClosing = true
    if (this.#open === 0) this.#socket.destroySoon()
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    this.#open++
    this.#requests++
    response.once('close', () => {
      this.#open--
      this.#readBytes = this.#socket.bytesRead
      if (this.#isClosing && this.#open === 0) this.#socket.destroySoon()
    })
    if (this.#refusal !== undefined) {
      refuse(response, 503, this.#refusal.message, { 'retry-after': '1' })
      return
    }
    if (request.method !== 'POST') {
      this.#processor.countMalformed()
      refuse(response, 405, 'POST a Thrift message', { allow: 'POST' })
      return
    }
    if (this.#guard === undefined) this.#gather(request, response, this.#callOf(request))
    else void this.#logIn(this.#guard, request, response)
  }

  #callOf(request: IncomingMessage, principal?: Principal): Call {
    const address = forwardedAddress(request)
    if (principal === undefined && address === undefined) return this.#socketCall.call
    return this.#socketCall.as(principal, address)
  }

  /** Logs the client in before it reads the body: that of a client without a login takes no memory. */
  async #logIn(guard: Guard, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const place = placeOf(request, 'thrift')
    const answer: LoginAnswer = { loginHeaders: undefined }
    try {
      const other = actingHeader(request)
      const shown = await guard.ofHttp(request, place, answer)
      const principal = other === undefined ? shown : await guard.actingFor(shown, other, place)
      for (const [name, value] of Object.entries(answer.loginHeaders ?? {})) response.setHeader(name, value)
      this.#gather(request, response, this.#callOf(request, principal))
    } catch (error) {
      const refusal = loginRefusal(guard, error, place) ?? refusalToAct(error)
      if (refusal === undefined) this.#refuseForNow(response, error)
      else refuseCall(request, response, refusal)
    }
  }

  #gather(request: IncomingMessage, response: ServerResponse, ofUser: Call): void {
    const trace = this.#processor.access?.begin !== undefined ? httpTrace(request) : undefined
    const call = trace === undefined ? ofUser : { ...ofUser, trace }
    const grant = new MemoryGrant(this.#memory)
    const stated = request.headers['content-length']
    const body = new ReceivedBytes(grant, stated === undefined ? undefined : Number(stated))
    response.once('close', () => grant.release())
    request.on('data', (chunk: Buffer) => {
      if (response.headersSent) return
      if (Math.max(body.length + chunk.length, Number(stated ?? 0)) > this.#bytesMax) {
        this.#refuseSize(response, begunOf(body, chunk), call)
        return
      }
      const pushed = grant.atOnceOrLater(() => body.push(chunk))
      if (pushed === undefined) return
      request.pause()
      pushed
        .catch((error: unknown) => this.#refuseForNow(response, error, begunOf(body, chunk), call))
        .finally(() => request.resume())
    })
    this.#receiving++
    request.on('end', () => {
      this.#receiving--
      this.#readBytes = this.#socket.bytesRead
      if (response.headersSent) return
      const taken = grant.atOnceOrLater(() => {
        if (this.#memory.isFull || body.length > LARGE_BYTES) body.takeForMade('another call')
      })
      const gathered = body.gathered()
      if (taken === undefined && gathered === undefined) this.#call(body.whole(), response, grant, call)
      else
        Promise.all([taken, gathered]).then(
          () => this.#call(body.whole(), response, grant, call),
          (error: unknown) => this.#refuseForNow(response, error, body.begun, call),
        )
    })
  }

  #call(message: Buffer, response: ServerResponse, grant: MemoryGrant, call: Call): void {
    const dialect = detectDialect(message)
    if (typeof dialect !== 'object' || dialect.transport !== 'buffered') {
      this.#processor.countMalformed()
      refuse(response, 400, 'the body is no Thrift message')
      return
    }
    const fail = (error: unknown): void => this.#fail(response, dialect.protocol, error)
    const caller: Caller = {
      protocol: dialect.protocol,
      lengths: 0,
      session: this.#session,
      call: grant.bytes > 0 ? { ...call, memory: grant } : call,
      takeMemory: (bytes) => grant.take(bytes, 'what the call has'),
      settle: (reply) => {
        grant.noteAnswer(reply?.length ?? 0)
        this.#answer(response, reply)
      },
      fail,
    }
    try {
      this.#running++
      this.#processor.call(message, caller, true)
    } catch (error) {
      fail(error)
    }
  }

  #fail(response: ServerResponse, protocol: ProtocolName, error: unknown): void {
    this.#running--
    if (!(error instanceof ThriftProtocolError)) {
      this.#processor.failures.failed(error, { transport: 'http' })
      refuse(response, 500, 'Internal error')
      return
    }
    this.#processor.countMalformed()
    this.#processor.logMalformed(error, 'refused', protocol)
    refuse(response, 400, error.message)
  }

  #answer(response: ServerResponse, reply: Buffer | undefined): void {
    this.#running--
    response.writeHead(200, {
      'content-type': THRIFT_TYPE,
      'content-length': reply?.length ?? 0,
      ...(this.#isClosing ? { connection: 'close' } : {}),
    })
    response.end(reply)
  }

  /** Refuses a request. `begun`: the part of the body that has come. It names the method, whose exception is the answer. */
  #refuseForNow(response: ServerResponse, error: unknown, begun: Buffer = EMPTY, call?: Call): void {
    if (response.destroyed) return
    const caller = call && this.#refusedCaller(begun, call)
    const reply = caller && this.#processor.refuse(begun, caller, error)
    if (reply !== undefined) {
      answerThrift(response, reply)
      return
    }
    const message = messageOf(error)
    this.#processor.failures.failed(error, { transport: 'http' })
    refuse(response, 503, message, { 'retry-after': '1' })
  }

  #refuseSize(response: ServerResponse, begun: Buffer, call: Call): void {
    const message = `a body of more than ${this.#bytesMax} bytes`
    this.#processor.countMalformed()
    this.#processor.failures.malformed('SIZE_LIMIT', `refused: ${message}`, {})
    const caller = this.#refusedCaller(begun, call)
    const error = new ThriftProtocolError('SIZE_LIMIT', message)
    const reply = caller && this.#processor.refusal(begun, caller, error)
    if (reply !== undefined) answerThrift(response, reply)
    else refuse(response, 413, message)
  }

  /** The caller for a refusal; undefined where the body does not begin as a message. */
  #refusedCaller(begun: Buffer, call: Call): Caller | undefined {
    const dialect = detectDialect(begun)
    if (typeof dialect !== 'object' || dialect.transport !== 'buffered') return undefined
    const ends = { takeMemory: ignored, settle: ignored, fail: ignored }
    return { protocol: dialect.protocol, lengths: 0, session: this.#session, call, ...ends }
  }
}

const ignored = (): void => undefined

type CallRefusal = Pick<LoginRefusal, 'reason' | 'headers'> & { readonly status: number }

function refuseCall(
  request: IncomingMessage,
  response: ServerResponse,
  { status, reason, headers }: CallRefusal,
): void {
  const exception = refusedCall(request, reason)
  if (exception === undefined) refuse(response, status, reason, headers)
  else {
    response.writeHead(status, { 'content-type': THRIFT_TYPE, connection: 'close', ...headers })
    response.end(exception)
  }
}

/** The refusal of a client that may not act for another user; undefined for any other error. */
function refusalToAct(error: unknown): CallRefusal | undefined {
  if (!isHBaseError(error)) return undefined
  const { code, message: reason } = error
  if (code === 'ACCESS_DENIED') return { status: 403, reason, headers: {} }
  return code === 'ILLEGAL_ARGUMENT' ? { status: 400, reason, headers: {} } : undefined
}

function begunOf(body: ReceivedBytes, chunk: Buffer): Buffer {
  return body.length === 0 ? chunk : body.begun
}

/** Sends a refusal and ends the connection: an unknown part of the request is still to come. */
function refuse(response: ServerResponse, status: number, message: string, headers: LoginHeaders = {}): void {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close', ...headers })
  response.end(`${message}\n`)
}
