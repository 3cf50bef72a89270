import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import type { ServerName } from '../../../model/server-name.ts'
import type { ServedRegions } from '../regions/served-regions.ts'

export interface AdminContext {
  readonly store: AdvertisedStore
  /** What clients are told of this server. */
  readonly server: ServerName
  readonly regions: ServedRegions
  /** Of the web pages; undefined: there are none. */
  readonly infoPort: () => number | undefined
}
