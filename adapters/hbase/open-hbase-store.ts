/** A real HBase cluster as the store. */

import type { Store } from '../../src/store/store.ts'
import { ClusterAdmin } from './admin/cluster-admin.ts'
import { Cluster, type ClusterConfig } from './cluster/cluster.ts'
import { HBaseStore } from './hbase-store.ts'
import { clusterMaintenance } from './maintain/cluster-maintenance.ts'

export type HBaseLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  message: string,
  fields?: Readonly<Record<string, unknown>>,
) => void

export interface HBaseStoreConfig extends ClusterConfig {
  readonly log: HBaseLog
}

/** Connects to nobody before it is first used: a gateway may start before its cluster does. */
export async function openHBaseStore(config: HBaseStoreConfig): Promise<Store> {
  const cluster = new Cluster(config)
  const admin = new ClusterAdmin(cluster, config.random)
  return new HBaseStore(cluster, admin, clusterMaintenance(cluster, admin, config.random))
}
