/** An open table: its descriptor, state and regions. */

import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import type { RowOperationName } from '../../../src/store/refusals.ts'
import type { Region, ReplicaChoice } from '../region/region.ts'
import type { TargetRegions } from '../region/target-regions.ts'

export class TableRegions implements TargetRegions {
  descriptor: TableDescriptor
  isEnabled: boolean
  /** In order of their start keys, without gaps; the first starts at EMPTY. */
  regions: readonly Region[]
  exchange: Promise<void> | undefined

  constructor(descriptor: TableDescriptor, isEnabled: boolean, regions: readonly Region[]) {
    this.descriptor = descriptor
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
  ): Region {
    const region = this.regions[this.indexOf(buffer, offset, length)]!
    if (region.isClosed || replica !== undefined) region.checkServed(replica)
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
