/** An HTTP server for doors: it keeps the limits, and closes without breaking off answers. */

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { declineUpgrade } from './declined-upgrade.ts'
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
  // Node would leave out the headers beyond 2000 without a word; maxHeaderSize limits them.
  server.maxHeadersCount = 0
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
  server.on('upgrade', (incoming, socket, rest) => declineUpgrade(server, incoming, socket, rest))
  server.on('timeout', (socket) => refusals.idle(rawLines.streamOf(socket) as Socket))
  const connections = openConnections(server)
  counters.connections = () => connections.size
  server.listen(address.port, address.host)
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server, connections) }
}

/** The connections of clients that are open: a stand-in is none, and one that the server gets anew is there once. */
function openConnections(server: Server): ReadonlySet<Duplex> {
  const open = new Set<Duplex>()
  server.on('connection', (connection: Duplex) => {
    if (connection instanceof StandIn || open.has(connection)) return
    open.add(connection)
    connection.once('close', () => open.delete(connection))
    // Node takes its own listener off a connection that asks for another protocol or a tunnel: a reset would end the process.
    connection.on('error', () => connection.destroy())
  })
  return open
}

async function closeServer(server: Server, connections: ReadonlySet<Duplex>): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  // Node forgets the connections that asked for another protocol or a tunnel.
  const grace = setTimeout(() => {
    for (const connection of connections) connection.destroy()
  }, CLOSE_GRACE_MS)
  await closed
  clearTimeout(grace)
}
