import type { Door } from '../../../gateway/door.ts'
import type { RecentSlow } from '../../../gateway/observing/slow/recent-slow.ts'
import type { TestMode } from '../../../gateway/policies/test-mode/test-mode.ts'
import type { ServerLife } from '../../../gateway/server-life.ts'
import type { Metric } from '../../../model/metric.ts'
import type { MetricsJson } from '../metrics/exposition.ts'
import type { Health } from './health.ts'

/** The parts and settings of the server that its web pages show. */
export interface ServerFacts {
  readonly version: string
  /** The open doors by their names; the web door itself once it is open. */
  readonly doors: ReadonlyMap<string, Door>
  readonly life: ServerLife
  /** Reports of all processes; undefined: the server has one process. */
  readonly reports?: Reports | undefined
  /** Undefined: the server is not in test mode. */
  readonly testMode?: TestMode | undefined
  /** The metrics of traces; undefined: tracing is off. */
  readonly traces?: readonly Metric[] | undefined
  /** The metrics of certificates and logins; undefined: no logins. */
  readonly logins?: readonly Metric[] | undefined
  /** True where the server refuses changes. */
  readonly readOnly?: boolean | undefined
  /** Undefined: the console is off. */
  readonly console?: ConsoleFacts | undefined
}

export interface ConsoleFacts {
  /** The folder of its files. */
  readonly folder: URL
  /** True where it may change tables and rows. */
  readonly writes: boolean
  /** The side that checks permissions; undefined: users need none. */
  readonly deciding?: 'Tidegate' | 'cluster' | undefined
  /** Undefined: the slow log is off. */
  readonly slow?: RecentSlow | undefined
}

/** Reports of all processes that serve together, one of each. */
export interface Reports {
  /** The number of processes that the settings ask for. */
  readonly processes: number
  metrics(): Promise<readonly MetricsJson[]>
  readiness(): Promise<readonly Health[]>
}
