import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { RequestLog } from '../../../gateway/observing/logs/access-log.ts'
import type { RequestFailures } from '../../../gateway/observing/logs/request-failures.ts'
import type { DoorCounters } from '../../../gateway/observing/metrics.ts'
import type { DecodeThreads } from '../../../gateway/requests/decoding/decode-threads.ts'
import type { MethodTable } from '../contract/method-table.ts'
import type { CallLimits } from '../decoding/call-task.ts'
import type { ForwardedScans } from './forwarded-scans.ts'

export interface CallProcessorParts {
  readonly methods: MethodTable
  readonly limits: CallLimits
  readonly memory: MemoryBudget
  readonly counters: DoorCounters
  readonly failures: RequestFailures
  readonly access?: RequestLog | undefined
  /** Threads that decode large messages of the services of idl/; absent where the processor decodes them itself. */
  readonly decoding?: DecodeThreads | undefined
  /** Hands calls of scanners on to sibling processes; absent where the server is one process. */
  readonly forwarding?: ForwardedScans | undefined
}
