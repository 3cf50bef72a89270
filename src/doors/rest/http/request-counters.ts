/** The counters of a resource's requests, by method. */

import type { DoorCounters, RequestCounts } from '../../../gateway/observing/metrics.ts'

const METHODS = ['GET', 'HEAD', 'PUT', 'POST', 'DELETE']
/** The label of unknown methods. They share it, so that clients cannot create labels without limit. */
const OTHER = 'other'

export class RequestCounters {
  readonly #byMethod: Readonly<Record<string, RequestCounts | undefined>>
  readonly #other: RequestCounts

  /** `resource`: the label in metrics, such as `row` or `schema`. */
  constructor(counters: DoorCounters, resource: string) {
    const entries = METHODS.map((method) => [method, counters.request(resource, method)] as const)
    this.#byMethod = Object.assign(Object.create(null) as object, Object.fromEntries(entries))
    this.#other = counters.request(resource, OTHER)
  }

  forMethod(method: string): RequestCounts {
    return this.#byMethod[method] ?? this.#other
  }
}

/** The label of a path pattern, which is its fixed parts: `schema` for `/:name/schema`. */
export function resourceOfPattern(pattern: string): string {
  const fixed = pattern.split('/').filter((part) => part !== '' && !part.startsWith(':'))
  return fixed.length === 0 ? 'tables' : fixed.join('/')
}
