/**
 * Requests that offer another protocol (`Upgrade: h2c`, as the first one of Java's HTTP client does). No door changes the
 * protocol: such a request is answered like any other, as HBase's server does. Node's parser takes all bytes behind the
 * request, or behind its head, for the other protocol, so that requests behind it would be lost. Therefore the request is put back
 * in front of those bytes without the offer, and the server gets the connection anew.
 */

import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { afterAnswers } from './pipelined-answers.ts'

/** A body that is put back is in memory meanwhile. */
const PUT_BACK_BYTES_MAX = 16_384

/**
 * Node 24.9 and newer ask whether to take the offer, and read the body of a request themselves. They read one whose offer is
 * not taken like any other, and lose the bytes behind it that come with its end. So a body that is too long to be put back
 * ends its connection.
 */
export function isPutBack(server: Server, asked: IncomingMessage): boolean {
  const { headers } = asked
  const isShort = Number(headers['content-length'] ?? 0) <= PUT_BACK_BYTES_MAX
  if (isShort && headers['transfer-encoding'] === undefined && headers.expect === undefined) return true
  const events = ['request', 'checkContinue', 'checkExpectation']
  const close = (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    if (incoming !== asked) return
    outgoing.shouldKeepAlive = false
    for (const event of events) server.off(event, close)
  }
  for (const event of events) server.prependListener(event, close)
  return false
}

/** `rest`: the bytes received behind what the parser has read of the request. */
export function declineUpgrade(
  server: Server,
  incoming: IncomingMessage,
  connection: Duplex,
  rest: Buffer,
): void {
  if (incoming.complete) {
    const body = (incoming.read() as Buffer | null) ?? Buffer.alloc(0)
    putBack(server, connection, [headWithoutUpgrade(incoming), body, rest])
    return
  }
  // The end of the connection ends that stream, too.
  connection.on('error', () => undefined)
  const body: Buffer[] = []
  incoming.on('data', (chunk: Buffer) => body.push(chunk))
  incoming.once('end', () => {
    // Bytes behind the body go to the stream that Node has made for the other protocol.
    const behind = (connection.read() as Buffer | null) ?? Buffer.alloc(0)
    const { socket } = incoming
    socket.removeAllListeners('data').removeAllListeners('end')
    putBack(server, socket, [headWithoutUpgrade(incoming), ...body, behind])
  })
}

function putBack(server: Server, connection: Duplex, request: readonly Buffer[]): void {
  // At once: where the client has ended its side, a connection with nothing to read would end.
  connection.unshift(Buffer.concat(request))
  afterAnswers(connection, () => {
    if (!connection.destroyed) server.emit('connection', connection)
  })
}

function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.toLowerCase() !== 'upgrade') head += `${name}: ${rawHeaders[i + 1]}\r\n`
  }
  return Buffer.from(`${head}\r\n`, 'latin1')
}
