/** An HTTP server for doors. It enforces the limits, and completes its answers before it closes. */

import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isProxyProtocol } from '../../wire/proxy-protocol.ts'
import { ConnectionAdmission } from '../connections/connection-admission.ts'
import { readDirectly } from '../connections/direct-reading.ts'
import { DoorServer } from '../connections/door-server.ts'
import { endInTime } from '../connections/ending-connections.ts'
import type { Handover } from '../connections/handover.ts'
import type { Incoming } from '../connections/incoming.ts'
import { OpenConnections } from '../connections/open-connections.ts'
import { reportProxyProtocol } from '../connections/proxied-connection.ts'
import type { DoorAddress } from '../door.ts'
import type { TrustedProxies } from '../identity/proxies/trusted-proxies.ts'
import type { Certificates } from '../identity/tls/certificates.ts'
import { type ConnectionFront, tlsFront } from '../identity/tls/tls-front.ts'
import { answerMsNow } from '../limits/answer-limits.ts'
import type { Limits } from '../limits/limits.ts'
import type { MemoryBudget } from '../limits/memory-budget.ts'
import type { AuditLog } from '../observing/audit/audit-log.ts'
import { IncidentLog } from '../observing/logs/incident-log.ts'
import type { DoorCounters } from '../observing/metrics.ts'
import { declineUpgrade, isPutBack } from './declined-upgrade.ts'
import { HttpRefusals, type ParserError, refuseForNow, refusePlainHttp } from './http-refusals.ts'
import { RawRequestLines, StandIn } from './raw-request-line.ts'
import { type AnswerExchange, SmallRequests } from './small-requests.ts'

export interface HttpServer {
  readonly port: number
  /** Waits for the answers that are being sent, then ends the remaining connections. */
  close(): Promise<void>
}

export interface HttpServerParts {
  /** The name of the door, for the log. */
  readonly door: string
  readonly limits: Pick<
    Limits,
    | 'headerBytesMax'
    | 'connectionIdleMs'
    | 'connectionsMax'
    | 'headersMs'
    | 'requestMs'
    | 'answerMs'
    | 'scarceAnswerMs'
  >
  readonly counters: DoorCounters
  /** The memory of all requests; undefined: its state does not shorten the time to read an answer. */
  readonly memory?: Pick<MemoryBudget, 'isScarce'> | undefined
  readonly logger: Logger
  /** See DoorContext. */
  readonly descriptorsMax?: number | undefined
  /** See DoorContext. */
  readonly certificates?: Certificates | undefined
  /** See DoorContext. */
  readonly audit?: AuditLog | undefined
  /** See DoorContext. */
  readonly trustedProxies?: TrustedProxies | undefined
  /** See DoorContext. */
  readonly handover?: Handover | undefined
  /** See DoorContext. */
  readonly incoming?: Incoming | undefined
  /** Answers small requests; undefined: Node's server reads all requests, and `listener` answers them. */
  readonly answerSmall?: AnswerExchange
  /** Advice for a client whose request line is too long: a sentence. */
  readonly insteadOfLongLine?: string
}

/** Resolves once the server listens. Throws Node's error where it cannot listen on the address. */
export async function openHttpServer(
  listener: RequestListener,
  parts: HttpServerParts,
  address: DoorAddress,
): Promise<HttpServer> {
  const { limits, counters, trustedProxies } = parts
  const { headerBytesMax, insteadOfLongLine } = { insteadOfLongLine: '', ...limits, ...parts }
  const known = trustedProxies?.before(listener, () => counters.malformed()) ?? listener
  const refusals = new HttpRefusals(known, headerBytesMax, insteadOfLongLine)
  const incidents = new IncidentLog(parts.logger)
  const server = createServer(optionsOf(limits), refusals.listen)
  // Counts while no byte moves, between requests and within one.
  server.timeout = limits.connectionIdleMs
  // Node would drop the headers beyond 2000 silently. maxHeaderSize limits them.
  server.maxHeadersCount = 0
  // A client may end its side of the connection after the request and still read the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  const refuse = (error: ParserError, socket: Duplex): void => {
    if (error.code?.startsWith('HPE_')) counters.malformed()
    if (isProxyProtocol(error.rawPacket)) reportProxyProtocol(incidents, parts.door, socket as Socket)
    refusals.malformed(error, socket as Socket)
  }
  const rawLines = new RawRequestLines(server, headerBytesMax, refuse)
  server.on('clientError', (error: ParserError, socket) => {
    if (!rawLines.goOn(error, socket)) refuse(error, socket)
  })
  server.on('checkContinue', refusals.listenToWaiting)
  server.on('connect', (incoming, socket) => refusals.tunnel(incoming, socket as Socket))
  server.on('upgrade', (incoming, socket, rest) => declineUpgrade(server, incoming, socket, rest))
  server.on('timeout', (socket) => refusals.idle(rawLines.streamOf(socket) as Socket))
  const front = tlsFront({ ...parts, malformed: () => counters.malformed(), refusePlain: refusePlainHttp })
  const small = smallRequests(server, parts, refusals)
  const connections = new OpenConnections()
  const doorServer = admitting(server, connections, front, small, parts)
  const sweeper = endLateReaders(connections, parts)
  counters.connections = () => connections.size
  const port = await doorServer.listen(address)
  // Node's server looks for late requests from its event on, which a server that listens has had.
  if (parts.incoming !== undefined) server.emit('listening')
  return {
    port,
    close: async () => {
      clearInterval(sweeper)
      front.close()
      incidents.close()
      small?.close()
      // Node's server has a connection that came to it just now for an idle one until it has read the bytes.
      await nextTurn()
      await closeServer(server, doorServer, connections, rawLines)
    },
  }
}

/** With one that Node 20, whose types these are, does not know. */
interface NewerServerOptions extends ServerOptions {
  readonly shouldUpgradeCallback: (this: Server, incoming: IncomingMessage) => boolean
}

function shouldUpgradeCallback(this: Server, incoming: IncomingMessage): boolean {
  return isPutBack(this, incoming)
}

function optionsOf({ headerBytesMax, headersMs, requestMs }: HttpServerParts['limits']): NewerServerOptions {
  const headersTimeout = Math.min(headersMs, requestMs)
  return {
    maxHeaderSize: headerBytesMax,
    headersTimeout,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs(headersTimeout),
    keepAliveTimeout: 0,
    shouldUpgradeCallback,
  }
}

function smallRequests(
  server: Server,
  { answerSmall, limits, counters, trustedProxies }: HttpServerParts,
  refusals: HttpRefusals,
): SmallRequests | undefined {
  if (answerSmall === undefined) return undefined
  return new SmallRequests({
    answer: answerSmall,
    leave: serveOf(server),
    refuseLate: (socket) => refusals.late(socket),
    refuseCut: (socket) => {
      counters.malformed()
      refusals.cutOff(socket)
    },
    headBytesMax: limits.headerBytesMax,
    firstMs: Math.min(limits.headersMs, limits.requestMs),
    idleMs: limits.connectionIdleMs,
    trustedProxies,
  })
}

/** How Node's server serves a connection. */
function serveOf(server: Server): (connection: Duplex) => void {
  const [serve] = server.listeners('connection') as ((connection: Duplex) => void)[]
  return (connection) => serve!.call(server, connection)
}

/** Puts the connections that the door takes into `connections`. Node's server does not see refused ones. */
function admitting(
  server: Server,
  connections: OpenConnections,
  front: ConnectionFront,
  small: SmallRequests | undefined,
  parts: HttpServerParts,
): DoorServer {
  const { door, limits, counters, handover } = parts
  const admission = new ConnectionAdmission({ ...parts, connectionsMax: limits.connectionsMax })
  counters.refusedConnections = () => admission.refused
  const serve = serveOf(server)
  const open = (): number => connections.size + (handover?.open(door) ?? 0)
  const take = (connection: Socket): void => {
    const refusal = admission.refusal(connection, open())
    if (refusal !== undefined) {
      if (admission.mayAnswer(connection)) refuseForNow(connection, refusal.message)
      else connection.destroy()
      return
    }
    const socket = small === undefined ? connection : readDirectly(connection)
    connections.add(socket)
    if (small !== undefined && socket !== connection) small.open(socket)
    else serve(socket)
  }
  const admits = (socket: Socket): boolean => admission.admits(socket, open())
  const accept = (socket: Socket): void => front.open(socket, take)
  const doorServer = new DoorServer({ ...parts, netServer: server, admits, accept })
  server.removeAllListeners('connection')
  server.on('connection', (connection: Duplex) => {
    // A stand-in is no new connection, and a connection that asked for another protocol comes twice.
    if (connection instanceof StandIn || connections.has(connection)) serve(connection)
    else doorServer.accepted(connection as Socket)
  })
  return doorServer
}

function endLateReaders(
  connections: OpenConnections,
  { door, limits, memory, logger }: HttpServerParts,
): NodeJS.Timeout {
  const timer = setInterval(
    () => {
      const answerMs = answerMsNow(limits, memory)
      const ended = connections.endLate(performance.now(), answerMs)
      if (ended > 0)
        logger.debug({ door, ended }, `clients took too little of their answers in ${answerMs} ms`)
    },
    checkMs(Math.min(limits.answerMs, limits.scarceAnswerMs)),
  )
  return timer.unref()
}

/** The time between two looks for connections whose last answer has left while the door closes. */
const CLOSING_LOOK_MS = 20

/** The time between two checks of a limit. */
function checkMs(limitMs: number): number {
  return Math.min(30_000, Math.max(20, limitMs / 4))
}

async function closeServer(
  server: Server,
  doorServer: DoorServer,
  connections: OpenConnections,
  rawLines: RawRequestLines,
): Promise<void> {
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    const streams = [...connections.all].flatMap((connection) => [connection, rawLines.streamOf(connection)])
    sparingSenders(streams, closeIdle)
  }
  const closed = doorServer.close()
  // Node leaves a connection open whose answer was due, until it is asked again.
  const endIdle = setInterval(() => server.closeIdleConnections(), CLOSING_LOOK_MS)
  server.closeIdleConnections()
  // Node forgets the connections that asked for another protocol or a tunnel.
  const end = endInTime(() => connections.all)
  await closed
  clearInterval(endIdle)
  end()
}

/** Node takes a connection for idle once its answer is made, while the socket still has bytes of it. `closeIdle` leaves such connections open. */
function sparingSenders(streams: readonly Duplex[], closeIdle: () => void): void {
  const sending = streams.filter((stream) => stream.writableLength > 0)
  for (const stream of sending) Object.assign(stream, { destroy: () => stream })
  closeIdle()
  for (const stream of sending) Reflect.deleteProperty(stream, 'destroy')
}
