import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import type { ServerName } from '../../../model/server-name.ts'
import type { ServedRegions } from '../regions/served-regions.ts'

export interface AdminContext {
  readonly store: AdvertisedStore
  /** The name by which clients know this server. */
  readonly server: ServerName
  readonly regions: ServedRegions
  /** Returns the port of the web pages; undefined where there are none. */
  readonly infoPort: () => number | undefined
}
