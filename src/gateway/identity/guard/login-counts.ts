/** Counts of refused logins, by door. */

import type { Metric, Sample } from '../../../model/metric.ts'

export class LoginCounts {
  readonly #failed = new Map<string, number>()
  readonly #throttled = new Map<string, number>()

  /** Counts a refused login. `isThrottled`: it was not checked, after too many failures. */
  failed(door: string, isThrottled: boolean): void {
    const counts = isThrottled ? this.#throttled : this.#failed
    counts.set(door, (counts.get(door) ?? 0) + 1)
  }

  failedSamples(): Sample[] {
    return samplesOf(this.#failed)
  }

  throttledSamples(): Sample[] {
    return samplesOf(this.#throttled)
  }
}

function samplesOf(counts: ReadonlyMap<string, number>): Sample[] {
  return [...counts].map(([door, value]) => ({ labels: { door }, value }))
}

/** The metrics of logins; none for a server without logins. */
export function loginMetrics(guard: { readonly counts: LoginCounts } | undefined): readonly Metric[] {
  if (guard === undefined) return []
  const { counts } = guard
  return [
    {
      name: 'tidegate_failed_logins_total',
      kind: 'counter',
      help: 'Logins with a wrong password, token or ticket',
      labels: ['door'],
      read: () => counts.failedSamples(),
    },
    {
      name: 'tidegate_throttled_logins_total',
      kind: 'counter',
      help: 'Logins that were not looked at, after too many failed ones',
      labels: ['door'],
      read: () => counts.throttledSamples(),
    },
  ]
}
