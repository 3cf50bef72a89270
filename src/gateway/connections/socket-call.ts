import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import { type Call, OWN_CALL, type Principal } from '../../store/call.ts'
import { takenBytes } from './answer-clock.ts'
import { ConnectionOrigin } from './connection-origin.ts'

/** A client that has ended its side and takes no byte of an answer for so long has hung up. */
const UNHEARD_MS = 5000

const socketCalls: WeakMap<Socket, SocketCall> = new WeakMap()

/** The call that every request of one socket carries to the store. Its signal is aborted once the client hangs up. */
export class SocketCall {
  readonly call: Call
  readonly #gone = new AbortController()
  /** Of the last request's user. */
  #asUser: Call | undefined

  private constructor(socket: Socket, principal?: Principal) {
    const { signal } = this.#gone
    // Any number of the connection's calls may wait for it.
    setMaxListeners(0, signal)
    const { name: client, address } = ConnectionOrigin.of(socket)
    this.call = { ...OWN_CALL, isOwn: false, principal, client, address, signal }
    if (socket.destroyed) this.hangUp()
    else socket.once('close', () => this.hangUp())
  }

  /** As `of`, of a client of HTTP. */
  static ofHttp(socket: Socket): SocketCall {
    const known = socketCalls.get(socket)
    if (known !== undefined) return known
    const made = SocketCall.of(socket)
    made.#watchHalfClose(socket)
    return made
  }

  /**
   * Ends the call of an HTTP client that has ended its side, once no byte of an answer moves any more: a client that still
   * reads and one that has gone look the same until then.
   */
  #watchHalfClose(socket: Socket): void {
    socket.once('end', () => {
      let moved = takenBytes(socket)
      const timer = setInterval(() => {
        const now = takenBytes(socket)
        if (now === moved) this.hangUp()
        moved = now
      }, UNHEARD_MS)
      timer.unref()
      socket.once('close', () => clearInterval(timer))
    })
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

  /** The connection's client has shown who it is: all its calls are that user's. Before its first call. */
  static loggedIn(socket: Socket, principal: Principal | undefined): void {
    socketCalls.set(socket, new SocketCall(socket, principal))
  }

  /** The call for requests of a user who has shown who he is. `address`: where others than the socket's peer send them. */
  as(principal: Principal | undefined, address: string | undefined = this.call.address): Call {
    const known = this.#asUser
    if (known !== undefined && known.address === address && isSame(known.principal, principal)) return known
    const { call } = this
    if (call.address === address && isSame(call.principal, principal)) return call
    const client = address === call.address ? call.client : address
    this.#asUser = { ...call, principal, address, client }
    return this.#asUser
  }

  /** The client no longer waits for an answer. */
  hangUp(): void {
    this.#gone.abort()
  }
}

function isSame(a: Principal | undefined, b: Principal | undefined): boolean {
  return a?.user === b?.user && a?.realUser === b?.realUser
}
