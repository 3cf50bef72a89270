/** Security headers of every answer, for browsers. HBase: ClickjackingPreventionFilter, SecurityHeadersFilter. */

import type { HttpRequest } from '../../../gateway/connections/http-request.ts'
import { isEncrypted } from '../../../gateway/identity/proxies/request-origin.ts'

export interface SecurityHeaderSettings {
  /** X-Frame-Options; undefined: DENY. */
  readonly frameOptions?: string | undefined
  /** Strict-Transport-Security; undefined: HBase's default over TLS, absent otherwise. */
  readonly hsts?: string | undefined
  /** Content-Security-Policy; undefined: HBase's default over TLS, absent otherwise. */
  readonly csp?: string | undefined
}

const HSTS = 'max-age=63072000;includeSubDomains;preload'
const CSP = "default-src https: data: 'unsafe-inline' 'unsafe-eval'"

/** Headers of every answer. */
export interface FixedHeaders {
  /** Names and values alternate. */
  readonly list: readonly string[]
  /** The same as lines of the answer's head. */
  readonly lines: string
}

export class SecurityHeaders {
  readonly #plain: FixedHeaders
  readonly #encrypted: FixedHeaders

  constructor({ frameOptions = 'DENY', hsts, csp }: SecurityHeaderSettings = {}) {
    const fixed = ['X-Frame-Options', frameOptions]
    fixed.push('X-Content-Type-Options', 'nosniff', 'X-XSS-Protection', '1; mode=block')
    this.#plain = fixedHeaders([...fixed, ...stated(hsts, csp)])
    this.#encrypted = fixedHeaders([...fixed, ...stated(hsts ?? HSTS, csp ?? CSP)])
  }

  forRequest(incoming: HttpRequest): FixedHeaders {
    return isEncrypted(incoming) ? this.#encrypted : this.#plain
  }
}

function fixedHeaders(list: readonly string[]): FixedHeaders {
  let lines = ''
  for (let i = 0; i < list.length; i += 2) lines += `${list[i]}: ${list[i + 1]}\r\n`
  return { list, lines }
}

/** An empty value leaves the header out. */
function stated(hsts = '', csp = ''): string[] {
  return [
    ...(hsts === '' ? [] : ['Strict-Transport-Security', hsts]),
    ...(csp === '' ? [] : ['Content-Security-Policy', csp]),
  ]
}
