/** The call of every request that comes over one connection: all of them are nobody's once the client hangs up. */

import type { Socket } from 'node:net'
import type { Call } from '../../../store/call.ts'

const calls: WeakMap<Socket, Call> = new WeakMap()

/** Made at the connection's first request, for requests must not cost an allocation each. */
export function callOf(socket: Socket): Call {
  const known = calls.get(socket)
  if (known !== undefined) return known
  const hangUp = new AbortController()
  if (socket.destroyed) hangUp.abort()
  else socket.once('close', () => hangUp.abort())
  const call: Call = {
    principal: undefined,
    deadline: Number.POSITIVE_INFINITY,
    signal: hangUp.signal,
    trace: undefined,
    priority: 0,
  }
  calls.set(socket, call)
  return call
}
