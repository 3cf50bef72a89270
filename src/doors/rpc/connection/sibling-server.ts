import { createServer, type Socket } from 'node:net'
import { SIBLINGS_FRONT } from '../../../gateway/siblings/handed-on.ts'
import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import { Connection, type ConnectionContext } from './connection.ts'

export interface SiblingServer {
  /** Ends at once: the siblings' clients are told that nobody knows their scanners. */
  close(): Promise<void>
}

/** Serves the calls that siblings hand on. */
export async function openToSiblings(siblings: Siblings, context: ConnectionContext): Promise<SiblingServer> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', (err) => context.logger.debug({ err }, 'a connection of a sibling broke'))
    socket.once('close', () => sockets.delete(socket))
    // No clock looks at it: the client's own connection has one.
    SIBLINGS_FRONT.open(socket, (served) => void new Connection(served, context, performance.now()))
  })
  await siblings.listen(server, 'rpc')
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
