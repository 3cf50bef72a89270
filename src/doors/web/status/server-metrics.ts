import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { memoryMetrics } from '../../../gateway/limits/memory-metrics.ts'
import { doorMetrics } from '../../../gateway/observing/metrics.ts'
import { type Metric, type MetricReading, readMetrics } from '../../../model/metric.ts'
import type { Store } from '../../../store/store.ts'
import type { ServerFacts } from './server-facts.ts'

export interface Measured {
  readonly store: Store
  readonly memory: MemoryBudget
}

/** Reads all of Tidegate's own metrics, which docs/metrics.md lists. */
export function serverMetrics(
  { store, memory }: Measured,
  { version, doors, traces = [], logins = [] }: Pick<ServerFacts, 'version' | 'doors' | 'traces' | 'logins'>,
): () => Promise<readonly MetricReading[]> {
  const info: Metric = {
    name: 'tidegate_info',
    kind: 'gauge',
    help: 'Always 1; its labels show what runs',
    labels: ['version', 'store'],
    together: 'first',
    read: () => [{ labels: { version, store: store.kind }, value: 1 }],
  }
  const own = [info, ...doorMetrics(doors), ...memoryMetrics(memory), ...logins, ...traces]
  return async () => [...readMetrics(own), ...(await store.metrics())]
}
