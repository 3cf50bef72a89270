import type { Principal } from '../../../store/call.ts'
import type { ConnectionOrigin } from '../../connections/connection-origin.ts'

/** A user whose password was right. It is not hashed again until `untilMs`. */
export interface Verified {
  readonly principal: Principal
  readonly untilMs: number
}

interface Shown {
  readonly header: string
  readonly verified: Verified
}

/** The last accepted header Authorization of each connection: a client's next request mostly has the same. */
export class ShownHeaders {
  #byConnection = new WeakMap<ConnectionOrigin, Shown>()

  /** The user of the header; undefined where the last accepted header of the connection is another, or was accepted too long ago. */
  principalOf(connection: ConnectionOrigin, header: string, nowMs: number): Principal | undefined {
    const shown = this.#byConnection.get(connection)
    if (shown === undefined || nowMs >= shown.verified.untilMs) return undefined
    return isSameSecret(shown.header, header) ? shown.verified.principal : undefined
  }

  note(connection: ConnectionOrigin, header: string, verified: Verified): void {
    this.#byConnection.set(connection, { header, verified })
  }

  clear(): void {
    this.#byConnection = new WeakMap()
  }
}

/** Compares in constant time: the clients of a proxy share a connection, and must not learn where their header differs. */
function isSameSecret(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
