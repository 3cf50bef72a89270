import type { Door } from '../../gateway/door.ts'
import { doorMetrics } from '../../gateway/metrics.ts'
import type { Metric } from '../../model/metric.ts'
import type { Store } from '../../store.ts'

/** What the composition root alone knows. */
export interface ServerFacts {
  readonly version: string
  /** By their names; the web door is one of them once it is open. */
  readonly doors: ReadonlyMap<string, Door>
}

/** All that Tidegate itself counts; docs/metrics.md has them. */
export function serverMetrics(store: Store, { version, doors }: ServerFacts): readonly Metric[] {
  const info: Metric = {
    name: 'tidegate_info',
    kind: 'gauge',
    help: 'Always 1; its labels tell what runs',
    labels: ['version', 'store'],
    read: () => [{ labels: { version, store: store.kind }, value: 1 }],
  }
  return [info, ...doorMetrics(doors), ...(store.metrics ?? [])]
}
