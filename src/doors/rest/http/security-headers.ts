/** Security headers of every answer, for browsers. HBase: ClickjackingPreventionFilter, SecurityHeadersFilter. */

import type { IncomingMessage } from 'node:http'
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

export class SecurityHeaders {
  readonly #plain: readonly string[]
  readonly #encrypted: readonly string[]

  constructor({ frameOptions = 'DENY', hsts, csp }: SecurityHeaderSettings = {}) {
    const fixed = ['X-Frame-Options', frameOptions]
    fixed.push('X-Content-Type-Options', 'nosniff', 'X-XSS-Protection', '1; mode=block')
    this.#plain = [...fixed, ...stated(hsts, csp)]
    this.#encrypted = [...fixed, ...stated(hsts ?? HSTS, csp ?? CSP)]
  }

  /** Names and values alternate. */
  forRequest(incoming: IncomingMessage): readonly string[] {
    return isEncrypted(incoming) ? this.#encrypted : this.#plain
  }
}

/** An empty value leaves the header out. */
function stated(hsts = '', csp = ''): string[] {
  return [
    ...(hsts === '' ? [] : ['Strict-Transport-Security', hsts]),
    ...(csp === '' ? [] : ['Content-Security-Policy', csp]),
  ]
}
