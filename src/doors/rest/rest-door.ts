/**
 * The REST door: HBase's REST interface over HTTP/1.1. Requests for rows, which are nearly all, are recognised by their
 * path at once; Hono routes the others. Either way one class reads the request and one function writes the answer.
 */

import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Logger } from 'pino'
import type { Door, DoorAddress, DoorContext } from '../../gateway/door.ts'
import { ScannerLeases } from '../../gateway/scanner-leases.ts'
import { type Answer, writeAnswer } from './answer.ts'
import { errorAnswer, Refusal } from './errors.ts'
import { isWellEncoded } from './percent.ts'
import { RestRequest } from './request.ts'
import { type Listener, type Respond, routerOf } from './router.ts'
import { answerRowPath } from './row-resource.ts'
import type { OpenScanner, RestService } from './service.ts'
import { parseRowPath } from './table-path.ts'

/** How long answers that are under way may take once the door is told to close. */
const CLOSE_GRACE_MS = 5000

export async function startRestDoor(context: DoorContext, address: DoorAddress): Promise<Door> {
  const { limits } = context
  const scanners = new ScannerLeases<OpenScanner>({
    idleMs: limits.scannerIdleMs,
    countMax: limits.scannersMax,
  })
  const service: RestService = { ...context, scanners, scannerIdPrefix: `${Date.now()}s` }
  const server = createServer({ maxHeaderSize: limits.headerBytesMax }, listenerOf(service))
  // One clock for a connection between requests and within one: it runs while nothing moves.
  server.timeout = limits.connectionIdleMs
  server.keepAliveTimeout = 0
  server.requestTimeout = limits.connectionIdleMs
  server.maxConnections = limits.connectionsMax
  server.on('clientError', refuseMalformed)
  server.listen(address.port, address.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      await closeServer(server)
      await scanners.closeAll()
    },
  }
}

function listenerOf(service: RestService): Listener {
  const { limits, logger } = service
  const respond: Respond = (incoming, outgoing, work) =>
    answerRequest(new RestRequest(incoming, limits.requestBytesMax), outgoing, work, logger)
  const route = routerOf(service, respond, (incoming) => new RestRequest(incoming, 0).path)
  return (incoming, outgoing) => {
    const request = new RestRequest(incoming, limits.requestBytesMax)
    if (!isWellEncoded(request.path)) {
      void answerRequest(request, outgoing, refuseEncoding, logger)
      return
    }
    const rowPath = parseRowPath(request.path)
    if (rowPath === undefined) route(incoming, outgoing)
    else void answerRequest(request, outgoing, () => answerRowPath(service, request, rowPath), logger)
  }
}

function refuseEncoding(request: RestRequest): Answer {
  throw new Refusal(400, `a percent sign in ${request.path} begins no byte that a path may have`)
}

/** Never rejects: whatever goes wrong is answered, or ends the connection where the answer had begun. */
async function answerRequest(
  request: RestRequest,
  outgoing: ServerResponse,
  work: (request: RestRequest) => Answer | Promise<Answer>,
  logger: Logger,
): Promise<void> {
  let answer: Answer
  try {
    answer = await work(request)
  } catch (error) {
    answer = errorAnswer(error, logger)
  }
  try {
    await writeAnswer(request.incoming, outgoing, answer)
  } catch (error) {
    logger.warn({ err: error, method: request.method, path: request.path }, 'REST: an answer broke off')
    outgoing.destroy()
  }
}

/** What Node's parser could not read. */
function refuseMalformed(error: NodeJS.ErrnoException, socket: Duplex): void {
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

/** Waits for the answers that are under way, then ends what is still there. */
async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close')
  server.close()
  server.closeIdleConnections()
  const grace = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS)
  await closed
  clearTimeout(grace)
}
