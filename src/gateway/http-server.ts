/** An HTTP server for doors: it keeps the limits, and closes without breaking off answers. */

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { DoorAddress } from './door.ts'
import { HttpRefusals, type ParserError } from './http-refusals.ts'
import type { Limits } from './limits.ts'
import type { DoorCounters } from './metrics.ts'
import { RawRequestLines, StandIn } from './raw-request-line.ts'

/** The time that answers under way have to finish once the door closes. */
const CLOSE_GRACE_MS = 5000

export interface HttpServer {
  readonly port: number
  /** Waits for the answers that are under way, then ends the remaining connections. */
  close(): Promise<void>
}

/** Resolves once it listens. Throws Node's error where it cannot listen on the address. */
export async function openHttpServer(
  listener: RequestListener,
  limits: Pick<Limits, 'headerBytesMax' | 'connectionIdleMs' | 'connectionsMax'>,
  counters: DoorCounters,
  address: DoorAddress,
): Promise<HttpServer> {
  const refusals = new HttpRefusals(listener)
  const server = createServer({ maxHeaderSize: limits.headerBytesMax }, refusals.listen)
  // One clock for a connection, between requests and within one: it runs while no byte moves.
  server.timeout = limits.connectionIdleMs
  server.keepAliveTimeout = 0
  server.requestTimeout = limits.connectionIdleMs
  server.maxConnections = limits.connectionsMax
  // A client may end its side after the request and still wait for all of the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  const refuse = (error: ParserError, socket: Duplex): void => {
    if (error.code?.startsWith('HPE_')) counters.malformed()
    refusals.malformed(error, socket as Socket)
  }
  const rawLines = new RawRequestLines(server, limits.headerBytesMax, refuse)
  server.on('clientError', (error: ParserError, socket) => {
    if (!rawLines.goOn(error, socket)) refuse(error, socket)
  })
  server.on('connect', (incoming, socket) => refusals.tunnel(incoming, socket as Socket))
  server.on('timeout', (socket) => refusals.idle(rawLines.streamOf(socket) as Socket))
  countConnections(server, counters)
  server.listen(address.port, address.host)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) }
}

function countConnections(server: Server, counters: DoorCounters): void {
  let open = 0
  server.on('connection', (socket: Duplex) => {
    if (socket instanceof StandIn) return
    open++
    socket.once('close', () => open--)
  })
  counters.connections = () => open
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const grace = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
  await closed
  clearTimeout(grace)
}
