import type { RowOperationName } from '../../../src/store/refusals.ts'
import type { Region } from './region.ts'
import type { ReplicaChoice, ServedRegion } from './served-region.ts'

/** The target of a read: the regions of a table, or one region. */
export interface ReadTarget<Served extends ServedRegion = ServedRegion> {
  /** In order of their start keys. */
  readonly regions: readonly Served[]
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
  ): Served
}

/** The target of a request. */
export interface TargetRegions extends ReadTarget<Region> {
  /** While some of the regions give way to others: writes wait for its end, and look for their regions again. */
  readonly exchange: Promise<void> | undefined
}
