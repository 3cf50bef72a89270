import type { Catalog } from '../../../src/store/catalog.ts'
import type { Upkeep } from '../../../src/store/upkeep.ts'
import type { Master } from '../admin/master.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { ClusterBackups } from './cluster-backups.ts'
import { ClusterBulkLoads } from './cluster-bulk-loads.ts'
import { ClusterChanges } from './cluster-changes.ts'
import { ClusterChores } from './cluster-chores.ts'
import { ClusterFileTrackers } from './cluster-file-trackers.ts'
import { ClusterLabels } from './cluster-labels.ts'
import { ClusterPeers } from './cluster-peers.ts'
import { ClusterPermissions } from './cluster-permissions.ts'
import { ClusterQuotas } from './cluster-quotas.ts'
import { ClusterStandby } from './cluster-standby.ts'
import { ClusterSwitches } from './cluster-switches.ts'
import { HBaseClusterInfo } from './hbase-cluster-info.ts'
import { NamedRegions } from './named-regions.ts'
import { RegionChanges } from './region-changes.ts'
import { RegionServers } from './region-servers.ts'
import { ClusterSnapshots } from './snapshots.ts'

/**
 * All parts of the upkeep but `logStreams`, and `loads`, `sizes` and `servers`, which the master's status and its quotas contain, and `grants`, which the
 * permissions contain.
 */
export function clusterUpkeep(
  cluster: Cluster,
  master: Master,
  catalog: Pick<Catalog, 'tableExists' | 'tableState'>,
): Required<Omit<Upkeep, 'loads' | 'sizes' | 'servers' | 'grants' | 'logStreams' | 'identity'>> {
  const named = new NamedRegions(cluster)
  const servers = new RegionServers(cluster, master, named)
  return {
    flushes: servers,
    compactions: servers,
    regions: new RegionChanges(cluster, master, named),
    snapshots: new ClusterSnapshots(cluster, master, catalog),
    bulkLoads: new ClusterBulkLoads(cluster),
    switches: new ClusterSwitches(master),
    chores: new ClusterChores(master),
    files: servers,
    fileTrackers: new ClusterFileTrackers(master),
    peers: new ClusterPeers(master),
    cluster: new HBaseClusterInfo(cluster, master),
    quotas: new ClusterQuotas(cluster, master),
    permissions: new ClusterPermissions(master, cluster.knowsUsers),
    labels: new ClusterLabels(cluster, master),
    backups: new ClusterBackups(master),
    changes: new ClusterChanges(master, cluster.retrier.time),
    standby: new ClusterStandby(master),
  }
}
