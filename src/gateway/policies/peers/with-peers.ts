/** A store whose changes can be read, with replication peers: rows of hbase:replication, which is made with the first peer. */

import { withFacets } from '../../../store/decorate.ts'
import type { Store } from '../../../store/store.ts'
import type { AdvertisedStore } from '../../catalog/advertised.ts'
import { PeerTable } from './peer-table.ts'
import { StoredPeers, type StoredPeersOptions } from './stored-peers.ts'

/** `keeper`: the same store for the server's own writes. The same store where its changes cannot be read, or where it has peers of its own. */
export function withPeers(
  store: AdvertisedStore,
  keeper: Store,
  options: Pick<StoredPeersOptions, 'peerClusterId' | 'keepBytesMax'>,
): AdvertisedStore {
  const { changes, peers } = keeper.upkeep
  if (changes === undefined || peers !== undefined) return store
  const stored = new StoredPeers({
    ...options,
    table: new PeerTable(keeper),
    changes,
    clusterId: () => keeper.clusterId(),
  })
  return withFacets(store, { catalog: store.catalog, upkeep: { ...store.upkeep, peers: stored } })
}
