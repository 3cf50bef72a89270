/** The status that clients of a store without a cluster see: one server, with the regions that the store serves itself. */

import { getHeapStatistics } from 'node:v8'
import { create, toBinary } from '@bufbuild/protobuf'
import { compareBytes } from '../../model/bytes.ts'
import { HBASE_VERSION } from '../../model/hbase-version.ts'
import { eachInTurns, manyATurn } from '../../model/many-a-turn.ts'
import type { ServerName } from '../../model/server-name.ts'
import { sortInSteps } from '../../model/steps.ts'
import { type Call, onOwnBehalf } from '../../store/call.ts'
import type { ReplicationLoad } from '../../store/region-figures.ts'
import { type ClusterInfo, NO_SEQUENCE_ID, type RegionLoad, type ServerLoad } from '../../store/upkeep.ts'
import { ReplicationLoadSinkSchema } from '../../wire/rpc/gen/cluster-status_pb.ts'
import type { AdvertisedRegion, AdvertisedStore } from './advertised.ts'
import { allTables } from './listed-tables.ts'
import { isOpen, type Replica, withReplicas } from './replicas.ts'
import { sinkFiguresOf } from './sink-figures.ts'

const BYTES_PER_MEGABYTE = 1024 * 1024

type ClusterState = Pick<ClusterInfo, 'hbaseVersion' | 'status'>

/** The state of the cluster behind the store, or of the store as a cluster of one server. */
export function clusterOf(store: AdvertisedStore): ClusterState {
  return store.upkeep.cluster ?? ownCluster(store)
}

function ownCluster(store: AdvertisedStore): ClusterState {
  return {
    hbaseVersion: async () => HBASE_VERSION,
    status: async (call) => {
      const liveServers = await ownServers(store, call)
      return {
        clusterId: await store.clusterId(),
        hbaseVersion: HBASE_VERSION,
        master: liveServers[0]?.server,
        backupMasters: [],
        liveServers,
        deadServers: [],
        isBalancerOn: false,
        masterCoprocessors: [],
        regionsInTransition: [],
      }
    },
  }
}

/**
 * The loads of the servers, by address; there is one address. Every user may know the servers. A user sees the load of a region only
 * with some permission of its table.
 */
async function ownServers({ catalog, upkeep }: AdvertisedStore, call: Call): Promise<ServerLoad[]> {
  const loads = await upkeep.loads?.regionLoads(call)
  const requests = await upkeep.loads?.requestFigures(call)
  const loadOf = new Map<string, RegionLoad>()
  await eachInTurns(loads ?? [], (load) => loadOf.set(load.name.toString('latin1'), load))
  const servers = new Map<string, ServerLoad & { readonly regions: RegionLoad[] }>()
  const heap = getHeapStatistics()
  const sources = (await upkeep.peers?.sourceLoads?.(onOwnBehalf(call))) ?? []
  const shown = new Set((await allTables(catalog, call, 'names')).map(({ name }) => name))
  for (const table of await allTables(catalog, onOwnBehalf(call))) {
    if ((await catalog.tableState(table.name, call)) !== 'ENABLED') continue
    const replicas = await manyATurn(withReplicas(await catalog.regions(table.name, call), table))
    await eachInTurns(replicas, (region) => {
      if (!isOpen(region)) return
      const load = loadOf.get(region.first.name.toString('latin1'))
      const { host, port } = region.server
      const server = servers.get(`${host}:${port}`) ?? {
        server: region.server,
        requests: requests?.total ?? 0,
        requestsPerSecond: requests?.perSecond ?? 0,
        heapUsedMB: Math.floor(heap.used_heap_size / BYTES_PER_MEGABYTE),
        heapMaxMB: Math.floor(heap.heap_size_limit / BYTES_PER_MEGABYTE),
        regions: [],
        coprocessors: ['MultiRowMutationEndpoint'],
        replication: { ...replicationOf(region.server), sources },
      }
      servers.set(`${host}:${port}`, server)
      if (!shown.has(table.name)) return
      const known = load ?? emptyLoad(region, table.families.length)
      server.regions.push(region.replica === 0 ? known : loadOfCopy(known, region))
    })
  }
  const sorted: ServerLoad[] = []
  for (const server of servers.values()) {
    const regions = await manyATurn(sortInSteps(server.regions, (a, b) => compareBytes(a.name, b.name)))
    sorted.push({ ...server, regions })
  }
  return sorted
}

/** Replication as a region server of HBase reports it that sends no changes to other clusters. */
function replicationOf(server: ServerName): ReplicationLoad {
  const { ageMs, lastWrittenMs, startedMs, operations } = sinkFiguresOf(server)
  const sink = create(ReplicationLoadSinkSchema, {
    ageOfLastAppliedOp: BigInt(ageMs),
    timeStampsOfLastAppliedOp: BigInt(lastWrittenMs),
    timestampStarted: BigInt(startedMs),
    totalOpsProcessed: BigInt(operations),
  })
  return { sources: [], sink: Buffer.from(toBinary(ReplicationLoadSinkSchema, sink)) }
}

/** The load of a copy: it has no memstore, and requests are counted for the region alone. */
function loadOfCopy(load: RegionLoad, { name }: Replica): RegionLoad {
  return { ...load, name, memStoreSizeMB: 0, readRequests: 0, writeRequests: 0 }
}

/** The load of a region without figures: of a system table that is a view of the catalog, or of a store that keeps none. */
function emptyLoad({ name }: AdvertisedRegion, stores: number): RegionLoad {
  return {
    name,
    stores,
    storeFiles: 0,
    storeFileSizeMB: 0,
    memStoreSizeMB: 0,
    storeFileIndexSizeKB: 0,
    rootIndexSizeKB: 0,
    staticIndexSizeKB: 0,
    staticBloomSizeKB: 0,
    readRequests: 0,
    writeRequests: 0,
    compactingCells: 0,
    compactedCells: 0,
    completedSequenceId: NO_SEQUENCE_ID,
    storeSequenceIds: [],
    lastMajorCompaction: 0,
  }
}
