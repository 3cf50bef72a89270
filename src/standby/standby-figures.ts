/** How far a standby is, for health, metrics and the log. */

import type { Metric } from '../model/metric.ts'

/** A leader that cannot be reached for so long is a trouble. */
const FAILING_MS = 30_000

export class StandbyFigures {
  readonly #now: () => number
  /** Bytes of the leader's log that are not applied. */
  leftBytes = 0
  /** When the first change was made that is not applied, about; undefined: there is none. */
  waitingSince: number | undefined
  appliedChanges = 0
  appliedBytes = 0
  failure: { readonly reason: string; readonly since: number } | undefined

  constructor(now: () => number) {
    this.#now = now
  }

  fail(reason: string): void {
    this.failure = { reason, since: this.failure?.since ?? this.#now() }
  }

  /** Seconds that the standby is behind, as far as it knows. */
  lagSeconds(asOf: number): number {
    const since =
      this.failure === undefined
        ? this.waitingSince
        : Math.min(this.failure.since, asOf || this.failure.since)
    return since === undefined ? 0 : Math.max(0, this.#now() - since) / 1000
  }

  /** The failure, once it lasts. */
  get lastingFailure(): { readonly reason: string; readonly since: number } | undefined {
    const { failure } = this
    return failure !== undefined && this.#now() - failure.since >= FAILING_MS ? failure : undefined
  }
}

export interface Followed {
  readonly figures: StandbyFigures
  readonly position: number
  readonly asOf: number
  readonly isStopped: boolean
}

/** `followed`: as it is now; undefined: this server follows none. */
export function standbyMetrics(followed: () => Followed | undefined): Metric[] {
  const metric = (
    kind: 'counter' | 'gauge',
    name: string,
    help: string,
    value: (of: Followed) => number,
  ): Metric => ({
    name: `tidegate_standby_${name}`,
    kind,
    help,
    read: () => {
      const of = followed()
      return of === undefined ? [] : [{ labels: {}, value: value(of) }]
    },
  })
  return [
    metric(
      'gauge',
      'lag_bytes',
      "Bytes of the leader's log that are not applied",
      (of) => of.figures.leftBytes,
    ),
    metric(
      'gauge',
      'lag_seconds',
      'Age of the oldest change that is not applied, as far as it is known',
      (of) => of.figures.lagSeconds(of.asOf),
    ),
    metric(
      'gauge',
      'position',
      "The leader's changes up to this sequence id are applied",
      (of) => of.position,
    ),
    metric('gauge', 'stopped', '1 where the standby cannot go on, else 0', (of) => (of.isStopped ? 1 : 0)),
    metric(
      'counter',
      'applied_changes_total',
      'Changes that were applied',
      (of) => of.figures.appliedChanges,
    ),
    metric('counter', 'applied_bytes_total', 'Bytes of the cells of these', (of) => of.figures.appliedBytes),
  ]
}
