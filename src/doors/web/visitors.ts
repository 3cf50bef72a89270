import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Principal } from '../../store/call.ts'

/** Somebody who has not shown who he is, and what he is told where that matters. */
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

/** Nobody is in it where everybody may come in. */
export type Visitors = WeakMap<IncomingMessage, Principal | Stranger>
