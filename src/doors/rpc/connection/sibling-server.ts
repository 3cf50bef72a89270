import { createServer, type Socket } from 'node:net'
import { SIBLINGS_FRONT } from '../../../gateway/siblings/handed-on.ts'
import type { Siblings } from '../../../gateway/siblings/siblings.ts'
import { Connection } from './connection.ts'
import type { OpeningContext } from './opening.ts'

export interface SiblingServer {
  /** Ends all connections at once. The siblings then answer their clients that the scanners are unknown. */
  close(): Promise<void>
}

/** Opens the server for calls that siblings hand on. */
export async function openToSiblings(siblings: Siblings, context: OpeningContext): Promise<SiblingServer> {
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', (err) => context.logger.debug({ err }, 'a connection of a sibling broke'))
    socket.once('close', () => sockets.delete(socket))
    // Has no timeouts here: the client's own connection has them.
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
