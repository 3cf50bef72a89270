/**
 * Refuses logins that a browser adds by itself to a request of another site's page: tickets, cookies, certificates and passwords that it keeps.
 * Such a page cannot read the answer, but its form could change data as the user who looks at it. Programs do not send the headers that are read here.
 */

import type { HttpRequest } from '../../connections/http-request.ts'
import { ForeignPage } from './login-errors.ts'

/** A request, as far as a login needs it. */
export type LoginRequest = Pick<HttpRequest, 'headers' | 'method'>

/** Methods that change nothing. HBase: RestCsrfPreventionFilter. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
/** Logins that a page states itself: a browser adds none of them. */
const STATED_LOGIN = /^bearer /i
/** A page may also state this one, where CORS lets it. */
const BASIC = /^basic /i
/** In place of an origin: scripts of all pages may use the REST door. */
const ANY = '*'

export class ForeignPages {
  readonly #origins: ReadonlySet<string>

  /** `origins`: of pages whose scripts may use the REST door, as in --cors-origin. */
  constructor(origins: readonly string[] = []) {
    this.#origins = new Set(origins)
  }

  /** Throws ForeignPage for a change that a page of another site has sent, and that shows a login which a browser adds by itself. */
  check({ headers, method = '' }: LoginRequest, door: string): void {
    const { origin, 'sec-fetch-site': site, authorization = '', host } = headers
    if (origin === undefined && site === undefined) return
    if (SAFE_METHODS.has(method) || STATED_LOGIN.test(authorization)) return
    if (headers['accesskeyid'] !== undefined && authorization === '') return
    // Browsers that send Sec-Fetch-Site know better than the header Host, which a proxy may have changed.
    const isForeign =
      site === undefined ? !isOf(origin ?? '', host) : site !== 'same-origin' && site !== 'none'
    if (!isForeign || (door === 'rest' && this.#isNamed(origin, authorization))) return
    throw new ForeignPage(
      `a page of another site (${quoted(origin)}) has sent this request through its user's browser, which added the user's login: only programs and pages of this server may change data by such a login` +
        (door === 'rest' ? '; --cors-origin names other pages that may' : ''),
    )
  }

  /** The origin `*` names no page that users trust: a password counts, since a browser adds none to requests that need CORS. */
  #isNamed(origin: string | undefined, authorization: string): boolean {
    if (origin !== undefined && origin !== ANY && this.#origins.has(origin)) return true
    return this.#origins.has(ANY) && BASIC.test(authorization)
  }
}

function isOf(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}

/** The origin for people: a client may have stated any text. */
function quoted(origin: string | undefined): string {
  return origin === undefined || origin === 'null' || !/^[\x21-\x7e]{1,100}$/.test(origin)
    ? 'of no stated origin'
    : origin
}
