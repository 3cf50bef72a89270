import type { Context } from 'hono'
import type { MemoryBudget } from '../../gateway/limits/memory-budget.ts'
import type { Store } from '../../store/store.ts'
import { EXPOSITION_TYPE, Exposition, togetherText } from './metrics/exposition.ts'
import type { Reports, ServerFacts } from './status/server-facts.ts'
import { serverMetrics } from './status/server-metrics.ts'

/** The page of metrics: of all processes where `others` returns reports, else of this process. */
export function metricsPage(
  facts: ServerFacts,
  memory: MemoryBudget,
  others: () => Reports | undefined,
): (context: Context, store: Store) => Promise<Response> {
  let exposition: Exposition | undefined
  return async (context, store) => {
    const all = await others()?.metrics()
    exposition ??= new Exposition(serverMetrics({ store, memory }, facts))
    const text = all === undefined ? await exposition.text() : await togetherText(all)
    return context.body(text, 200, { 'Content-Type': EXPOSITION_TYPE })
  }
}
