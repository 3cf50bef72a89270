import type { MetricsJson } from './exposition.ts'
import type { Health } from './health.ts'

/** What processes tell of themselves, each of them once. */
export interface Reports {
  /** How many processes there are to be. */
  readonly processes: number
  metrics(): Promise<readonly MetricsJson[]>
  readiness(): Promise<readonly Health[]>
}
