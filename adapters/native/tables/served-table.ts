import type { RowOperationName } from '../../../src/store/refusals.ts'
import type { ReplicaChoice, ServedRegion } from '../region/served-region.ts'
import type { ReadTarget } from '../region/target-regions.ts'

/** The regions of a table as the target of a request. */
export class ServedTable<Served extends ServedRegion> implements ReadTarget<Served> {
  isEnabled: boolean
  /** In order of their start keys, without gaps; the first starts at EMPTY. */
  regions: readonly Served[]

  constructor(isEnabled: boolean, regions: readonly Served[]) {
    this.isEnabled = isEnabled
    this.regions = regions
  }

  /** The region of a row. Throws NOT_SERVING_REGION where it is closed. */
  regionOf(
    buffer: Buffer,
    offset: number,
    length: number,
    _operation?: RowOperationName,
    replica?: ReplicaChoice,
  ): Served {
    const region = this.regions[this.indexOf(buffer, offset, length)]!
    if (region.closed.isClosed || replica !== undefined) region.checkServed(replica)
    return region
  }

  indexOf(buffer: Buffer, offset: number, length: number): number {
    let low = 1
    let high = this.regions.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.regions[middle]!.startsAtOrBefore(buffer, offset, length)) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}
