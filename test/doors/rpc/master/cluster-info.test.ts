/** The state of a cluster reaches clients of the door as the cluster reports it. */

import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { regionName } from '../../../../src/model/region-name.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { withFacets } from '../../../../src/store/decorate.ts'
import type { ClusterStatus, RegionLoad } from '../../../../src/store/upkeep.ts'
import {
  RegionInTransitionSchema,
  ReplicationLoadSinkSchema,
  ReplicationLoadSourceSchema,
} from '../../../../src/wire/rpc/gen/cluster-status_pb.ts'
import { MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { ProcedureSchema } from '../../../../src/wire/rpc/gen/procedure_pb.ts'
import { loadOfRegion } from '../../load-of-region.ts'
import { oneCall } from '../one-call.ts'
import type { RpcServer } from '../rpc-server.ts'
import { startRpcServer } from '../rpc-server.ts'

const bytesOf = <Desc extends DescMessage>(schema: Desc, message: MessageInitShape<Desc>): Buffer =>
  Buffer.from(toBinary(schema, create(schema, message)))

const tableName = { namespace: Buffer.from('default'), qualifier: Buffer.from('t') }
const SERVER = { host: 'rs', port: 16020, startCode: 7 }
const REGION: RegionLoad = loadOfRegion(regionName(parseTableName('t'), Buffer.alloc(0), 1).name)
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

/** A procedure with a state message (field 15) of a class that only clients know. */
const PROCEDURE = Buffer.concat([
  bytesOf(ProcedureSchema, { className: 'p', procId: 1n, submittedTime: 2n, lastUpdate: 3n, state: 2 }),
  Buffer.from([(15 << 3) | 2, 2, 0x0a, 0]),
])

let server: RpcServer

beforeEach(async () => {
  const memory = openMemoryStore({ clock: Date })
  const cluster = {
    hbaseVersion: async () => STATUS.hbaseVersion,
    status: async () => STATUS,
    regionLoads: async () => [REGION],
    procedures: async () => [PROCEDURE],
  }
  server = await startRpcServer({ own: withFacets(memory, { upkeep: { ...memory.upkeep, cluster } }) })
})

afterEach(() => server.close())

test.each([
  ['the table', 't', 17n],
  ['another one', 'u', 0n],
])(
  'the last major compaction of %s is the one that the cluster reports',
  async (_, name, compactionTimestamp) => {
    const { getLastMajorCompactionTimestamp, getLastMajorCompactionTimestampForRegion } = MasterService.method
    const asked = { tableName: { ...tableName, qualifier: Buffer.from(name) } }
    const port = server.door.port
    expect((await oneCall(port, getLastMajorCompactionTimestamp, asked)).message).toMatchObject({
      compactionTimestamp,
    })
    const region = { type: 1 as const, value: Buffer.from(name === 't' ? REGION.name : 'u,,1.') }
    expect((await oneCall(port, getLastMajorCompactionTimestampForRegion, { region })).message).toMatchObject(
      {
        compactionTimestamp,
      },
    )
  },
)

test('a client sees figures, coprocessors, queues and regions in transition as the cluster reports them', async () => {
  expect(await server.remote.upkeep.cluster!.status(OWN_CALL)).toEqual(STATUS)
})

test("a client sees the cluster's own procedures, with the messages of their state", async () => {
  expect(await server.remote.upkeep.cluster!.procedures(OWN_CALL)).toEqual([PROCEDURE])
})
