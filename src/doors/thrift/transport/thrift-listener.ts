import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import type { Logger } from 'pino'
import type { AccessLog } from '../../../gateway/access-log.ts'
import { declineUpgrade } from '../../../gateway/declined-upgrade.ts'
import type { DecodeThreads } from '../../../gateway/decoding/decode-threads.ts'
import type { DoorAddress } from '../../../gateway/door.ts'
import type { Limits } from '../../../gateway/limits.ts'
import type { MemoryBudget } from '../../../gateway/memory-budget.ts'
import { DoorCounters } from '../../../gateway/metrics.ts'
import { RequestFailures } from '../../../gateway/request-failures.ts'
import { ByteQueue } from './byte-queue.ts'
import { CallProcessor } from './call-processor.ts'
import { Connection } from './connection.ts'
import { type Dialect, detectDialect, strangeness } from './dialect.ts'
import { HttpPeer } from './http-peer.ts'
import { BufferedMessages, FramedMessages } from './incoming-messages.ts'
import { type DeclaredService, methodTable } from './method-table.ts'
import type { Peer } from './peer.ts'

export type TransportLimits = Pick<
  Limits,
  'requestBytesMax' | 'headerBytesMax' | 'depthMax' | 'elementsMax' | 'connectionIdleMs' | 'connectionsMax'
>

export interface ThriftListenerOptions {
  readonly services: readonly DeclaredService[]
  readonly limits: TransportLimits
  readonly memory: MemoryBudget
  /** For services of idl/ only. */
  readonly decoding?: DecodeThreads | undefined
  readonly logger: Logger
  readonly access?: AccessLog | undefined
  /** Milliseconds since any fixed moment. */
  readonly now?: () => number
}

/** Time that connections have to end after `close`; then they are destroyed. */
const CLOSE_GRACE_MS = 5000

function monotonicMs(): number {
  return performance.now()
}

/** One port for all dialects of Thrift. */
export class ThriftListener {
  readonly counters: DoorCounters = new DoorCounters()
  readonly #limits: TransportLimits
  readonly #memory: MemoryBudget
  readonly #logger: Logger
  readonly #failures: RequestFailures
  readonly #now: () => number
  readonly #processor: CallProcessor
  readonly #server: Server
  /** Does not listen: the listener hands it the connections that speak HTTP. */
  readonly #httpServer: HttpServer
  readonly #httpPeers = new WeakMap<Socket, HttpPeer>()
  readonly #peers = new Map<Socket, Peer>()
  readonly #sweeper: NodeJS.Timeout

  constructor({
    services,
    limits,
    memory,
    decoding,
    logger,
    access,
    now = monotonicMs,
  }: ThriftListenerOptions) {
    this.#memory = memory
    this.#limits = limits
    this.#logger = logger
    this.#failures = new RequestFailures('Thrift', logger)
    this.#now = now
    this.counters.connections = () => this.#peers.size
    const methods = methodTable(services, this.counters)
    const { counters } = this
    const failures = this.#failures
    this.#processor = new CallProcessor({ methods, limits, counters, failures, access, decoding })
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => this.#accept(socket))
    this.#server.maxConnections = limits.connectionsMax
    this.#server.on('drop', (dropped) => {
      failures.malformed('connections', `refused: ${limits.connectionsMax} connections are open`, {
        remote: dropped?.remoteAddress,
      })
    })
    this.#httpServer = createHttpServer(
      { maxHeaderSize: limits.headerBytesMax, keepAliveTimeout: limits.connectionIdleMs },
      (request, response) => this.#httpPeers.get(request.socket)!.serve(request, response),
    )
    this.#httpServer.on('upgrade', (request, socket, rest) =>
      declineUpgrade(this.#httpServer, request, socket, rest),
    )
    this.#sweeper = setInterval(() => this.sweep(), Math.max(50, limits.connectionIdleMs / 4))
    this.#sweeper.unref()
  }

  /** Resolves to the port. */
  listen({ host, port }: DoorAddress): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen({ host, port }, () => {
        this.#server.off('error', reject)
        this.#server.on('error', (err) => this.#logger.error({ err }, 'the Thrift port failed'))
        resolve((this.#server.address() as AddressInfo).port)
      })
    })
  }

  /** Ends idle connections. A timer calls it; tests call it after moving their clock. */
  sweep(): void {
    const now = this.#now()
    for (const peer of this.#peers.values()) peer.expire(now, this.#limits.connectionIdleMs)
  }

  /** Accepts no more calls, answers the running ones, ends all connections. */
  async close(): Promise<void> {
    clearInterval(this.#sweeper)
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const peer of this.#peers.values()) peer.close()
    const timer = setTimeout(() => {
      for (const socket of this.#peers.keys()) socket.destroy()
    }, CLOSE_GRACE_MS)
    await closed
    clearTimeout(timer)
    this.#failures.close()
  }

  #accept(socket: Socket): void {
    const since = this.#now()
    this.#peers.set(socket, {
      expire: (nowMs, idleMs) => {
        if (nowMs - since >= idleMs) socket.destroy()
      },
      close: () => socket.destroy(),
    })
    socket.on('error', (err) => this.#logger.debug({ err }, 'a Thrift connection broke'))
    const queue = new ByteQueue(this.#memory)
    socket.once('close', () => {
      this.#peers.delete(socket)
      queue.clear()
    })
    const receive = (chunk: Buffer): void => {
      queue.push(chunk, false)
      const dialect = detectDialect(queue.buffer.subarray(queue.start, queue.end))
      if (dialect === 'more') return
      socket.off('data', receive)
      socket.off('end', end)
      this.#converse(socket, dialect, queue)
    }
    const end = (): void => {
      socket.destroy()
    }
    socket.on('data', receive)
    socket.on('end', end)
  }

  #converse(socket: Socket, dialect: Dialect | undefined, queue: ByteQueue): void {
    if (dialect === undefined) {
      this.counters.malformed()
      const bytes = queue.buffer.subarray(queue.start, queue.end)
      this.#failures.malformed('dialect', `closing: ${strangeness(bytes)}`, { remote: socket.remoteAddress })
      socket.destroy()
    } else if (dialect.transport === 'http') {
      this.#converseHttp(socket, queue)
    } else {
      this.#converseThrift(socket, dialect, queue)
    }
  }

  #converseThrift(
    socket: Socket,
    dialect: Exclude<Dialect, { readonly transport: 'http' }>,
    queue: ByteQueue,
  ): void {
    const framed = dialect.transport === 'framed'
    const messages = framed
      ? new FramedMessages(queue, this.#limits.requestBytesMax)
      : new BufferedMessages(queue, dialect.protocol, this.#limits)
    const conversation = { protocol: dialect.protocol, framed, queue, messages, memory: this.#memory }
    const connection = new Connection(socket, conversation, this.#processor, this.#logger, this.#now())
    if (this.#peers.has(socket)) this.#peers.set(socket, connection)
  }

  #converseHttp(socket: Socket, queue: ByteQueue): void {
    const bytesMax = this.#limits.requestBytesMax
    const peer = new HttpPeer(socket, {
      processor: this.#processor,
      bytesMax,
      memory: this.#memory,
      logger: this.#logger,
      nowMs: this.#now(),
    })
    this.#peers.set(socket, peer)
    this.#httpPeers.set(socket, peer)
    socket.pause()
    socket.unshift(queue.take(queue.length))
    this.#httpServer.emit('connection', socket)
    socket.resume()
  }
}
