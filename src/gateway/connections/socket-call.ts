import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import { type Call, OWN_CALL, type Principal } from '../../store/call.ts'
import { takenBytes } from './answer-clock.ts'
import { ConnectionOrigin } from './connection-origin.ts'

/** A client that has ended its side of the connection has hung up once it reads no byte of an answer for this time. */
const UNHEARD_MS = 5000

const socketCalls: WeakMap<Socket, SocketCall> = new WeakMap()

/** The call that every request of one socket carries to the store. Its signal is aborted once the client hangs up. */
export class SocketCall {
  readonly call: Call
  readonly #gone = new AbortController()
  /** The call of the last user, if the socket has requests of several. */
  #asUser: Call | undefined

  private constructor(socket: Socket, principal?: Principal) {
    const { signal } = this.#gone
    // Any number of the connection's calls may listen to the signal.
    setMaxListeners(0, signal)
    const { name: client, address } = ConnectionOrigin.of(socket)
    this.call = { ...OWN_CALL, isOwn: false, principal, client, address, signal }
    if (socket.destroyed) this.hangUp()
    else socket.once('close', () => this.hangUp())
  }

  /** Like `of`, for a client of HTTP. */
  static ofHttp(socket: Socket): SocketCall {
    const known = socketCalls.get(socket)
    if (known !== undefined) return known
    const made = SocketCall.of(socket)
    made.#watchHalfClose(socket)
    return made
  }

  /**
   * Ends the call of an HTTP client that has ended its side, once it reads no byte of an answer any more. Until then a client that still
   * reads and one that has gone look the same.
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

  /** The socket's call, made at its first request: the requests after it allocate nothing for it. */
  static of(socket: Socket): SocketCall {
    let known = socketCalls.get(socket)
    if (known === undefined) {
      known = new SocketCall(socket)
      socketCalls.set(socket, known)
    }
    return known
  }

  /** Notes the user that the client has logged in as, before its first call: all its calls are that user's. */
  static loggedIn(socket: Socket, principal: Principal | undefined): void {
    socketCalls.set(socket, new SocketCall(socket, principal))
  }

  /** The call for requests of one user. `address`: of the client, by default the socket's peer. */
  as(principal: Principal | undefined, address: string | undefined = this.call.address): Call {
    const known = this.#asUser
    if (known !== undefined && known.address === address && isSame(known.principal, principal)) return known
    const { call } = this
    if (call.address === address && isSame(call.principal, principal)) return call
    const client = address === call.address ? call.client : address
    this.#asUser = { ...call, principal, address, client }
    return this.#asUser
  }

  /** Aborts the signal: the client no longer waits for an answer. */
  hangUp(): void {
    this.#gone.abort()
  }
}

function isSame(a: Principal | undefined, b: Principal | undefined): boolean {
  return a?.user === b?.user && a?.realUser === b?.realUser
}
