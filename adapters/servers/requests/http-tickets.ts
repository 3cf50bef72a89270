/**
 * Logins by a Kerberos ticket over HTTP (SPNEGO), as the server asks for them: a ticket, and then the cookie that the server gives for it. HBase's
 * REST server gives one; its Thrift server gives none, and gets a ticket with each request. Hadoop: AuthenticatedURL, KerberosAuthenticator.
 */

import type { IncomingHttpHeaders } from 'node:http'
import { reasonOf } from '../../../src/model/error-reason.ts'
import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import type { TicketLogin } from './server-options.ts'

const UNAUTHORIZED = 401
/** The challenge alone: one that carries a token goes on with a login, or ends it. */
const CHALLENGE = /(?:^|,)\s*negotiate\s*(?:,|$)/i
const COOKIE = /^hadoop\.auth=("?)([^";]+)\1(?:;|$)/

type Headers = Readonly<Record<string, string>>

export class HttpTickets {
  readonly #ticket: Pick<TicketLogin, 'login' | 'target'>
  #cookie: string | undefined
  /** True once the server has asked for a ticket. */
  #isAsked = false

  constructor(ticket: Pick<TicketLogin, 'login' | 'target'>) {
    this.#ticket = ticket
  }

  /** Headers of a request: the cookie, or a ticket for a server that asks for them and gives no cookie. Rejects with ACCESS_DENIED. */
  async headers(): Promise<Headers> {
    if (this.#cookie !== undefined) return { Cookie: this.#cookie }
    return this.#isAsked ? this.#newTicket() : {}
  }

  /** Headers to send the request with once more, after an answer that asks for a ticket; undefined for other answers. Rejects with ACCESS_DENIED. */
  async afterChallenge(
    { status, headers }: { readonly status: number; readonly headers: IncomingHttpHeaders },
    sent: Headers,
  ): Promise<Headers | undefined> {
    if (status !== UNAUTHORIZED || 'Authorization' in sent) return undefined
    if (!CHALLENGE.test(headers['www-authenticate'] ?? '')) return undefined
    this.#isAsked = true
    // Another request may have got a newer cookie meanwhile.
    if (this.#cookie === sent['Cookie']) this.#cookie = undefined
    return this.#newTicket()
  }

  /** Keeps the cookie that an answer sets. */
  note({ 'set-cookie': cookies = [] }: IncomingHttpHeaders): void {
    for (const cookie of cookies) {
      const [, quote, value] = COOKIE.exec(cookie) ?? []
      if (value !== undefined) this.#cookie = `hadoop.auth=${quote}${value}${quote}`
    }
  }

  async #newTicket(): Promise<Headers> {
    const { login, target } = this.#ticket
    try {
      return { Authorization: `Negotiate ${(await login.negotiate(target)).toString('base64')}` }
    } catch (error) {
      if (isHBaseError(error)) throw error
      throw new HBaseError('ACCESS_DENIED', `no ticket for ${target}: ${reasonOf(error)}`, { cause: error })
    }
  }
}
