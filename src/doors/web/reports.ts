import type { MetricsJson } from './exposition.ts'
import type { Health } from './health.ts'

/** What processes tell of themselves, each of them once. */
export interface Reports {
  metrics(): Promise<readonly MetricsJson[]>
  readiness(): Promise<readonly Health[]>
}
