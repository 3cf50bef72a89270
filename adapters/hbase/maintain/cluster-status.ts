/** The cluster as its master knows it. HBase: ClusterMetricsBuilder, ServerMetricsBuilder, RegionMetricsBuilder. */

import { type DescMessage, type MessageShape, toBinary } from '@bufbuild/protobuf'
import { compareBytes } from '../../../src/model/bytes.ts'
import type { ServerName } from '../../../src/model/server-name.ts'
import type { Call } from '../../../src/store/call.ts'
import type { CompactionState, RegionFigures, ReplicationLoad } from '../../../src/store/region-figures.ts'
import type { ClusterInfo, ClusterStatus, RegionLoad, ServerLoad } from '../../../src/store/upkeep.ts'
import {
  type ClusterStatus as ClusterStatusMessage,
  type LiveServerInfo,
  Option,
  RegionInTransitionSchema,
  RegionLoad_CompactionState,
  type RegionLoad as RegionLoadMessage,
  ReplicationLoadSinkSchema,
  ReplicationLoadSourceSchema,
  type ServerLoad as ServerLoadMessage,
} from '../../../src/wire/rpc/gen/cluster-status_pb.ts'
import { MasterService } from '../../../src/wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Master } from '../admin/master.ts'
import { serverNameFromMessage } from '../messages/server-name.ts'

const GET_CLUSTER_STATUS = rpcMethod(MasterService.method.getClusterStatus)

const STATUS = [
  Option.HBASE_VERSION,
  Option.CLUSTER_ID,
  Option.LIVE_SERVERS,
  Option.DEAD_SERVERS,
  Option.MASTER,
  Option.BACKUP_MASTERS,
  Option.BALANCER_ON,
  Option.MASTER_COPROCESSORS,
  Option.REGIONS_IN_TRANSITION,
]

export class MasterInfo implements Pick<ClusterInfo, 'hbaseVersion' | 'status'> {
  readonly #master: Master

  constructor(master: Master) {
    this.#master = master
  }

  async hbaseVersion(call: Call): Promise<string> {
    return readVersion(await this.#ask([Option.HBASE_VERSION], call))
  }

  async status(call: Call): Promise<ClusterStatus> {
    const status = await this.#ask(STATUS, call)
    return {
      clusterId: status.clusterId?.clusterId ?? '',
      hbaseVersion: readVersion(status),
      master: status.master && serverNameFromMessage(status.master),
      backupMasters: status.backupMasters.map(serverNameFromMessage),
      liveServers: status.liveServers.map(readServerLoad).sort((a, b) => compareServers(a.server, b.server)),
      deadServers: status.deadServers.map(serverNameFromMessage).sort(compareServers),
      isBalancerOn: status.balancerOn,
      masterCoprocessors: status.masterCoprocessors.map(({ name }) => name),
      regionsInTransition: status.regionsInTransition.map((each) => bytesOf(RegionInTransitionSchema, each)),
    }
  }

  async #ask(options: Option[], call: Call): Promise<ClusterStatusMessage> {
    const answer = await this.#master.look('status of the cluster', GET_CLUSTER_STATUS, { options }, call)
    return answer.clusterStatus!
  }
}

function readVersion({ hbaseVersion }: ClusterStatusMessage): string {
  return hbaseVersion?.version ?? ''
}

function readServerLoad({ server, serverLoad }: LiveServerInfo): ServerLoad {
  const load = serverLoad!
  return {
    server: serverNameFromMessage(server!),
    requests: Number(load.totalNumberOfRequests),
    requestsPerSecond: Number(load.numberOfRequests),
    heapUsedMB: load.usedHeapMB,
    heapMaxMB: load.maxHeapMB,
    regions: load.regionLoads.map(readRegionLoad).sort((a, b) => compareBytes(a.name, b.name)),
    coprocessors: load.coprocessors.map(({ name }) => name),
    ...(load.replLoadSink !== undefined && { replication: readReplication(load, load.replLoadSink) }),
  }
}

function readReplication(
  { replLoadSource }: ServerLoadMessage,
  sink: NonNullable<ServerLoadMessage['replLoadSink']>,
): ReplicationLoad {
  return {
    sources: replLoadSource.map((source) => bytesOf(ReplicationLoadSourceSchema, source)),
    sink: bytesOf(ReplicationLoadSinkSchema, sink),
  }
}

function bytesOf<Desc extends DescMessage>(schema: Desc, message: MessageShape<Desc>): Buffer {
  return Buffer.from(toBinary(schema, message))
}

export function readRegionLoad(load: RegionLoadMessage): RegionLoad {
  return {
    // A copy: a view would keep the whole answer in memory.
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
    completedSequenceId: signed(load.completeSequenceId),
    storeSequenceIds: load.storeCompleteSequenceId.map(({ familyName, sequenceId }) => ({
      family: Buffer.from(familyName),
      sequenceId: signed(sequenceId),
    })),
    lastMajorCompaction: Number(load.lastMajorCompactionTs),
    figures: readFigures(load),
  }
}

function readFigures(load: RegionLoadMessage): RegionFigures {
  return {
    uncompressedSizeMB: load.storeUncompressedSizeMB,
    regionSizeMB: load.regionSizeMB,
    filteredReadRequests: load.filteredReadRequestsCount,
    dataLocality: load.dataLocality,
    dataLocalityForSsd: load.dataLocalityForSsd,
    blocksTotalWeight: load.blocksTotalWeight,
    blocksLocalWeight: load.blocksLocalWeight,
    blocksLocalWithSsdWeight: load.blocksLocalWithSsdWeight,
    storeReferences: load.storeRefCount,
    compactedFileReferences: load.maxCompactedStoreFileRefCount,
    compactionState: stateOf(load.compactionState),
    cachedRatio: load.currentRegionCachedRatio,
  }
}

function stateOf(state: RegionLoad_CompactionState): CompactionState {
  const { MINOR, MAJOR, MAJOR_AND_MINOR } = RegionLoad_CompactionState
  if (state === MAJOR_AND_MINOR) return 'MAJOR_AND_MINOR'
  if (state === MAJOR) return 'MAJOR'
  return state === MINOR ? 'MINOR' : 'NONE'
}

/** An unsigned 64-bit number as the signed one that Java prints. */
function signed(value: bigint): number {
  return Number(BigInt.asIntN(64, value))
}

function compareServers(a: ServerName, b: ServerName): number {
  if (a.host !== b.host) return a.host < b.host ? -1 : 1
  return a.port - b.port || a.startCode - b.startCode
}
