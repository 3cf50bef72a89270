/** Fills in the address of regions that the store serves itself: the gateway knows that address, the store does not. */

import type { ServerName } from '../../model/server-name.ts'
import type { TableName } from '../../model/table-name.ts'
import type { Call } from '../../store/call.ts'
import type { Catalog, RegionLocation } from '../../store/catalog.ts'
import { withFacets, withMethods } from '../../store/decorate.ts'
import type { Store } from '../../store/store.ts'

/** A region with the address of its server. */
export interface AdvertisedRegion extends RegionLocation {
  readonly server: ServerName
}

export interface AdvertisedCatalog extends Catalog {
  regions(name: TableName, call: Call): Promise<readonly AdvertisedRegion[]>
}

/** A store whose regions all have addresses: the form that doors use. */
export interface AdvertisedStore extends Store {
  readonly catalog: AdvertisedCatalog
}

/** `server`: the address that clients get for regions that the store serves itself. */
export function advertised(store: Store, server: ServerName): AdvertisedStore {
  const { catalog } = store
  /** The advertised regions by the list that the store returned: it may return the same list many times. */
  const lists = new WeakMap<readonly RegionLocation[], readonly AdvertisedRegion[]>()
  const regions = async (name: TableName, call: Call): Promise<readonly AdvertisedRegion[]> => {
    const found = await catalog.regions(name, call)
    const known = lists.get(found)
    if (known !== undefined) return known
    const list = found.map((region) => ({ ...region, server: region.server ?? server }))
    lists.set(found, list)
    return list
  }
  return withFacets(store, { catalog: withMethods(catalog, { regions }) })
}
