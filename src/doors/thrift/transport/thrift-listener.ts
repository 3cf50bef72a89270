import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import { ConnectionAdmission } from '../../../gateway/connections/connection-admission.ts'
import { ConnectionOrigin } from '../../../gateway/connections/connection-origin.ts'
import { leaveBytes, readDirectly } from '../../../gateway/connections/direct-reading.ts'
import { DoorServer } from '../../../gateway/connections/door-server.ts'
import { endInTime } from '../../../gateway/connections/ending-connections.ts'
import type { Handover } from '../../../gateway/connections/handover.ts'
import { SocketCall } from '../../../gateway/connections/socket-call.ts'
import type { DoorAddress, DoorContext } from '../../../gateway/door.ts'
import { declineUpgrade } from '../../../gateway/http/declined-upgrade.ts'
import { HttpRefusals, type ParserError } from '../../../gateway/http/http-refusals.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import { Refused } from '../../../gateway/identity/guard/login-errors.ts'
import { type ConnectionFront, tlsFront } from '../../../gateway/identity/tls/tls-front.ts'
import { answerMsNow } from '../../../gateway/limits/answer-limits.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { RequestLog } from '../../../gateway/observing/logs/access-log.ts'
import { RequestFailures } from '../../../gateway/observing/logs/request-failures.ts'
import { DoorCounters } from '../../../gateway/observing/metrics.ts'
import { ByteQueue } from '../../../gateway/requests/byte-queue.ts'
import type { DecodeThreads } from '../../../gateway/requests/decoding/decode-threads.ts'
import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import type { HBaseError } from '../../../model/errors.ts'
import { LayerLine } from '../../../wire/sasl/layer-line.ts'
import type { ProtocolName } from '../../../wire/thrift/protocol.ts'
import { type DeclaredService, methodTable } from '../contract/method-table.ts'
import { CallProcessor } from './call-processor.ts'
import { Connection } from './connection.ts'
import type { Conversation } from './conversation.ts'
import { type Dialect, strangeness } from './dialect.ts'
import type { ForwardedScans } from './forwarded-scans.ts'
import { HttpPeer } from './http-peer.ts'
import { BufferedMessages, FramedMessages } from './incoming-messages.ts'
import { loginByCertificate } from './login-by-certificate.ts'
import type { Peer } from './peer.ts'
import { ProtectedQueue } from './protected-queue.ts'
import { SaslLogin } from './sasl-login.ts'
import type { LoggedIn } from './sasl-mechanisms.ts'
import { SaslQueue } from './sasl-queue.ts'
import { Stranger } from './stranger.ts'
import { strangersLimits, type TransportLimits } from './transport-limits.ts'

export interface ThriftListenerOptions
  extends Pick<
    DoorContext,
    'descriptorsMax' | 'guard' | 'trustedProxies' | 'audit' | 'certificates' | 'handover' | 'incoming'
  > {
  readonly services: readonly DeclaredService[]
  readonly limits: TransportLimits
  readonly memory: MemoryBudget
  /** Threads that decode large messages; only for services of idl/. */
  readonly decoding?: DecodeThreads | undefined
  readonly logger: Logger
  readonly access?: RequestLog | undefined
  readonly forwarding?: ForwardedScans | undefined
  /** Takes each connection before the listener does; absent for the one that the certificates need. */
  readonly front?: ConnectionFront | undefined
  /** Counters of another listener of the door, which then counts the connections. Absent for counters of its own. */
  readonly counters?: DoorCounters | undefined
  /** Returns milliseconds since any fixed moment. */
  readonly now?: () => number
}

type Spoken = Extract<Dialect, { readonly protocol: ProtocolName }>

/** Time in milliseconds that a refused client has for its first call. */
const REFUSED_MS = 1000
function monotonicMs(): number {
  return performance.now()
}

/** A port for all dialects of Thrift. */
export class ThriftListener {
  readonly counters: DoorCounters
  readonly #limits: TransportLimits
  readonly #memory: MemoryBudget
  readonly #logger: Logger
  readonly #guard: Guard | undefined
  readonly #failures: RequestFailures
  readonly #now: () => number
  readonly #processor: CallProcessor
  readonly #front: ConnectionFront
  readonly #server: DoorServer
  readonly #handover: Handover | undefined
  /** Serves the connections that speak HTTP. It does not listen itself: this listener hands it these connections. */
  readonly #httpServer: HttpServer
  readonly #httpPeers = new WeakMap<Socket, HttpPeer>()
  readonly #peers = new Map<Socket, Peer>()
  readonly #refusals: HttpRefusals
  readonly #admission: ConnectionAdmission
  readonly #sweeper: NodeJS.Timeout

  constructor(options: ThriftListenerOptions) {
    const { services, limits, memory, descriptorsMax, logger, handover, now = monotonicMs } = options
    this.counters = options.counters ?? new DoorCounters()
    this.#memory = memory
    this.#limits = limits
    this.#logger = logger
    this.#guard = options.guard
    this.#failures = new RequestFailures('Thrift', logger)
    this.#now = now
    const methods = methodTable(services, this.counters)
    const { counters } = this
    const failures = this.#failures
    this.#processor = new CallProcessor({ ...options, methods, counters, failures })
    this.#handover = handover
    this.#server = new DoorServer({
      ...options,
      door: 'thrift',
      admits: (socket) => this.#admission.admits(socket, this.#open),
      accept: (socket) => this.#front.open(socket, (served) => this.#accept(readDirectly(served))),
    })
    this.#front =
      options.front ?? tlsFront({ ...options, door: 'thrift', malformed: () => counters.malformed() })
    const { connectionsMax, headerBytesMax } = limits
    this.#admission = new ConnectionAdmission({ door: 'thrift', connectionsMax, descriptorsMax, logger })
    if (options.counters === undefined) {
      counters.connections = () => this.#peers.size
      counters.refusedConnections = () => this.#admission.refused
    }
    const serve: RequestListener = (request, response) =>
      this.#httpPeers.get(request.socket)!.serve(request, response)
    const known = options.trustedProxies?.before(serve, () => counters.malformed()) ?? serve
    this.#refusals = new HttpRefusals(known, headerBytesMax)
    const ofHttp = { maxHeaderSize: headerBytesMax, keepAliveTimeout: 0 }
    this.#httpServer = createHttpServer(ofHttp, this.#refusals.listen)
    this.#httpServer.on('clientError', (error: ParserError, socket) => {
      if (error.code?.startsWith('HPE_')) counters.malformed()
      this.#refusals.malformed(error, socket as Socket)
    })
    this.#httpServer.on('checkContinue', this.#refusals.listenToWaiting)
    this.#httpServer.on('connect', (request, socket) => this.#refusals.tunnel(request, socket as Socket))
    this.#httpServer.on('upgrade', (request, socket, rest) =>
      declineUpgrade(this.#httpServer, request, socket, rest),
    )
    const { connectionIdleMs, headersMs, requestMs, answerMs, scarceAnswerMs } = limits
    const shortestMs = Math.min(connectionIdleMs, headersMs, requestMs, answerMs, scarceAnswerMs)
    this.#sweeper = setInterval(() => this.sweep(), Math.max(50, shortestMs / 4))
    this.#sweeper.unref()
  }

  /** Begins to listen. Resolves to the port. */
  listen(address: DoorAddress): Promise<number> {
    return this.#server.listen(address)
  }

  /** Begins to serve the calls that siblings hand on. */
  listenToSiblings(siblings: Siblings): Promise<void> {
    return siblings.listen(this.#server.server, 'thrift')
  }

  /** Ends the connections of clients that are late. A timer calls it; tests call it after moving their clock. */
  sweep(): void {
    const now = this.#now()
    const limits = this.#limits
    const deadlines = { ...limits, answerMs: answerMsNow(limits, this.#memory) }
    for (const peer of this.#peers.values()) peer.expire(now, deadlines)
  }

  /** Accepts no more calls, answers the running ones, ends all connections. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper)
    this.#front.close()
    const closed = this.#server.close()
    for (const peer of this.#peers.values()) peer.close()
    const end = endInTime(() => this.#peers.keys())
    await closed
    end()
    this.#failures.close()
  }

  /** The door's open connections, also those that threads serve. */
  get #open(): number {
    return this.#peers.size + (this.#handover?.open('thrift') ?? 0)
  }

  #accept(socket: Socket): void {
    socket.on('error', (err) => this.#logger.debug({ err }, 'a Thrift connection broke'))
    const refusal = this.#admission.refusal(socket, this.#open)
    if (refusal !== undefined && !this.#admission.mayAnswer(socket)) {
      socket.destroy()
      return
    }
    if (refusal !== undefined) endSoon(socket)
    const queue = new ByteQueue(this.#memory)
    if (refusal === undefined) socket.once('close', () => this.#peers.delete(socket))
    this.#awaitDialect(socket, queue, refusal, (dialect) => {
      if (dialect.transport === 'sasl') this.#logIn(socket, queue, refusal)
      else if (dialect.transport === 'http') this.#converseHttp(socket, queue, refusal)
      else this.#converse(socket, dialect, queue, refusal ?? this.#stranger(socket))
    })
  }

  /** Waits for the first bytes, which show the dialect. */
  #awaitDialect(
    socket: Socket,
    queue: ByteQueue,
    refusal: HBaseError | undefined,
    known: (dialect: Dialect) => void,
  ): void {
    const stranger = new Stranger(socket, queue, this.#now(), (dialect) => {
      if (dialect === undefined) this.#malformed(socket, queue)
      else known(dialect)
    })
    if (refusal === undefined) this.#peers.set(socket, stranger)
    socket.once('close', () => queue.clear())
    stranger.look()
  }

  #malformed(socket: Socket, queue: ByteQueue): void {
    this.counters.malformed()
    const bytes = queue.buffer.subarray(queue.start, queue.end)
    this.#failures.malformed('dialect', `closing: ${strangeness(bytes)}`, {
      remote: ConnectionOrigin.of(socket).address,
    })
    socket.destroy()
  }

  /** The refusal of a client that must log in and has not; undefined where it need not, or its certificate names its user. */
  #stranger(socket: Socket): HBaseError | undefined {
    if (this.#guard === undefined) return undefined
    const known = loginByCertificate(this.#guard, socket)
    if (known instanceof Refused) return known
    SocketCall.loggedIn(socket, known)
    return undefined
  }

  #logIn(socket: Socket, queue: ByteQueue, refusal: HBaseError | undefined): void {
    const malformed = (reason: string): void => {
      this.counters.malformed()
      this.#failures.malformed('SASL', reason, { remote: ConnectionOrigin.of(socket).address })
    }
    const loggedIn = ({ principal, layer }: LoggedIn, rest: Buffer): void => {
      SocketCall.loggedIn(socket, principal)
      const line = layer && new LayerLine(layer)
      const payloads = this.#payloads(line, (reason) => {
        malformed(reason)
        socket.destroy()
      })
      payloads.push(rest, false)
      this.#awaitDialect(socket, payloads, refusal, (dialect) => {
        if (dialect.transport === 'buffered' || dialect.transport === 'framed')
          this.#converse(socket, dialect, payloads, refusal, { line })
        else this.#malformed(socket, payloads)
      })
    }
    const login = new SaslLogin(socket, {
      guard: this.#guard,
      queue,
      memory: this.#memory,
      nowMs: this.#now(),
      loggedIn,
      malformed,
    })
    if (this.#peers.has(socket)) this.#peers.set(socket, login)
  }

  /** A queue of the messages in SASL's frames. */
  #payloads(line: LayerLine | undefined, malformed: (reason: string) => void): ByteQueue {
    const memory = this.#memory
    if (line === undefined) return new SaslQueue(memory, malformed)
    return new ProtectedQueue({ memory, line, messageBytesMax: this.#limits.requestBytesMax, malformed })
  }

  /** `login`: that of a client behind SASL. */
  #converse(
    socket: Socket,
    dialect: Spoken,
    queue: ByteQueue,
    refusal: HBaseError | undefined,
    login?: Pick<Conversation, 'line'>,
  ): void {
    const isStranger = refusal instanceof Refused
    const limits = isStranger ? strangersLimits(this.#limits) : this.#limits
    const framed = dialect.transport === 'framed'
    const messages = framed
      ? new FramedMessages(queue, limits.requestBytesMax, isStranger ? 0 : undefined)
      : new BufferedMessages(queue, dialect.protocol, limits)
    const isBehindSasl = login !== undefined
    const line = login?.line
    const hasSaslLength = isBehindSasl && line === undefined
    const lengths = framed && hasSaslLength ? 2 : framed || hasSaslLength ? 1 : 0
    const said = {
      protocol: dialect.protocol,
      lengths,
      isBehindSasl,
      line,
      queue,
      messages,
      refusal,
    } as const
    const spoken = { ...said, memory: this.#memory, nowMs: this.#now() }
    this.#putPeer(socket, new Connection(socket, spoken, this.#processor, this.#logger))
  }

  /** Replaces the peer of a connection. Does nothing for a refused client and for a connection that has ended: these are no peers. */
  #putPeer(socket: Socket, peer: Peer): void {
    if (this.#peers.has(socket)) this.#peers.set(socket, peer)
  }

  #httpPeer(socket: Socket, refusal: HBaseError | undefined): HttpPeer {
    return new HttpPeer(socket, {
      processor: this.#processor,
      bytesMax: this.#limits.requestBytesMax,
      memory: this.#memory,
      guard: this.#guard,
      logger: this.#logger,
      nowMs: this.#now(),
      refuseLate: this.#refuseLate,
      refusal,
    })
  }

  readonly #refuseLate = (socket: Socket): void => {
    this.#refusals.late(socket)
  }

  #converseHttp(socket: Socket, queue: ByteQueue, refusal: HBaseError | undefined): void {
    const peer = this.#httpPeer(socket, refusal)
    this.#putPeer(socket, peer)
    this.#httpPeers.set(socket, peer)
    socket.pause()
    leaveBytes(socket)
    socket.unshift(queue.take(queue.length))
    this.#httpServer.emit('connection', socket)
    socket.resume()
  }
}

function endSoon(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), REFUSED_MS)
  socket.once('close', () => clearTimeout(timer))
}
