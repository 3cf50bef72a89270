import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { memoryMetrics } from '../../../gateway/limits/memory-metrics.ts'
import { doorMetrics } from '../../../gateway/observing/metrics.ts'
import type { ServerLife } from '../../../gateway/server-life.ts'
import { gauge, type Metric, type MetricReading, readMetrics, type Sample } from '../../../model/metric.ts'
import type { OpeningProgress } from '../../../store/opening-progress.ts'
import type { ServerFacts } from './server-facts.ts'

/** Reads all of Tidegate's own metrics, which docs/metrics.md lists. Those of the store are there once it is open. */
export function serverMetrics(
  memory: MemoryBudget,
  facts: Pick<ServerFacts, 'version' | 'doors' | 'life' | 'traces' | 'logins'>,
): () => Promise<readonly MetricReading[]> {
  const { version, doors, life, traces = [], logins = [] } = facts
  const info: Metric = {
    name: 'tidegate_info',
    kind: 'gauge',
    help: 'Always 1; its labels show what runs',
    labels: ['version', 'store'],
    together: 'first',
    read: () => [{ labels: { version, ...(life.store && { store: life.store.kind }) }, value: 1 }],
  }
  const own = [
    info,
    ...lifeMetrics(life),
    ...doorMetrics(doors),
    ...memoryMetrics(memory),
    ...logins,
    ...traces,
  ]
  return async () => [...readMetrics(own), ...((await life.store?.metrics()) ?? [])]
}

/** The start of the server: it may last, as a replay of the log does. */
function lifeMetrics(life: ServerLife): Metric[] {
  const ofOpening = (value: (progress: OpeningProgress) => number) => (): Sample[] =>
    life.opening === undefined ? [] : [{ value: value(life.opening) }]
  return [
    {
      ...gauge('tidegate_serving', '1 once the store is open, 0 before and while the server stops', () =>
        life.phase === 'serving' ? 1 : 0,
      ),
      together: 'max',
    },
    {
      name: 'tidegate_opening_done_bytes',
      kind: 'gauge',
      help: 'While a start replays the log, or copies a leader: bytes that are done',
      read: ofOpening(({ bytes }) => bytes),
    },
    {
      name: 'tidegate_opening_bytes',
      kind: 'gauge',
      help: 'While a start replays the log, or copies a leader: bytes of all of it',
      read: ofOpening(({ bytesTotal }) => bytesTotal),
    },
  ]
}
