/**
 * Protects against cross-site request forgery. A page of another site can make a browser send a form, but cannot add a header to it.
 * HBase: RestCsrfPreventionFilter.
 */

import type { RE2JS } from 're2js'
import { re2 } from '../../../filter/regex/re2.ts'
import type { HttpRequest } from '../../../gateway/connections/http-request.ts'
import { Refusal } from './errors.ts'

export interface CsrfSettings {
  /** The header that browsers must send, with any value. */
  readonly header: string
  /** Methods that need no such header. */
  readonly methodsToIgnore: readonly string[]
  /** Regular expressions for the whole User-Agent of browsers. */
  readonly browsers: readonly string[]
}

export class Csrf {
  readonly #header: string
  readonly #ignored: ReadonlySet<string>
  readonly #browsers: readonly RE2JS[]

  /** Throws RE2JSSyntaxException for a malformed expression. */
  constructor({ header, methodsToIgnore, browsers }: CsrfSettings) {
    this.#header = header.toLowerCase()
    this.#ignored = new Set(methodsToIgnore)
    this.#browsers = browsers.map((text) => re2().RE2JS.compile(text))
  }

  /** Throws Refusal 400 for a browser's request without the header. */
  check({ method = '', headers }: HttpRequest): void {
    const agent = headers['user-agent']
    if (agent === undefined || this.#ignored.has(method) || headers[this.#header] !== undefined) return
    if (this.#browsers.some((browser) => browser.matches(agent)))
      throw new Refusal(400, 'Missing Required Header for CSRF Vulnerability Protection')
  }
}
