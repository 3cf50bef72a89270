/** The state of a cluster, handed on to clients of the door as the cluster told it. */

import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { withFacets } from '../../../../src/store/decorate.ts'
import type { ClusterStatus, RegionLoad } from '../../../../src/store/upkeep.ts'
import {
  RegionInTransitionSchema,
  ReplicationLoadSinkSchema,
  ReplicationLoadSourceSchema,
} from '../../../../src/wire/rpc/gen/cluster-status_pb.ts'
import type { RpcServer } from '../rpc-server.ts'
import { startRpcServer } from '../rpc-server.ts'

const bytesOf = <Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Buffer =>
  Buffer.from(toBinary(schema, create(schema, message)))

const tableName = { namespace: Buffer.from('default'), qualifier: Buffer.from('t') }
const SERVER = { host: 'rs', port: 16020, startCode: 7 }
const REGION: RegionLoad = {
  name: Buffer.from('t,,1.'),
  stores: 1,
  storeFiles: 2,
  storeFileSizeMB: 3,
  memStoreSizeMB: 4,
  storeFileIndexSizeKB: 5,
  rootIndexSizeKB: 6,
  staticIndexSizeKB: 7,
  staticBloomSizeKB: 8,
  readRequests: 9,
  writeRequests: 10,
  compactingCells: 11,
  compactedCells: 12,
  completedSequenceId: 13,
  storeSequenceIds: [],
  told: {
    uncompressedSizeMB: 14,
    regionSizeMB: 15,
    filteredReadRequests: 16n,
    lastMajorCompaction: 17n,
    dataLocality: 0.5,
    storeReferences: 18,
  },
}
const STATUS: ClusterStatus = {
  clusterId: 'id',
  hbaseVersion: '2.6.1',
  master: { host: 'm', port: 16000, startCode: 6 },
  backupMasters: [],
  liveServers: [
    {
      server: SERVER,
      requests: 1,
      requestsPerSecond: 2,
      heapUsedMB: 3,
      heapMaxMB: 4,
      regions: [REGION],
      coprocessors: ['MultiRowMutationEndpoint'],
      replication: {
        sources: [
          bytesOf(ReplicationLoadSourceSchema, {
            peerID: 'p',
            ageOfLastShippedOp: 1n,
            sizeOfLogQueue: 2,
            timeStampOfLastShippedOp: 3n,
            replicationLag: 4n,
          }),
        ],
        sink: bytesOf(ReplicationLoadSinkSchema, { ageOfLastAppliedOp: 5n, timeStampsOfLastAppliedOp: 6n }),
      },
    },
  ],
  deadServers: [],
  isBalancerOn: true,
  masterCoprocessors: ['AccessController'],
  regionsInTransition: [
    bytesOf(RegionInTransitionSchema, {
      spec: { type: 1, value: REGION.name },
      regionState: { regionInfo: { regionId: 1n, tableName }, state: 1 },
    }),
  ],
}

let server: RpcServer

beforeEach(async () => {
  const memory = openMemoryStore({ clock: Date })
  const cluster = {
    hbaseVersion: async () => STATUS.hbaseVersion,
    status: async () => STATUS,
    regionLoads: async () => [REGION],
    replicationPeers: async () => [],
  }
  server = await startRpcServer({ own: withFacets(memory, { upkeep: { ...memory.upkeep, cluster } }) })
})

afterEach(() => server.close())

test('a client sees figures, coprocessors, queues and regions in transition as the cluster told them', async () => {
  expect(await server.remote.upkeep.cluster!.status(OWN_CALL)).toEqual(STATUS)
})
