import type { RowOperationName } from '../../../src/store/refusals.ts'
import type { Region } from './region.ts'

/** What a request is about: the regions of a table, or one region. */
export interface TargetRegions {
  /** In order of their start keys. */
  readonly regions: readonly Region[]
  /** The region of a row. Throws NOT_SERVING_REGION where the target does not have it: `operation` looks for it. */
  regionOf(buffer: Buffer, offset: number, length: number, operation: RowOperationName): Region
}
