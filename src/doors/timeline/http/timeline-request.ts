/** A request to the timeline door: its path, its parameters, its body, and who asks. */

import type { IncomingMessage } from 'node:http'
import { SocketCall } from '../../../gateway/connections/socket-call.ts'
import { callerGone, isHangUp } from '../../../gateway/http/hang-up.ts'
import { isPrincipalName } from '../../../gateway/identity/guard/principal-name.ts'
import { forwardedAddress } from '../../../gateway/identity/proxies/request-origin.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { MemoryGrant } from '../../../gateway/limits/memory-grant.ts'
import { ReceivedBytes } from '../../../gateway/requests/received-bytes.ts'
import { isHBaseError } from '../../../model/errors.ts'
import type { Call, Principal } from '../../../store/call.ts'
import type { User } from '../domains/acls.ts'
import { badRequest, unrouted } from './errors.ts'

const JSON_TYPE = /^application\/json *(?:;|$)/i
/** Hadoop's cookie of a user who has said who he is. */
const COOKIE = /(?:^|; *)hadoop\.auth="?([^";]*)/

export class TimelineRequest {
  readonly incoming: IncomingMessage
  readonly method: string
  /** The path's parts, still percent-encoded. */
  readonly parts: readonly string[]
  readonly #query: URLSearchParams
  readonly #bodyBytesMax: number
  readonly grant: MemoryGrant
  /** Who the client has shown to be; undefined where nobody asks for that. */
  principal: Principal | undefined
  /** Of its calls of the store; undefined: it is not traced. */
  trace: string | undefined

  constructor(incoming: IncomingMessage, bodyBytesMax: number, memory: MemoryBudget) {
    const url = (incoming.url ?? '/').replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/#.*$/, '')
    const question = url.indexOf('?')
    const path = question < 0 ? url : url.slice(0, question)
    this.incoming = incoming
    this.method = incoming.method ?? 'GET'
    // Matrix parameters (`;name=value`) are no part of a name.
    const parts = path.split('/').map((part) => part.replace(/;.*$/, ''))
    this.parts = parts.filter((part) => part !== '')
    this.#query = new URLSearchParams(question < 0 ? '' : url.slice(question + 1))
    this.#bodyBytesMax = bodyBytesMax
    this.grant = new MemoryGrant(memory)
  }

  /** A part of the path, decoded. Throws Refusal. */
  part(index: number): string {
    try {
      return decodeURIComponent(this.parts[index] ?? '')
    } catch {
      throw badRequest('the path has a percent sign that begins no byte of a character')
    }
  }

  /** All of the query. */
  get parameters(): Iterable<readonly [string, string]> {
    return this.#query
  }

  parameter(name: string): string | undefined {
    return this.#query.get(name) ?? undefined
  }

  /** Who asks: as he has shown or, where nobody wants that shown, as he says (Hadoop's pseudo authentication). */
  get user(): User {
    if (this.principal !== undefined) return this.principal.user
    const said = this.parameter('user.name')
    if (said !== undefined && said !== '') return stated(said)
    const cookie = COOKIE.exec(this.incoming.headers.cookie ?? '')?.[1]
    const user = cookie === undefined ? null : new URLSearchParams(cookie).get('u')
    return user === null || user === '' ? undefined : stated(user)
  }

  get call(): Call {
    const socketCall = SocketCall.ofHttp(this.incoming.socket)
    const call = socketCall.as(this.principal, forwardedAddress(this.incoming))
    return this.trace === undefined ? call : { ...call, trace: this.trace }
  }

  /** Takes the memory of what a read has found. Throws OVERLOADED. */
  readonly took = (bytes: number): void => this.grant.take(bytes, 'the answer')

  /** The body of a request that must have JSON. Throws Refusal, CALLER_GONE, OVERLOADED. */
  async json(): Promise<Buffer> {
    const { incoming, grant } = this
    const limit = this.#bodyBytesMax
    const { 'content-type': type = '', 'content-length': length } = incoming.headers
    if (!JSON_TYPE.test(type)) throw unrouted(415, 'the body must be application/json')
    const stated = Number(length ?? Number.NaN)
    if (stated > limit) throw tooLarge(limit)
    try {
      const received = new ReceivedBytes(grant, stated)
      const { signal } = this.call
      for await (const chunk of incoming as AsyncIterable<Buffer>) {
        await grant.atOnceOrLater(() => received.push(chunk), signal)
        if (received.length > limit) throw tooLarge(limit)
      }
      await received.gathered()
      const body = received.whole()
      // The objects made of it take some times as much.
      await grant.atOnceOrLater(() => grant.take(body.length * 4, 'what the body has'), signal)
      return body
    } catch (cause) {
      if (isHBaseError(cause)) throw cause
      throw isHangUp(cause) ? callerGone(cause) : cause
    }
  }
}

function tooLarge(limit: number): Error {
  return unrouted(413, `the body exceeds the limit of ${limit} bytes`, { Connection: 'close' })
}

/** Throws a Refusal for a name that no user can have. */
function stated(user: string): string {
  if (!isPrincipalName(user)) throw badRequest('user.name is no name of a user')
  return user
}
