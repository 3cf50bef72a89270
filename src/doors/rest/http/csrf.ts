/**
 * Keeps pages of others from using the door by their readers' browsers: a page can have a form sent, but without a header of its own.
 * HBase: RestCsrfPreventionFilter.
 */

import type { IncomingMessage } from 'node:http'
import type { RE2JS } from 're2js'
import { re2 } from '../../../filter/regex/re2.ts'
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

  /** Throws RE2JSSyntaxException for an expression that is none. */
  constructor({ header, methodsToIgnore, browsers }: CsrfSettings) {
    this.#header = header.toLowerCase()
    this.#ignored = new Set(methodsToIgnore)
    this.#browsers = browsers.map((text) => re2().RE2JS.compile(text))
  }

  /** Throws Refusal 400 for a request that a page of somebody else may have made. */
  check({ method = '', headers }: IncomingMessage): void {
    const agent = headers['user-agent']
    if (agent === undefined || this.#ignored.has(method) || headers[this.#header] !== undefined) return
    if (this.#browsers.some((browser) => browser.matches(agent)))
      throw new Refusal(400, 'Missing Required Header for CSRF Vulnerability Protection')
  }
}
