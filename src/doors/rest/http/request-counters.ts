/** Counts the requests of a resource by their method. */

import type { DoorCounters, RequestCounts } from '../../../gateway/observing/metrics.ts'

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE']
/** Methods that a client makes up share one label, so that labels cannot grow without end. */
const OTHER = 'other'

export class RequestCounters {
  readonly #byMethod: Readonly<Record<string, RequestCounts | undefined>>
  readonly #other: RequestCounts

  /** `resource` is for people: `row`, `schema`. */
  constructor(counters: DoorCounters, resource: string) {
    const entries = METHODS.map((method) => [method, counters.request(resource, method)] as const)
    this.#byMethod = Object.assign(Object.create(null) as object, Object.fromEntries(entries))
    this.#other = counters.request(resource, OTHER)
  }

  of(method: string): RequestCounts {
    return this.#byMethod[method] ?? this.#other
  }
}

/** The fixed parts of a path pattern: `schema` of `/:name/schema`. */
export function resourceOfPattern(pattern: string): string {
  const fixed = pattern.split('/').filter((part) => part !== '' && !part.startsWith(':'))
  return fixed.length === 0 ? 'tables' : fixed.join('/')
}
