import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Principal } from '../../store/call.ts'

/** A client that has not logged in, with the answer it gets from pages that need a login. */
export class Stranger {
  readonly status: number
  readonly reason: string
  readonly headers: OutgoingHttpHeaders

  constructor(status: number, reason: string, headers: OutgoingHttpHeaders = {}) {
    this.status = status
    this.reason = reason
    this.headers = headers
  }
}

/** The client of each request; empty where the server asks for no login. */
export type Visitors = WeakMap<IncomingMessage, Principal | Stranger>
