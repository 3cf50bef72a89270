/**
 * Cross-origin requests: which pages' scripts a browser lets use the door. The door never asks a browser to send
 * credentials, so a page can do here no more than anybody else.
 */

import type { IncomingMessage } from 'node:http'
import type { Answer } from './answer.ts'

/** Stands for every origin. */
const ANY = '*'

/** Headers that scripts may read beside those that they always may. */
const EXPOSED = 'Link, Location, Retry-After, X-Column, X-Row, X-Timestamp'
const METHODS = 'GET, HEAD, PUT, POST, DELETE'
/** Seconds for which a browser need not ask again. */
const MAX_AGE = '600'

type Headers = Readonly<Record<string, string>>

export class Cors {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  /** The answer to a browser that asks before it sends a request; undefined for every other request. */
  preflight({ method, headers }: IncomingMessage): Answer | undefined {
    if (method !== 'OPTIONS' || !this.#isAllowed(headers.origin)) return undefined
    if (headers['access-control-request-method'] === undefined) return undefined
    const asked = headers['access-control-request-headers']
    const allowed: Headers = {
      'Access-Control-Allow-Methods': METHODS,
      ...(asked !== undefined && { 'Access-Control-Allow-Headers': asked }),
      'Access-Control-Max-Age': MAX_AGE,
    }
    return { status: 204, headers: allowed }
  }

  /** The answer with the headers by which a browser decides whether a script gets it. */
  labelled({ headers: { origin } }: IncomingMessage, answer: Answer): Answer {
    return { ...answer, headers: { ...answer.headers, ...this.#headers(origin) } }
  }

  #headers(origin: string | undefined): Headers {
    if (this.#origins.has(ANY)) {
      return { 'Access-Control-Allow-Origin': ANY, 'Access-Control-Expose-Headers': EXPOSED }
    }
    // Every answer varies, allowed or not: a cache must not hand one origin's answer to another.
    const vary = { Vary: 'Origin' }
    if (origin === undefined || !this.#isAllowed(origin)) return vary
    return { ...vary, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }
  }

  #isAllowed(origin: string | undefined): boolean {
    return origin !== undefined && (this.#origins.has(ANY) || this.#origins.has(origin))
  }
}
