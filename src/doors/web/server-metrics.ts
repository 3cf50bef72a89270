import type { Door } from '../../gateway/door.ts'
import type { MemoryBudget } from '../../gateway/limits/memory-budget.ts'
import { memoryMetrics } from '../../gateway/limits/memory-metrics.ts'
import { doorMetrics } from '../../gateway/observing/metrics.ts'
import type { RecentSlow } from '../../gateway/observing/slow/recent-slow.ts'
import type { TestMode } from '../../gateway/policies/test-mode/test-mode.ts'
import type { ServerLife } from '../../gateway/server-life.ts'
import { type Metric, type MetricReading, readMetrics } from '../../model/metric.ts'
import type { Store } from '../../store/store.ts'
import type { Reports } from './reports.ts'

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

export interface Measured {
  readonly store: Store
  readonly memory: MemoryBudget
}

/** Reads all metrics of Tidegate's own; docs/metrics.md lists them. */
export function serverMetrics(
  { store, memory }: Measured,
  { version, doors, traces = [], logins = [] }: Pick<ServerFacts, 'version' | 'doors' | 'traces' | 'logins'>,
): () => Promise<readonly MetricReading[]> {
  const info: Metric = {
    name: 'tidegate_info',
    kind: 'gauge',
    help: 'Always 1; its labels tell what runs',
    labels: ['version', 'store'],
    together: 'first',
    read: () => [{ labels: { version, store: store.kind }, value: 1 }],
  }
  const own = [info, ...doorMetrics(doors), ...memoryMetrics(memory), ...logins, ...traces]
  return async () => [...readMetrics(own), ...(await store.metrics())]
}
