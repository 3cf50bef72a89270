import type { Context } from 'hono'
import type { MemoryBudget } from '../../gateway/limits/memory-budget.ts'
import type { Call } from '../../store/call.ts'
import { EXPOSITION_TYPE, Exposition, togetherText } from './metrics/exposition.ts'
import { jsonOf, type SeenTables } from './metrics/seen-tables.ts'
import type { Reports, ServerFacts } from './status/server-facts.ts'
import { serverMetrics } from './status/server-metrics.ts'
import { visibleTables } from './status/visible-health.ts'

/** The page of metrics: of all processes where `others` returns reports, else of this process. It also answers before the store is open. */
export function metricsPage(
  facts: ServerFacts,
  memory: MemoryBudget,
  others: () => Reports | undefined,
): (context: Context, call: Call) => Promise<Response> {
  const exposition = new Exposition(serverMetrics(memory, facts))
  const seenBy = async (call: Call): Promise<SeenTables> =>
    facts.console?.deciding === undefined ? undefined : await visibleTables(facts.life.store, call)
  return async (context, call) => {
    const seen = await seenBy(call)
    const all = await others()?.metrics()
    const text =
      all === undefined
        ? await exposition.text(seen)
        : await togetherText(all.map((metrics) => jsonOf(seen, metrics)))
    return context.body(text, 200, { 'Content-Type': EXPOSITION_TYPE })
  }
}
