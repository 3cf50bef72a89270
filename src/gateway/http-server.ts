/** An HTTP server for doors: it keeps the limits, and closes without breaking off answers. */

import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { DoorAddress } from './door.ts'
import type { Limits } from './limits.ts'
import type { DoorCounters } from './metrics.ts'
import { type ParseError, RawRequestLines, StandIn } from './raw-request-line.ts'

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
  const server = createServer({ maxHeaderSize: limits.headerBytesMax }, listener)
  // One clock for a connection, between requests and within one: it runs while no byte moves.
  server.timeout = limits.connectionIdleMs
  server.keepAliveTimeout = 0
  server.requestTimeout = limits.connectionIdleMs
  server.maxConnections = limits.connectionsMax
  // A client may end its side after the request and still wait for all of the answer.
  Object.assign(server, { httpAllowHalfOpen: true })
  const refuse = (error: ParseError, socket: Duplex): void => {
    if (error.code?.startsWith('HPE_')) counters.malformed()
    refuseMalformed(error, socket)
  }
  const rawLines = new RawRequestLines(server, limits.headerBytesMax, refuse)
  server.on('clientError', (error: ParseError, socket) => {
    if (!rawLines.goOn(error, socket)) refuse(error, socket)
  })
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

/** Answers bytes that Node's parser could not read. */
function refuseMalformed(error: ParseError, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const status =
    error.code === 'HPE_HEADER_OVERFLOW'
      ? '431 Request Header Fields Too Large'
      : error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
        ? '408 Request Timeout'
        : '400 Bad Request'
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const grace = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
  await closed
  clearTimeout(grace)
}
