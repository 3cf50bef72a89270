import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Asks for the body of a client that waits before it sends that (`Expect: 100-continue`) once somebody reads it, as HBase's server does: Node
 * would ask whoever comes, also those who may not come in. An answer without the body ends the connection, as nobody knows whether the client
 * sends it after all.
 */
export function askForBodyOnceRead(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { shouldKeepAlive } = outgoing
  const read = incoming._read.bind(incoming)
  outgoing.shouldKeepAlive = false
  incoming._read = (size) => {
    incoming._read = read
    if (!outgoing.headersSent && !outgoing.destroyed) {
      outgoing.shouldKeepAlive = shouldKeepAlive
      outgoing.writeContinue()
    }
    read(size)
  }
}
