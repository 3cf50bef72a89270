import type { Door } from '../../../gateway/door.ts'
import type { RecentSlow } from '../../../gateway/observing/slow/recent-slow.ts'
import type { TestMode } from '../../../gateway/policies/test-mode/test-mode.ts'
import type { ServerLife } from '../../../gateway/server-life.ts'
import type { Metric } from '../../../model/metric.ts'
import type { MetricsJson } from '../metrics/exposition.ts'
import type { Health } from './health.ts'

/** Facts that only the composition root knows. */
export interface ServerFacts {
  readonly version: string
  /** By their names, with the web door once it is open. */
  readonly doors: ReadonlyMap<string, Door>
  readonly life: ServerLife
  /** Of all processes that serve together; undefined: there is but this one. */
  readonly reports?: Reports | undefined
  /** Undefined: tests may do nothing but use the server. */
  readonly testMode?: TestMode | undefined
  /** Of traces; undefined: there are none. */
  readonly traces?: readonly Metric[] | undefined
  /** Of certificates and logins. */
  readonly logins?: readonly Metric[] | undefined
  /** Clients may change nothing. */
  readonly readOnly?: boolean | undefined
  /** Undefined: there is no console. */
  readonly console?: ConsoleFacts | undefined
}

export interface ConsoleFacts {
  /** Where its files are. */
  readonly folder: URL
  /** Whether it may change tables and rows. */
  readonly writes: boolean
  /** The one that decides what each user may know; undefined: everybody may know everything. */
  readonly deciding?: 'Tidegate' | 'cluster' | undefined
  /** Undefined: there is no slow log. */
  readonly slow?: RecentSlow | undefined
}

/** What processes tell of themselves, each of them once. */
export interface Reports {
  /** How many processes there are to be. */
  readonly processes: number
  metrics(): Promise<readonly MetricsJson[]>
  readiness(): Promise<readonly Health[]>
}
