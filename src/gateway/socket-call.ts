import type { Socket } from 'node:net'
import { type Call, OWN_CALL } from '../store/call.ts'

const socketCalls: WeakMap<Socket, SocketCall> = new WeakMap()

/** The call that every request of one socket carries to the store. Its signal is aborted once the client hangs up. */
export class SocketCall {
  readonly call: Call
  readonly #gone = new AbortController()

  private constructor(socket: Socket) {
    this.call = { ...OWN_CALL, signal: this.#gone.signal }
    if (socket.destroyed) this.hangUp()
    else socket.once('close', () => this.hangUp())
  }

  /** Made at the socket's first request: the following requests allocate nothing for it. */
  static of(socket: Socket): SocketCall {
    let known = socketCalls.get(socket)
    if (known === undefined) {
      known = new SocketCall(socket)
      socketCalls.set(socket, known)
    }
    return known
  }

  /** The client no longer waits for an answer. */
  hangUp(): void {
    this.#gone.abort()
  }
}
