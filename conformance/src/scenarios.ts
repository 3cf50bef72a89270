import { engineChange } from './cases/engine-change.ts'
import { engineHistory } from './cases/engine-history.ts'
import { engineScan } from './cases/engine-scan.ts'
import { engineSlop } from './cases/engine-slop.ts'
import { engineTtl } from './cases/engine-ttl.ts'
import { examples } from './cases/examples.ts'
import { FILTER_SCENARIOS } from './cases/filter-scenarios.ts'
import { longFamilies } from './cases/long-families.ts'
import { REST_SCENARIOS } from './cases/rest-scenarios.ts'
import { RPC_SCENARIOS } from './cases/rpc-scenarios.ts'
import { systemTables } from './cases/system-tables.ts'
import { THRIFT_SCENARIOS } from './cases/thrift-scenarios.ts'
import type { Scenario } from './runner/case.ts'

/** The whole suite. A new scenario is a file in cases/ and a line here. */
export const SCENARIOS: readonly Scenario[] = [
  engineHistory,
  engineScan,
  engineChange,
  engineTtl,
  engineSlop,
  examples,
  systemTables,
  longFamilies,
  ...REST_SCENARIOS,
  ...THRIFT_SCENARIOS,
  ...FILTER_SCENARIOS,
  ...RPC_SCENARIOS,
]
