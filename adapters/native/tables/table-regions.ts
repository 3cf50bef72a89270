/** An open table: its descriptor, state and regions. */

import type { TableDescriptor } from '../../../src/model/descriptor.ts'
import type { RegionLocation } from '../../../src/store/catalog.ts'
import type { RegionClosings } from '../region/closed-replicas.ts'
import type { Region } from '../region/region.ts'
import type { TargetRegions } from '../region/target-regions.ts'
import { ServedTable } from './served-table.ts'

export class TableRegions extends ServedTable<Region> implements TargetRegions {
  descriptor: TableDescriptor
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
    super(isEnabled, regions)
    this.descriptor = descriptor
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
}
