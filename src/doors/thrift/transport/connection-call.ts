import type { Socket } from 'node:net'
import { type Call, OWN_CALL } from '../../../store/call.ts'

/** What all calls of one connection carry to the store: made once, so that a call costs nothing for it. */
export class ConnectionCall {
  readonly call: Call
  readonly #gone = new AbortController()

  constructor(socket: Socket) {
    this.call = { ...OWN_CALL, signal: this.#gone.signal }
    socket.once('close', () => this.hangUp())
  }

  /** The client waits for no answer any more. */
  hangUp(): void {
    this.#gone.abort()
  }
}
