/** The state of the cluster. HBase: HMaster.getClusterMetrics, ClusterMetricsBuilder.toClusterStatus. */

import { fromBinary, type MessageInitShape } from '@bufbuild/protobuf'
import type { AdvertisedStore } from '../../../gateway/catalog/advertised.ts'
import { allTables } from '../../../gateway/catalog/listed-tables.ts'
import { clusterOf } from '../../../gateway/catalog/own-cluster.ts'
import { isOpen, replicasOf } from '../../../gateway/catalog/replicas.ts'
import { manyATurn } from '../../../model/many-a-turn.ts'
import { mapInSteps } from '../../../model/steps.ts'
import { type Call, onOwnBehalf } from '../../../store/call.ts'
import type { ReplicationLoad } from '../../../store/region-figures.ts'
import type { ClusterStatus, ServerLoad } from '../../../store/upkeep.ts'
import {
  type ClusterStatusSchema,
  type LiveServerInfoSchema,
  Option,
  RegionInTransitionSchema,
  ReplicationLoadSinkSchema,
  ReplicationLoadSourceSchema,
  type ServerLoadSchema,
  type ClusterStatus as StatusRead,
  type TableRegionStatesCountSchema,
} from '../../../wire/rpc/gen/cluster-status_pb.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { tableNameMessage } from '../../../wire/rpc/table-name-message.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import { loadMessage } from '../messages/region-message.ts'
import { serverNameMessage } from '../messages/server-name-message.ts'
import type { MasterContext } from './master-context.ts'

const { method } = MasterService
/** The port that HBase reports for a master without web pages. */
const NO_INFO_PORT = -1

type ServerLoadMessage = MessageInitShape<typeof ServerLoadSchema>
type StatusMessage = Exclude<MessageInitShape<typeof ClusterStatusSchema>, StatusRead>

export function cluster(context: MasterContext): (readonly [string, RpcHandler])[] {
  return [
    generated(method.isMasterRunning, async () => ({ isMasterRunning: true })),
    generated(method.isMasterInMaintenanceMode, async () => ({ inMaintenanceMode: false })),
    generated(method.getClusterStatus, async ({ options }, { call }) => ({
      clusterStatus: await statusReport(context, options, call),
    })),
  ]
}

/** The parts of the status that the client wants; all of them where it names none. */
async function statusReport(
  { store, server, switches, infoPort }: MasterContext,
  options: readonly Option[],
  call: Call,
): Promise<StatusMessage> {
  const wants = (option: Option): boolean => options.length === 0 || options.includes(option)
  const status = await clusterOf(store).status(call)
  return {
    masterInfoPort: infoPort() ?? NO_INFO_PORT,
    ...(wants(Option.HBASE_VERSION) && { hbaseVersion: { version: status.hbaseVersion } }),
    ...(wants(Option.CLUSTER_ID) && { clusterId: { clusterId: status.clusterId } }),
    ...(wants(Option.MASTER) && { master: serverNameMessage(status.master ?? server) }),
    ...(wants(Option.BALANCER_ON) && {
      balancerOn:
        store.upkeep.cluster === undefined ? await switches.isOn('balancer', call) : status.isBalancerOn,
    }),
    ...(await serversOf(status, wants, infoPort() ?? NO_INFO_PORT)),
    ...(wants(Option.MASTER_COPROCESSORS) && {
      masterCoprocessors: status.masterCoprocessors.map((name) => ({ name })),
    }),
    ...(wants(Option.REGIONS_IN_TRANSITION) && {
      regionsInTransition: status.regionsInTransition.map((region) =>
        fromBinary(RegionInTransitionSchema, region),
      ),
    }),
    ...(wants(Option.TABLE_TO_REGIONS_COUNT) && { tableRegionStatesCount: await regionCounts(store, call) }),
  }
}

async function serversOf(
  status: ClusterStatus,
  wants: (option: Option) => boolean,
  infoServerPort: number,
): Promise<StatusMessage> {
  const { liveServers, deadServers, backupMasters } = status
  return {
    ...(wants(Option.LIVE_SERVERS) && {
      liveServers: await Promise.all(liveServers.map((load) => liveServerMessage(load, infoServerPort))),
    }),
    ...(wants(Option.SERVERS_NAME) && {
      serversName: liveServers.map(({ server }) => serverNameMessage(server)),
    }),
    ...(wants(Option.DEAD_SERVERS) && { deadServers: deadServers.map(serverNameMessage) }),
    ...(wants(Option.BACKUP_MASTERS) && { backupMasters: backupMasters.map(serverNameMessage) }),
  }
}

function replicationMessage({ sources, sink }: ReplicationLoad): ServerLoadMessage {
  return {
    replLoadSource: sources.map((source) => fromBinary(ReplicationLoadSourceSchema, source)),
    replLoadSink: fromBinary(ReplicationLoadSinkSchema, sink),
  }
}

async function liveServerMessage(
  load: ServerLoad,
  infoServerPort: number,
): Promise<MessageInitShape<typeof LiveServerInfoSchema>> {
  const { server, requests, requestsPerSecond, heapUsedMB, heapMaxMB, regions, replication } = load
  const now = BigInt(Date.now())
  return {
    server: serverNameMessage(server),
    serverLoad: {
      numberOfRequests: BigInt(requestsPerSecond),
      totalNumberOfRequests: BigInt(requests),
      usedHeapMB: heapUsedMB,
      maxHeapMB: heapMaxMB,
      regionLoads: await manyATurn(mapInSteps(regions, loadMessage)),
      coprocessors: load.coprocessors.map((name) => ({ name })),
      ...(replication && replicationMessage(replication)),
      reportStartTime: now,
      reportEndTime: now,
      // Java's unsigned form of -1 where there are no web pages.
      infoServerPort: infoServerPort >>> 0,
    },
  }
}

/** Counts the regions of each table. Those of a disabled table are all closed. */
async function regionCounts(
  { catalog }: Pick<AdvertisedStore, 'catalog'>,
  call: Call,
): Promise<MessageInitShape<typeof TableRegionStatesCountSchema>[]> {
  const tables = await allTables(catalog, onOwnBehalf(call))
  return Promise.all(
    tables.map(async ({ name }) => {
      const replicas = await replicasOf(catalog, name, call)
      const isEnabled = (await catalog.tableState(name, call)) === 'ENABLED'
      const openRegions = isEnabled ? replicas.filter(isOpen).length : 0
      return {
        tableName: tableNameMessage(name),
        regionStatesCount: {
          openRegions,
          splitRegions: 0,
          closedRegions: replicas.length - openRegions,
          regionsInTransition: 0,
          totalRegions: replicas.length,
        },
      }
    }),
  )
}
