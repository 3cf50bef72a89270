/** State of the door that its connections share. */

import type { Guard } from '../../gateway/identity/guard/guard.ts'
import type { MemoryBudget } from '../../gateway/limits/memory-budget.ts'
import type { RequestFailures } from '../../gateway/observing/logs/request-failures.ts'
import type { DoorCounters } from '../../gateway/observing/metrics.ts'
import type { Znodes } from './operations/operation.ts'
import type { CountedOperation } from './operations/run-operation.ts'
import type { DoorStatistics } from './session/door-statistics.ts'
import type { WordFacts } from './session/four-letter-words.ts'
import type { SessionTable } from './session/session-table.ts'

export interface ConnectionContext {
  readonly znodes: Znodes
  readonly sessions: SessionTable
  readonly operations: ReadonlyMap<number, CountedOperation>
  readonly counters: DoorCounters
  readonly statistics: DoorStatistics
  readonly words: WordFacts
  readonly memory: MemoryBudget
  /** Undefined: there are no logins. */
  readonly guard: Guard | undefined
  readonly failures: RequestFailures
  readonly now: () => number
  /** Called as a session starts, before its client has the answer. */
  readonly onSession: () => void
}
