import { engineChange } from './cases/engine-change.ts'
import { engineHistory } from './cases/engine-history.ts'
import { engineScan } from './cases/engine-scan.ts'
import { REST_SCENARIOS } from './cases/rest-scenarios.ts'
import type { Scenario } from './suite/case.ts'

/** The whole suite. A new scenario is a file in cases/ and a line here. */
export const SCENARIOS: readonly Scenario[] = [
  engineHistory,
  engineScan,
  engineChange,
  ...REST_SCENARIOS,
]
