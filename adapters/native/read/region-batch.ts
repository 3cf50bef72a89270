import { NO_RESULTS, type ScannedResults } from '../../../src/model/results.ts'

/** One step of a scan of a region. */
export interface RegionBatch {
  readonly results: ScannedResults
  /** False only if the region is known to have no more results. */
  readonly more: boolean
  /** As ScanBatch.partial. */
  readonly partial: readonly boolean[] | undefined
}

/** The batch of a step that has read nothing. */
export const NO_BATCH_YET: RegionBatch = { results: NO_RESULTS, more: true, partial: undefined }
