/** Requests by door and method, with histograms of their latencies. The console computes figures of an interval from two answers. */

import { pid } from 'node:process'
import type { MetricReading, Sample } from '../../../model/metric.ts'
import type { ConsoleRequest } from './console-request.ts'

export async function load({ store, facts: { doors } }: ConsoleRequest): Promise<object> {
  const kinds = [...doors].flatMap(([door, { counters }]) =>
    [...counters.asked()].map(({ service, method, counts }) => {
      const { ok, refused, failed, latencies } = counts
      const [p50, p99] = [latencies.quantile(0.5), latencies.quantile(0.99)]
      return { door, service, method, ok, refused, failed, classes: latencies.classes(), p50, p99 }
    }),
  )
  // With several processes the next answer may come from another process, which has its own counts.
  return { pid, atMs: performance.now(), kinds, stages: (await store.metrics()).flatMap(stagesOf) }
}

interface Stage {
  readonly name: string
  readonly count: number
  readonly seconds: number
}

/** The count and the total time of each histogram of the store. */
function stagesOf({ kind, samples }: MetricReading): Stage[] {
  if (kind !== 'histogram') return []
  const valueOf = (name: string, part: Sample['part']): number =>
    samples.find((sample) => sample.part === part && nameOf(sample) === name)?.value ?? 0
  return [...new Set(samples.map(nameOf))].map((name) => ({
    name,
    count: valueOf(name, 'count'),
    seconds: valueOf(name, 'sum'),
  }))
}

function nameOf({ labels = {} }: Sample): string {
  return Object.entries(labels)
    .flatMap(([label, value]) => (label === 'le' ? [] : [value]))
    .join(' ')
}
