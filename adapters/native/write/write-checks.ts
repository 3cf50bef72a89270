import { HBaseError } from '../../../src/model/errors.ts'
import type { Region } from '../region/region.ts'
import type { WriteAheadLog } from '../wal/write-ahead-log.ts'
import type { WritePathParts } from './write-path-parts.ts'

/** A log that has failed since has dropped what was pending, the earlier slices of a batch say, even if it works again. */
export function checkNothingLost(wal: WriteAheadLog, logFailures: number): void {
  if (wal.failures === logFailures) return
  throw (
    wal.failure ??
    new HBaseError('UNAVAILABLE', 'the write-ahead log has failed meanwhile: parts of the change may be lost')
  )
}

/** Throws where the region takes no writes now. */
export function checkWritable(region: Region, parts: Pick<WritePathParts, 'retirements' | 'limits'>): void {
  checkOpenForWrites(region, parts)
  parts.limits.checkRegion(region)
}

/** Checks as checkWritable does, for a change that the memstores have already. */
export function checkOpenForWrites(
  region: Region,
  { retirements }: Pick<WritePathParts, 'retirements'>,
): void {
  if (region.table.attributes.get('READONLY')?.toLowerCase() === 'true') {
    throw new HBaseError('DO_NOT_RETRY', 'region is read only')
  }
  retirements.checkWritable(region.number)
}
