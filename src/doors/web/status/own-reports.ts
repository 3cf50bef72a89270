import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { readiness } from './health.ts'
import type { Reports, ServerFacts } from './server-facts.ts'
import { serverMetrics } from './server-metrics.ts'

/** The reports of this process, for the processes that serve together with it. */
export function ownReports(facts: ServerFacts, memory: MemoryBudget): Reports {
  let exposition: Promise<import('../metrics/exposition.ts').Exposition> | undefined
  return {
    processes: 1,
    metrics: async () => {
      if (facts.life.store === undefined) return []
      exposition ??= import('../metrics/exposition.ts').then(
        ({ Exposition }) => new Exposition(serverMetrics(memory, facts)),
      )
      return [await (await exposition).json()]
    },
    readiness: async () => [await readiness(facts.life)],
  }
}
