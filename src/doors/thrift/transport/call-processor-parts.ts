import type { RequestLog } from '../../../gateway/access-log.ts'
import type { DecodeThreads } from '../../../gateway/decoding/decode-threads.ts'
import type { MemoryBudget } from '../../../gateway/memory-budget.ts'
import type { DoorCounters } from '../../../gateway/metrics.ts'
import type { RequestFailures } from '../../../gateway/request-failures.ts'
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
  /** Decodes large messages of the services of idl/; undefined: the processor decodes them itself. */
  readonly decoding?: DecodeThreads | undefined
  /** Undefined: no other process has scanners of this server. */
  readonly forwarding?: ForwardedScans | undefined
}
