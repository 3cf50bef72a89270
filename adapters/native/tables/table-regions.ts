/** An open table: its descriptor, state and regions. */

import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import type { RegionLocation } from '../../../src/store/catalog.ts'
import type { RowOperationName } from '../../../src/store/refusals.ts'
import type { RegionClosings } from '../region/closed-replicas.ts'
import type { Region, ReplicaChoice } from '../region/region.ts'
import type { TargetRegions } from '../region/target-regions.ts'

export class TableRegions implements TargetRegions {
  descriptor: TableDescriptor
  isEnabled: boolean
  /** In order of their start keys, without gaps; the first starts at EMPTY. */
  regions: readonly Region[]
  exchange: Promise<void> | undefined
  readonly #closings: RegionClosings
  #locations: readonly RegionLocation[] = []
  /** The regions and the closings of which the locations were made. */
  #located: { readonly regions: readonly Region[]; readonly changes: number } | undefined

  constructor(
    descriptor: TableDescriptor,
    isEnabled: boolean,
    regions: readonly Region[],
    closings: RegionClosings,
  ) {
    this.descriptor = descriptor
    this.isEnabled = isEnabled
    this.regions = regions
    this.#closings = closings
  }

  /** As Catalog.regions, the same list until a region changes: clients of native RPC look regions up one by one, among thousands. */
  get locations(): readonly RegionLocation[] {
    const { regions } = this
    const { changes } = this.#closings
    if (this.#located?.regions !== regions || this.#located.changes !== changes) {
      this.#locations = regions.map((region) => this.#locationOf(region))
      this.#located = { regions, changes }
    }
    return this.#locations
  }

  #locationOf({ startKey, endKey, regionId, name, encodedName, closed }: Region): RegionLocation {
    const table = this.descriptor.name
    return {
      table,
      startKey,
      endKey,
      regionId,
      name,
      encodedName,
      server: undefined,
      closedReplicas: closed.numbers,
    }
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
