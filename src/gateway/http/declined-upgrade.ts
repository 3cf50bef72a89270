/**
 * Requests that offer another protocol (`Upgrade: h2c`, as the first one of Java's HTTP client does). No door changes the
 * protocol: such a request is answered like any other, as HBase's server does. Node's parser takes all bytes behind the
 * head for the other protocol, so that requests behind it would be lost. Therefore the head is put back in front of those bytes
 * without the offer, and the server gets the connection anew.
 */

import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { afterAnswers } from './pipelined-answers.ts'

/** `rest`: the bytes received behind the request's head. */
export function declineUpgrade(
  server: Server,
  incoming: IncomingMessage,
  connection: Duplex,
  rest: Buffer,
): void {
  // At once: where the client has ended its side, a connection with nothing to read would end.
  connection.unshift(Buffer.concat([headWithoutUpgrade(incoming), rest]))
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
