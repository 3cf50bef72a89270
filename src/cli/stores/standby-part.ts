import type { AdvertisedStore } from '../../gateway/catalog/advertised.ts'
import type { ServerName } from '../../model/server-name.ts'
import type { Store } from '../../store/store.ts'

/** The part of a server in a pair of leader and standby, around its store. */
export interface StandbyPart {
  readonly isFollowing: boolean
  /** The store with the operations of standbys, before the policies. */
  within(opened: Store): Store
  /** The store that clients get. `server`: the name that they get. */
  over(policed: AdvertisedStore, server: ServerName): AdvertisedStore
  /** The listener is called once the server leads. */
  onPromoted(listener: () => Promise<void>): void
  /** Begins to follow, or to lead. Resolves to the store with its metrics and troubles. */
  started(store: AdvertisedStore): Promise<AdvertisedStore>
  /** For /health; undefined for a server that is alone. */
  health(): Readonly<Record<string, string | number>> | undefined
}
