import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import { answerPart } from '../../../gateway/limits/answer-limits.ts'
import type { Limits } from '../../../gateway/limits/limits.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import { type ErrorCode, HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { Endpoints } from '../endpoints/endpoints.ts'
import { errorOfCopy } from '../regions/copies.ts'
import type { NamedRegion } from '../regions/named-region.ts'
import type { ServedRegions } from '../regions/served-regions.ts'
import type { OpenScanners } from './open-scanners.ts'

export interface ClientContext {
  readonly store: Pick<AdvertisedStore, 'rows' | 'handouts' | 'upkeep'>
  readonly limits: Limits
  /** The memory that the clients of all doors share. */
  readonly memory: MemoryBudget
  readonly regions: ServedRegions
  readonly endpoints: Endpoints
  readonly scanners: OpenScanners
}

/** Most bytes of cells that an answer may have now, beyond its first row. The client asks again for the rest. */
export function answerBytesMax({ limits, memory }: Pick<ClientContext, 'limits' | 'memory'>): number {
  return Math.max(1, Math.min(limits.responseBytesMax, answerPart(memory)))
}

const WRONG_REGION = '.WrongRegionException'

const REGION_IS_GONE: ReadonlySet<ErrorCode> = new Set([
  'TABLE_NOT_FOUND',
  'TABLE_NOT_ENABLED',
  'NOT_SERVING_REGION',
])

/**
 * Turns an error into that of a region server, which does not know why it lacks a region. Its clients then read hbase:meta again, and find
 * that the table is gone or disabled.
 */
export function asRegionServer(error: unknown, region: NamedRegion): unknown {
  if (!isRegionGone(error)) return errorOfCopy(error, region)
  return new HBaseError('NOT_SERVING_REGION', `${region.name} is not online on this server`, { cause: error })
}

/** True where the region is not served. False where it is, and the row is outside of its range. */
export function isRegionGone(error: unknown): boolean {
  return isHBaseError(error) && REGION_IS_GONE.has(error.code) && !error.javaClass.endsWith(WRONG_REGION)
}

/** Runs `work` on a region, and turns its errors into those of a region server. */
export async function inRegion<T>(region: NamedRegion, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asRegionServer(error, region)
  }
}
