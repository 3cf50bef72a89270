import type { Logger } from 'pino'
import type { SlowOperations } from '../../gateway/observing/slow/recent-slow.ts'
import type { Tracing } from '../../gateway/observing/tracing/open-tracing.ts'
import type { Authorization } from '../../gateway/policies/authorization.ts'
import { anewWithRights, checkedAtReadPoint } from '../../gateway/policies/own-tables/rights-of-reads.ts'
import { interceptedReads } from '../../store/interceptors.ts'
import type { LocalReads, LocalStore } from '../../store/port/thread-store.ts'
import type { RightsChanges } from './rights-changes.ts'

/** The parts that settings may put around the reads of a thread. */
export interface ReadPolicies {
  readonly authorization: Authorization | undefined
  readonly rights: RightsChanges
  readonly tracing: Tracing | undefined
  /** Undefined: there is no slow log. */
  readonly slowLogMs: number | undefined
  /** Gets the operations of the slow log. */
  readonly slow: SlowOperations
  readonly logger: Logger
}

/** The reads of a thread behind the gateway's decorators, in the order of those of openServedStore. */
export async function readsByPolicies(
  own: LocalStore,
  { authorization, rights, tracing, slowLogMs, slow, logger }: ReadPolicies,
): Promise<LocalReads> {
  const counts = [rights.grants, rights.labels]
  let reads: LocalReads =
    authorization === undefined ? own : { ...own, rows: checkedAtReadPoint(own, counts) }
  if (tracing !== undefined) reads = interceptedReads(reads, tracing.operations('native'))
  if (slowLogMs !== undefined) {
    const { slowRequests } = await import('../../gateway/observing/slow/slow-log.ts')
    reads = interceptedReads(reads, slowRequests(slowLogMs, logger, undefined, slow))
  }
  if (authorization === undefined) return reads
  const { subjects, labels, hasPermissions } = authorization
  if (labels !== undefined) {
    const { readsByLabels } = await import('../../gateway/policies/labels/reads-by-labels.ts')
    reads = readsByLabels(reads, own, { subjects, settings: labels, changes: rights.labels })
  }
  if (hasPermissions) {
    const { readsByPermissions } = await import('../../gateway/policies/access/reads-by-permissions.ts')
    reads = readsByPermissions(reads, own, subjects, rights.grants)
  }
  return { ...reads, rows: anewWithRights(reads.rows, counts) }
}
