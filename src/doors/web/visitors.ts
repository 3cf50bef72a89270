import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Principal } from '../../store/call.ts'

/** The answer of pages that need a login to a client that has not logged in. */
interface LoginAnswer {
  readonly status: number
  readonly reason: string
  readonly headers: OutgoingHttpHeaders
  /** Writes the refusal to the audit log. */
  readonly report: () => void
}

/** A client that has not logged in. */
export class Stranger {
  readonly answer: LoginAnswer

  constructor(answer: LoginAnswer) {
    this.answer = answer
  }
}

/** The client of each request; empty where the server asks for no login. */
export type Visitors = WeakMap<IncomingMessage, Principal | Stranger>
