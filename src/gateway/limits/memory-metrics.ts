import { counter, gauge, type Metric } from '../../model/metric.ts'
import type { MemoryBudget } from './memory-budget.ts'

/** Metrics of the memory for requests. The limit is `Infinity` where there is none. */
export function memoryMetrics(memory: MemoryBudget): Metric[] {
  return [
    gauge('tidegate_memory_max_bytes', 'Memory that requests and answers may take', () => memory.bytesMax),
    gauge('tidegate_memory_granted_bytes', 'Memory that requests and answers take now', () => memory.granted),
    gauge(
      'tidegate_memory_uncollected_bytes',
      'Memory that requests have given back and that may not be collected yet',
      () => memory.uncollected,
    ),
    counter(
      'tidegate_memory_refused_total',
      'Requests that were refused for want of memory',
      () => memory.refused,
    ),
  ]
}
