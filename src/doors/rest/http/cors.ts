/**
 * CORS: the origins whose scripts may use the door in a browser. The door never lets a browser send credentials, so a page has no
 * more rights than any anonymous client.
 */

import type { HttpRequest } from '../../../gateway/connections/http-request.ts'
import type { Answer } from './answer.ts'

/** Stands for every origin. */
const ANY = '*'

/** Headers that scripts may read besides those that CORS always allows. */
const EXPOSED = 'Link, Location, Retry-After, X-Column, X-Row, X-Timestamp'
const METHODS = 'GET, HEAD, PUT, POST, DELETE'
/** Seconds for which a browser keeps the answer to a preflight. */
const MAX_AGE = '600'

type Headers = Readonly<Record<string, string>>

export class Cors {
  readonly #origins: ReadonlySet<string>

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins)
  }

  /** The answer to a browser's preflight; undefined for every other request. */
  preflight({ method, headers }: HttpRequest): Answer | undefined {
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

  /** The answer with CORS headers. */
  withHeaders({ headers: { origin } }: HttpRequest, answer: Answer): Answer {
    return { ...answer, headers: { ...answer.headers, ...this.#headers(origin) } }
  }

  #headers(origin: string | undefined): Headers {
    if (this.#origins.has(ANY)) {
      return { 'Access-Control-Allow-Origin': ANY, 'Access-Control-Expose-Headers': EXPOSED }
    }
    // Every answer has Vary, allowed or not: a cache must not give the answer for one origin to another.
    const vary = { Vary: 'Origin' }
    if (origin === undefined || !this.#isAllowed(origin)) return vary
    return { ...vary, 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }
  }

  #isAllowed(origin: string | undefined): boolean {
    return origin !== undefined && (this.#origins.has(ANY) || this.#origins.has(origin))
  }
}
