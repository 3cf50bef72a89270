import type { Maintenance } from '../../../src/maintenance.ts'
import type { HBaseAdmin } from '../admin/hbase-admin.ts'
import { Master } from '../admin/master.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { clusterIdentity, clusterStatus } from './cluster-status.ts'
import { NamedRegions } from './named-regions.ts'
import { RegionChanges } from './region-changes.ts'
import { RegionServers } from './region-servers.ts'
import { Snapshots } from './snapshots.ts'

/** The cluster's master and region servers as one thing to tell what to do. `random`: from 0 to less than 1. */
export function clusterMaintenance(
  cluster: Cluster,
  admin: Pick<HBaseAdmin, 'tableExists' | 'tableState'>,
  random: () => number,
): Maintenance {
  const master = new Master(cluster, random)
  const named = new NamedRegions(cluster)
  const servers = new RegionServers(cluster, named)
  const changes = new RegionChanges(cluster, master, named)
  const snapshots = new Snapshots(cluster, master, admin)
  return {
    compactTable: (table, compaction) => servers.compactTable(table, compaction),
    compactRegion: (region, compaction) => servers.compactRegion(region, compaction),
    compactionState: (table) => servers.compactionState(table),
    flushRegion: (region, family) => servers.flushRegion(region, family),
    splitTable: (table, at) => changes.splitTable(table, at),
    splitRegion: (region, at) => changes.splitRegion(region, at),
    mergeRegions: (regions, forcible) => changes.mergeRegions(regions, forcible),
    moveRegion: (region, target) => changes.moveRegion(region, target),
    assignRegion: (region) => changes.assignRegion(region),
    unassignRegion: (region) => changes.unassignRegion(region),
    listSnapshots: () => snapshots.listSnapshots(),
    createSnapshot: (name, table, type) => snapshots.createSnapshot(name, table, type),
    deleteSnapshot: (name) => snapshots.deleteSnapshot(name),
    restoreSnapshot: (name) => snapshots.restoreSnapshot(name),
    cloneSnapshot: (name, table) => snapshots.cloneSnapshot(name, table),
    clusterIdentity: () => clusterIdentity(master),
    clusterStatus: () => clusterStatus(master),
  }
}
