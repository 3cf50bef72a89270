import type { Socket } from 'node:net'
import { presentSocket } from './direct-reading.ts'

/**
 * Calls `closed` once the connection is closed. `accepted`: as its server accepted it, and after the door has taken it. Doors have
 * nearly as many listeners of one socket as Node finds usual: this one is beside them.
 */
export function onceClosed(accepted: Socket, closed: () => void): void {
  const socket = presentSocket(accepted)
  socket.setMaxListeners(socket.getMaxListeners() + 1)
  socket.once('close', closed)
}
