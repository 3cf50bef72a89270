import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import type { MemoryBudget } from '../../../gateway/limits/memory-budget.ts'
import type { ServerName } from '../../../model/server-name.ts'
import type { ServedRegions } from '../regions/served-regions.ts'

export interface AdminContext {
  readonly store: AdvertisedStore
  /** The name by which clients know this server. */
  readonly server: ServerName
  readonly regions: ServedRegions
  /** Of all requests. */
  readonly memory: MemoryBudget
  /** Returns the port of the web pages; undefined where there are none. */
  readonly infoPort: () => number | undefined
}
