import type { DoorCounters } from '../../../gateway/observing/metrics.ts'

/** Counts of requests as HBase's beans have them: a read that found nothing is among `failed`, and the end of a scanner among `all` alone. */
export interface RequestSum {
  readonly all: number
  readonly ok: number
  readonly failed: number
}

/** The sum of the kinds of requests that `isOf` accepts. */
export function requestsOf(
  counters: DoorCounters | undefined,
  isOf: (service: string, method: string) => boolean,
): RequestSum {
  const sum = { all: 0, ok: 0, failed: 0 }
  for (const { service, method, counts } of counters?.asked() ?? []) {
    if (!isOf(service, method)) continue
    sum.all += counts.ok + counts.refused + counts.failed
    sum.ok += counts.ok - counts.absent - counts.empty
    sum.failed += counts.refused + counts.failed + counts.absent
  }
  return sum
}
