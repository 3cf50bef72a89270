import type { RowOperationName } from '../../../src/store/refusals.ts'
import type { Region, ReplicaChoice } from './region.ts'

/** The target of a request: the regions of a table, or one region. */
export interface TargetRegions {
  /** In order of their start keys. */
  readonly regions: readonly Region[]
  /** While some of the regions give way to others: writes wait for its end, and look for their regions again. */
  readonly exchange: Promise<void> | undefined
  /**
   * The region of a row. Throws NOT_SERVING_REGION, naming `operation`, if the target does not have it or has closed what is to be read
   * or written; `replica`: see ReplicaChoice.
   */
  regionOf(
    buffer: Buffer,
    offset: number,
    length: number,
    operation: RowOperationName,
    replica?: ReplicaChoice,
  ): Region
}
