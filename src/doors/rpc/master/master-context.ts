import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import type { ServerName } from '../../../model/server-name.ts'
import type { Switches } from '../../../store/upkeep.ts'
import type { MasterState } from './master-state.ts'

/** State that the master's methods share. */
export interface MasterContext extends Pick<MasterState, 'procedures' | 'decommissioned'> {
  readonly store: AdvertisedStore
  /** The only server, which is also the master. */
  readonly server: ServerName
  /** Returns the port of the web pages; undefined where there are none. */
  readonly infoPort: () => number | undefined
  readonly switches: Switches
}
