import type { Socket } from 'node:net'
import { takeBytes } from '../../../gateway/connections/direct-reading.ts'

/** Time in milliseconds to read the last reply before the connection is destroyed: for a peer that sends nothing, and for any peer. */
const QUIET_MS = 1000
const LONGEST_MS = 60_000

/**
 * Sends a FIN behind the last reply, then reads on and drops the bytes. With unread bytes, the operating system would send a reset, which could
 * outrun the reply; and a client that sends a long message reads its reply only after that.
 */
export function endAfterReply(socket: Socket): void {
  if (socket.destroyed || socket.writableEnded) return
  socket.end(() => {
    const quiet = setTimeout(() => socket.destroy(), QUIET_MS)
    const longest = setTimeout(() => socket.destroy(), LONGEST_MS)
    takeBytes(socket, () => quiet.refresh())
    socket.once('close', () => {
      clearTimeout(quiet)
      clearTimeout(longest)
    })
  })
  socket.resume()
}
