import type { Socket } from 'node:net'

/** Time that a client has to read its last answer before the connection is destroyed. */
const LINGER_MS = 1000

/**
 * Sends a last answer, if there is one, and a FIN. Then reads on and drops the bytes: with unread bytes, the operating system would send a reset,
 * which could outrun the answer.
 */
export function endWith(socket: Socket, answer?: Buffer): void {
  if (socket.destroyed || socket.writableEnded) return
  const linger = (): void => {
    const timer = setTimeout(() => socket.destroy(), LINGER_MS)
    socket.once('close', () => clearTimeout(timer))
  }
  if (answer === undefined) socket.end(linger)
  else socket.end(answer, linger)
  socket.resume()
}
