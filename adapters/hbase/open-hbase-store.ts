/** Opens a real HBase cluster as the store. */

import type { Store } from '../../src/store/store.ts'
import { ClusterCatalog } from './admin/cluster-catalog.ts'
import { Master } from './admin/master.ts'
import { Cluster, type ClusterConfig } from './cluster/cluster.ts'
import { DirectCalls } from './direct-calls.ts'
import { HBaseStore } from './hbase-store.ts'
import { clusterUpkeep } from './maintain/cluster-upkeep.ts'

export type HBaseLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

export interface HBaseStoreConfig extends ClusterConfig {
  readonly log: HBaseLog
}

/** The store connects on first use: a gateway may start before its cluster. */
export async function openHBaseStore(config: HBaseStoreConfig): Promise<Store> {
  return openHBaseClient(config).store
}

/** The store, and the calls of the cluster's servers for which the store has no facet. */
export function openHBaseClient(config: HBaseStoreConfig): {
  readonly store: Store
  readonly direct: DirectCalls
} {
  const cluster = new Cluster(config)
  const master = new Master(cluster, config.random)
  const catalog = new ClusterCatalog(cluster, master)
  const store = new HBaseStore(
    cluster,
    catalog,
    clusterUpkeep(cluster, master, catalog),
    config.login?.withTags,
  )
  return { store, direct: new DirectCalls(cluster, master) }
}
