/** A request to the timeline door: its path, parameters, body and user. */

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
/** Hadoop's cookie with the name of the user. */
const COOKIE = /(?:^|; *)hadoop\.auth="?([^";]*)/

export class TimelineRequest {
  readonly incoming: IncomingMessage
  readonly method: string
  /** The path's parts, still percent-encoded. */
  readonly parts: readonly string[]
  readonly #query: URLSearchParams
  readonly #bodyBytesMax: number
  readonly grant: MemoryGrant
  /** The authenticated user; undefined where the door asks for no login. */
  principal: Principal | undefined
  /** Headers that the login adds to the answer; undefined: none. */
  loginHeaders: Readonly<Record<string, string>> | undefined
  /** The trace context of the request's calls to the store; undefined: not traced. */
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

  /** All parameters of the query. */
  get parameters(): Iterable<readonly [string, string]> {
    return this.#query
  }

  readonly parameter = (name: string): string | undefined => this.#query.get(name) ?? undefined

  /** The user: the authenticated one, or without logins the one that the client names (Hadoop's pseudo authentication). */
  get user(): User {
    if (this.principal !== undefined) return this.principal.user
    const named = this.parameter('user.name')
    if (named !== undefined && named !== '') return checkedUser(named)
    const cookie = COOKIE.exec(this.incoming.headers.cookie ?? '')?.[1]
    const user = cookie === undefined ? null : new URLSearchParams(cookie).get('u')
    return user === null || user === '' ? undefined : checkedUser(user)
  }

  get call(): Call {
    const socketCall = SocketCall.ofHttp(this.incoming.socket)
    const call = socketCall.as(this.principal, forwardedAddress(this.incoming))
    return this.trace === undefined ? call : { ...call, trace: this.trace }
  }

  /** Takes memory for the bytes that a read returned. Throws OVERLOADED. */
  readonly takeMemory = (bytes: number): void => this.grant.take(bytes, 'the answer')

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
      // The decoded objects take several times the memory of the body.
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

/** Throws a Refusal for an invalid user name. */
function checkedUser(user: string): string {
  if (!isPrincipalName(user)) throw badRequest('user.name is not a valid user name')
  return user
}
