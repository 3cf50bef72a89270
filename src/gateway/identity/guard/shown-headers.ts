import type { Principal } from '../../../store/call.ts'
import type { ConnectionOrigin } from '../../connections/connection-origin.ts'

/** A user whose password was right, which is not hashed again until then. */
export interface Verified {
  readonly principal: Principal
  readonly untilMs: number
}

interface Shown {
  readonly header: string
  readonly verified: Verified
}

/** The header Authorization that was right last on each connection: a client's next request mostly shows the same. */
export class ShownHeaders {
  #byConnection = new WeakMap<ConnectionOrigin, Shown>()

  /** Undefined where another header was right on the connection, or none, or this one too long ago. */
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

/** The time it takes does not tell where they differ: the clients of a proxy share a connection. */
function isSameSecret(a: string, b: string): boolean {
  if (a.length !== b.length) return false
  let difference = 0
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index)
  return difference === 0
}
