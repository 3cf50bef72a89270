/** The cluster as its master knows it. HBase: ClusterMetricsBuilder, ServerMetricsBuilder, RegionMetricsBuilder. */

import type { ClusterIdentity, ClusterStatus, RegionLoad, ServerLoad } from '../../../src/maintenance.ts'
import { compareBytes } from '../../../src/model/bytes.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import {
  type ClusterStatus as ClusterStatusMessage,
  type LiveServerInfo,
  Option,
  type RegionLoad as RegionLoadMessage,
} from '../../../src/wire/rpc/gen/cluster-status_pb.ts'
import type { ServerName as ServerNameMessage } from '../../../src/wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Master } from '../admin/master.ts'

const GET_CLUSTER_STATUS = rpcMethod(MasterService.method.getClusterStatus)

const IDENTITY = [Option.HBASE_VERSION, Option.CLUSTER_ID]
const STATUS = [
  ...IDENTITY,
  Option.LIVE_SERVERS,
  Option.DEAD_SERVERS,
  Option.MASTER,
  Option.BACKUP_MASTERS,
  Option.BALANCER_ON,
]

export async function clusterIdentity(master: Master): Promise<ClusterIdentity> {
  return identityOf(await ask(master, IDENTITY))
}

export async function clusterStatus(master: Master): Promise<ClusterStatus> {
  const status = await ask(master, STATUS)
  return {
    ...identityOf(status),
    master: status.master && serverOf(status.master),
    backupMasters: status.backupMasters.map(serverOf),
    liveServers: status.liveServers.map(loadOf).sort((a, b) => compareServers(a.server, b.server)),
    deadServers: status.deadServers.map(serverOf).sort(compareServers),
    isBalancerOn: status.balancerOn,
  }
}

async function ask(master: Master, options: Option[]): Promise<ClusterStatusMessage> {
  return (await master.ask('status of the cluster', GET_CLUSTER_STATUS, { options })).clusterStatus!
}

function identityOf({ clusterId, hbaseVersion }: ClusterStatusMessage): ClusterIdentity {
  return { clusterId: clusterId?.clusterId ?? '', hbaseVersion: hbaseVersion?.version ?? '' }
}

function loadOf({ server, serverLoad }: LiveServerInfo): ServerLoad {
  const load = serverLoad!
  return {
    server: serverOf(server!),
    requests: Number(load.totalNumberOfRequests),
    requestsPerSecond: Number(load.numberOfRequests),
    heapUsedMB: load.usedHeapMB,
    heapMaxMB: load.maxHeapMB,
    regions: load.regionLoads.map(regionOf).sort((a, b) => compareBytes(a.name, b.name)),
  }
}

function regionOf(load: RegionLoadMessage): RegionLoad {
  return {
    // It shares the memory of the whole answer.
    name: Buffer.from(load.regionSpecifier!.value),
    stores: load.stores,
    storeFiles: load.storefiles,
    storeFileSizeMB: load.storefileSizeMB,
    memStoreSizeMB: load.memStoreSizeMB,
    storeFileIndexSizeKB: Number(load.storefileIndexSizeKB),
    rootIndexSizeKB: load.rootIndexSizeKB,
    staticIndexSizeKB: load.totalStaticIndexSizeKB,
    staticBloomSizeKB: load.totalStaticBloomSizeKB,
    readRequests: Number(load.readRequestsCount),
    writeRequests: Number(load.writeRequestsCount),
    compactingCells: Number(load.totalCompactingKVs),
    compactedCells: Number(load.currentCompactedKVs),
  }
}

function serverOf({ hostName, port, startCode }: ServerNameMessage): ServerName {
  return { host: hostName, port, startCode: Number(startCode) }
}

function compareServers(a: ServerName, b: ServerName): number {
  if (a.host !== b.host) return a.host < b.host ? -1 : 1
  return a.port - b.port || a.startCode - b.startCode
}
