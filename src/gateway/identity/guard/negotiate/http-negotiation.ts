/**
 * Logins by Kerberos over HTTP: the header Authorization: Negotiate, and the signed cookie that stands for such a login afterwards. Hadoop:
 * AuthenticationFilter, KerberosAuthenticationHandler; HBase: ThriftHttpServlet.
 */

import type { IncomingHttpHeaders } from 'node:http'
import {
  type KerberosService,
  type Negotiated,
  UnfinishedNegotiation,
} from '../../../../kerberos/kerberos.ts'
import type { Principal } from '../../../../store/call.ts'
import { SaslFailure } from '../../../../wire/sasl/sasl.ts'
import { type KerberosLogins, type KerberosPlace, placeOfHttp } from '../kerberos-logins.ts'
import { DeniedLogin, Refused } from '../login-errors.ts'
import type { LoginPlace } from '../login-place.ts'
import { ShownHeaders } from '../shown-headers.ts'
import type { TicketAttempts } from '../ticket-attempts.ts'
import { COOKIE_NAME, CookieSigner, cookiesOf, cookieText, readCookieText } from './auth-cookie.ts'
import { negotiateToken } from './negotiate-token.ts'
import type { SignedCookies } from './signed-cookies.ts'

/** Receives the headers that a login adds to the answer of its request. */
export interface LoginAnswer {
  /** Undefined: the login adds none. */
  loginHeaders: Readonly<Record<string, string>> | undefined
}

export interface NegotiationParts {
  readonly kerberos: KerberosLogins
  /** Undefined: no cookies are set or taken. */
  readonly cookies: SignedCookies | undefined
  /** Holds back networks whose tickets fail. */
  readonly attempts: TicketAttempts
  /** The user of a proved principal. Throws Refused, and writes the audit log. */
  readonly userOf: (principal: string, at: KerberosPlace, place: LoginPlace) => Principal
  /** The ways to log in at a place, for people. */
  readonly advice: (at: KerberosPlace) => string
  /** Writes a refused ticket to the log and the audit log. */
  readonly failed: (place: LoginPlace, error: unknown) => void
  /** Milliseconds since 1970. */
  readonly wallNow: () => number
}

/** The type in the cookies of each place; undefined: clients there get none. Hadoop's names, where Hadoop has the server. */
const COOKIE_TYPES: Readonly<Partial<Record<KerberosPlace, string>>> = {
  rest: 'kerberos',
  timeline: 'kerberos-dt',
  web: 'kerberos-web',
}

export class HttpNegotiation {
  readonly #parts: NegotiationParts
  readonly #signer: CookieSigner | undefined
  readonly #shown = new ShownHeaders()

  constructor(parts: NegotiationParts) {
    this.#parts = parts
    this.#signer = parts.cookies && new CookieSigner(parts.cookies.secret)
  }

  isOpenAt(place: Pick<LoginPlace, 'door'>): boolean {
    return this.#parts.kerberos.serviceAt(placeOfHttp(place)) !== undefined
  }

  /** The user in the request's cookie; undefined without one that counts here, such as one that is changed, has expired, or is of another door. */
  ofCookie({ cookie }: IncomingHttpHeaders, place: LoginPlace): Principal | undefined {
    const signer = this.#signer
    if (signer === undefined || cookie === undefined) return undefined
    const now = this.#parts.wallNow()
    const known = this.#shown.principalOf(place.connection, cookie, now)
    if (known !== undefined) return known
    const at = placeOfHttp(place)
    const type = COOKIE_TYPES[at]
    if (type === undefined || this.#parts.kerberos.serviceAt(at) === undefined) return undefined
    const login = cookiesOf(cookie)
      .map((value) => readCookieText(signer.verified(value) ?? ''))
      .find((shown) => shown?.type === type && shown.expiresMs > now)
    if (login === undefined) return undefined
    const principal: Principal = { user: login.user, method: 'KERBEROS' }
    this.#shown.note(place.connection, cookie, { principal, untilMs: login.expiresMs })
    return principal
  }

  /** Takes a ticket. `text`: the header's value behind the scheme. Rejects with Refused for what is no ticket, with DeniedLogin for one that does not count, with THROTTLED after too many of these. */
  async ofTicket(text: string, place: LoginPlace, answer: LoginAnswer): Promise<Principal> {
    const at = placeOfHttp(place)
    const service = this.#parts.kerberos.serviceAt(at)
    if (service === undefined)
      throw new Refused(`tickets of Kerberos are not taken here: ${this.#parts.advice(at)}`)
    const { principal: name, token } = await this.#negotiated(service, text, place)
    let principal: Principal
    try {
      principal = this.#parts.userOf(name, at, place)
    } catch (error) {
      throw denied(error, at)
    }
    const cookie = this.#newCookie(principal.user, name, place)
    answer.loginHeaders = {
      ...(token !== undefined && { 'WWW-Authenticate': `Negotiate ${token.toString('base64')}` }),
      ...(cookie !== undefined && { 'Set-Cookie': cookie }),
    }
    return principal
  }

  async #negotiated(service: KerberosService, text: string, place: LoginPlace): Promise<Negotiated> {
    try {
      const token = negotiateToken(text)
      return await this.#parts.attempts.tried(place, () => service.negotiate(token))
    } catch (error) {
      this.#parts.failed(place, error)
      throw error instanceof SaslFailure ? denied(error, placeOfHttp(place)) : error
    }
  }

  #newCookie(user: string, principal: string, place: LoginPlace): string | undefined {
    const type = COOKIE_TYPES[placeOfHttp(place)]
    const { cookies, wallNow } = this.#parts
    if (this.#signer === undefined || cookies === undefined || type === undefined) return undefined
    const text = cookieText({ user, principal, type, expiresMs: wallNow() + cookies.validityMs })
    return text && setCookie(`"${this.#signer.signed(text)}"`, cookies, place)
  }

  /** The header Set-Cookie of a refusal, which makes the client forget its cookie; undefined where there are no cookies. */
  forgetting(place: LoginPlace): string | undefined {
    const { cookies } = this.#parts
    if (cookies === undefined || COOKIE_TYPES[placeOfHttp(place)] === undefined) return undefined
    return this.isOpenAt(place) ? setCookie('', cookies, place) : undefined
  }
}

function setCookie(value: string, { domain, path }: SignedCookies, { isEncrypted }: LoginPlace): string {
  const ofDomain = domain === undefined ? '' : `; Domain=${domain}`
  return `${COOKIE_NAME}=${value}; Path=${path}${ofDomain}${isEncrypted ? '; Secure' : ''}; HttpOnly; SameSite=Lax`
}

/**
 * A client whose ticket does not count: of Thrift as HBase's servlet refuses it, with 401; of the other doors as Hadoop's filter does, with 403,
 * because another ticket of the same user would not count either. A client whose token is no whole login may know another login.
 */
function denied(error: unknown, at: KerberosPlace): unknown {
  if (!(error instanceof Error)) return error
  const mayLogIn = at === 'thrift-http' || error instanceof UnfinishedNegotiation
  return mayLogIn ? new Refused(error.message, error) : new DeniedLogin(error.message, error)
}
