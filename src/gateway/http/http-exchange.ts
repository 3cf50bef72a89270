/** A request and its answer, as a door of HTTP sees them: read by Node's parser, or as a small request. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpRequest } from '../connections/http-request.ts'
import { sendWhole } from './whole-answer.ts'

export interface HttpExchange {
  readonly request: HttpRequest
  /** The body, where all of it came with the head; undefined: `stream` has it. */
  readonly body: Buffer | undefined
  readonly stream: IncomingMessage | undefined
  /** Node's answer, for one that cannot leave in one write. Of a small request it is made when it is first asked for. */
  readonly outgoing: ServerResponse
  /** Bytes of answers that the socket has not taken. */
  readonly unsentBytes: number
  /** See `sendWhole` of whole-answer. */
  sendWhole(status: number, head: string, body: string): boolean
  /** Calls `act` once the socket has the answer or is closed: at once where that is so. */
  whenSent(act: () => void): void
}

/** A request that Node's parser has read. */
export class NodeExchange implements HttpExchange {
  readonly request: IncomingMessage
  readonly outgoing: ServerResponse
  readonly body: undefined

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.request = incoming
    this.outgoing = outgoing
  }

  get stream(): IncomingMessage {
    return this.request
  }

  get unsentBytes(): number {
    return this.outgoing.writableLength
  }

  sendWhole(status: number, head: string, body: string): boolean {
    return sendWhole(this.outgoing, status, head, body)
  }

  whenSent(act: () => void): void {
    const { outgoing } = this
    if (outgoing.writableFinished || outgoing.destroyed) act()
    else outgoing.once('close', act)
  }
}
