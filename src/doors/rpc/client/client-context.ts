import type { AdvertisedStore } from '../../../gateway/advertised.ts'
import type { Limits } from '../../../gateway/limits.ts'
import { HBaseError, isHBaseError } from '../../../model/errors.ts'
import type { RegionRef } from '../../../store/target.ts'
import type { Endpoints } from '../endpoints/endpoints.ts'
import type { ServedRegions } from '../served-regions.ts'
import type { OpenScanners } from './open-scanners.ts'

export interface ClientContext {
  readonly store: Pick<AdvertisedStore, 'rows' | 'handouts'>
  readonly limits: Limits
  readonly regions: ServedRegions
  readonly endpoints: Endpoints
  readonly scanners: OpenScanners
}

/**
 * A region server does not know why it lacks a region: its clients look hbase:meta up again, and find there that the table
 * has gone or is disabled.
 */
export function asRegionServer(error: unknown, { encodedName }: RegionRef): unknown {
  if (!isHBaseError(error)) return error
  if (error.code !== 'TABLE_NOT_FOUND' && error.code !== 'TABLE_NOT_ENABLED') return error
  return new HBaseError('NOT_SERVING_REGION', `${encodedName} is not online on this server`, { cause: error })
}

/** Runs `work` of a region, and turns its errors into those of a region server. */
export async function inRegion<T>(region: RegionRef, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asRegionServer(error, region)
  }
}
