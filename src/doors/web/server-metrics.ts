import type { Door } from '../../gateway/door.ts'
import { doorMetrics } from '../../gateway/metrics.ts'
import { type Metric, type MetricReading, readMetrics } from '../../model/metric.ts'
import type { Store } from '../../store/store.ts'

/** What the composition root alone knows. */
export interface ServerFacts {
  readonly version: string
  /** By their names; the web door is one of them once it is open. */
  readonly doors: ReadonlyMap<string, Door>
}

/** Reads all that Tidegate itself counts; docs/metrics.md has them. */
export function serverMetrics(
  store: Store,
  { version, doors }: ServerFacts,
): () => Promise<readonly MetricReading[]> {
  const info: Metric = {
    name: 'tidegate_info',
    kind: 'gauge',
    help: 'Always 1; its labels tell what runs',
    labels: ['version', 'store'],
    read: () => [{ labels: { version, store: store.kind }, value: 1 }],
  }
  const own = [info, ...doorMetrics(doors)]
  return async () => [...readMetrics(own), ...(await store.metrics())]
}
