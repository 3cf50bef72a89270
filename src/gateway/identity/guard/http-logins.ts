/** Reads logins of HTTP requests: a password, a token, a ticket of Kerberos, a cookie, or the certificate of the connection. */

import type { IncomingHttpHeaders } from 'node:http'
import type { Principal } from '../../../store/call.ts'
import type { ConnectionOrigin } from '../../connections/connection-origin.ts'
import type { ForeignPages, LoginRequest } from './foreign-pages.ts'
import { type KerberosPlace, placeOfHttp } from './kerberos-logins.ts'
import { Refused, UnclearLogin } from './login-errors.ts'
import type { LoginPlace } from './login-place.ts'
import type { LoginReports } from './login-reports.ts'
import type { HttpNegotiation, LoginAnswer } from './negotiate/http-negotiation.ts'
import type { ShownHeaders, Verified } from './shown-headers.ts'
import type { Tokens } from './tokens/tokens.ts'

/** The checks of logins that are not of HTTP alone. */
export interface CheckedLogins {
  /** As of Guard. */
  ofPassword(
    name: string,
    password: string,
    place: LoginPlace,
    note?: (verified: Verified) => void,
  ): Principal | Promise<Principal>
  ofCertificate(origin: ConnectionOrigin): Principal | undefined
  advice(at: KerberosPlace): string
}

export interface HttpLoginParts {
  /** Undefined: tokens are not taken. */
  readonly tokens: Tokens | undefined
  /** Undefined: no client logs in by Kerberos. */
  readonly negotiation: HttpNegotiation | undefined
  readonly shown: ShownHeaders
  readonly reports: LoginReports
  readonly foreignPages: ForeignPages
  /** Milliseconds since any fixed moment. */
  readonly now: () => number
}

export class HttpLogins {
  readonly #guard: CheckedLogins
  readonly #tokens: Tokens | undefined
  readonly #negotiation: HttpNegotiation | undefined
  readonly #shown: ShownHeaders
  readonly #reports: LoginReports
  readonly #foreignPages: ForeignPages
  readonly #now: () => number

  constructor(
    guard: CheckedLogins,
    { tokens, negotiation, shown, reports, foreignPages, now }: HttpLoginParts,
  ) {
    this.#guard = guard
    this.#tokens = tokens
    this.#negotiation = negotiation
    this.#shown = shown
    this.#reports = reports
    this.#foreignPages = foreignPages
    this.#now = now
  }

  /**
   * The user of an HTTP request: at once where the credentials are known. `answer`: receives headers for the answer. Throws Refused, DeniedLogin,
   * ForeignPage, THROTTLED and OVERLOADED, or rejects with them.
   */
  ofHttp(request: LoginRequest, place: LoginPlace, answer: LoginAnswer): Principal | Promise<Principal> {
    const { headers } = request
    this.#checkPage(request, place)
    const { authorization } = headers
    if (authorization !== undefined && headers['accesskeyid'] === undefined) {
      const principal = this.#shown.principalOf(place.connection, authorization, this.#now())
      if (principal !== undefined) return principal
    }
    try {
      return this.#ofHeaders(headers, place, answer)
    } catch (error) {
      this.#reports.refused(undefined, place, error)
      throw error
    }
  }

  /** Like ofHttp, for a door with pages that need no login: a client that shows nothing is refused without a line in the audit log. */
  ofVisitor(request: LoginRequest, place: LoginPlace, answer: LoginAnswer): Principal | Promise<Principal> {
    const { headers } = request
    if (hasShownLogin(headers)) return this.ofHttp(request, place, answer)
    this.#checkPage(request, place)
    return this.#ofHeaders(headers, place, answer)
  }

  /** Throws ForeignPage, and writes the audit log. */
  #checkPage(request: LoginRequest, place: LoginPlace): void {
    try {
      this.#foreignPages.check(request, place.door)
    } catch (error) {
      this.#reports.refused(undefined, place, error)
      throw error
    }
  }

  #ofHeaders(
    headers: IncomingHttpHeaders,
    place: LoginPlace,
    answer: LoginAnswer,
  ): Principal | Promise<Principal> {
    const { authorization } = headers
    if (authorization !== undefined && headers['accesskeyid'] !== undefined)
      throw new UnclearLogin(
        'the headers Authorization and ACCESSKEYID may name different users: show one of them',
      )
    if (authorization !== undefined) {
      const [scheme = '', ...rest] = authorization.split(' ')
      const value = rest.join(' ').trim()
      if (this.#negotiation !== undefined && /^negotiate$/i.test(scheme))
        return this.#negotiation.ofCookie(headers, place) ?? this.#negotiation.ofTicket(value, place, answer)
      if (/^basic$/i.test(scheme)) {
        const note = (verified: Verified): void => this.#shown.note(place.connection, authorization, verified)
        return this.#ofBasic(value, place, note)
      }
      if (/^bearer$/i.test(scheme)) return this.#ofToken(value, place)
      throw new Refused(`the scheme of the header Authorization is not taken here: ${this.#advice(place)}`)
    }
    // Headers of Lindorm and ApsaraDB with a user and a password.
    const { accesskeyid: name, accesssignature: password } = headers
    if (typeof name === 'string' && typeof password === 'string')
      return this.#guard.ofPassword(name, password, place)
    const ofCookie = this.#negotiation?.ofCookie(headers, place)
    if (ofCookie !== undefined) return ofCookie
    return this.#guard.ofCertificate(place.connection) ?? refuse(`no credentials: ${this.#advice(place)}`)
  }

  #advice(place: LoginPlace): string {
    return this.#guard.advice(placeOfHttp(place))
  }

  #ofBasic(
    value: string,
    place: LoginPlace,
    note: (verified: Verified) => void,
  ): Principal | Promise<Principal> {
    const text = /^[A-Za-z0-9+/_-]*={0,2}$/.test(value) ? Buffer.from(value, 'base64').toString('utf8') : ''
    const colon = text.indexOf(':')
    if (colon < 0) throw new Refused('the header Authorization is not that of Basic: base64 of NAME:PASSWORD')
    return this.#guard.ofPassword(text.slice(0, colon), text.slice(colon + 1), place, note)
  }

  #ofToken(token: string, place: LoginPlace): Principal | Promise<Principal> {
    if (this.#tokens === undefined) throw new Refused(`tokens are not taken here: ${this.#advice(place)}`)
    const user = this.#tokens.known(token)
    return user === undefined ? this.#verifyToken(this.#tokens, token, place) : { user, method: 'JWT' }
  }

  async #verifyToken(tokens: Tokens, token: string, place: LoginPlace): Promise<Principal> {
    try {
      const user = await tokens.verify(token)
      this.#reports.succeeded(user, place)
      return { user, method: 'JWT' }
    } catch (error) {
      // An outage of the keys' URL is logged once, and not for each token.
      if (error instanceof Refused) this.#reports.failed('a token', place, error)
      else this.#reports.refused('a token', place, error)
      throw error
    }
  }
}

/** Whether a request states a login in its headers. A certificate is none: it belongs to the connection. */
export function hasShownLogin({ authorization, accesskeyid }: IncomingHttpHeaders): boolean {
  return authorization !== undefined || accesskeyid !== undefined
}

function refuse(reason: string): never {
  throw new Refused(reason)
}
