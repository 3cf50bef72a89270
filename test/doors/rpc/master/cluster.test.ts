import { fromBinary } from '@bufbuild/protobuf'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { Option, ReplicationLoadSinkSchema } from '../../../../src/wire/rpc/gen/cluster-status_pb.ts'
import { MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { TABLE } from '../rpc-server.ts'
import { type MasterClient, startMasterClient } from './master-client.ts'

let server: MasterClient

beforeEach(async () => {
  server = await startMasterClient()
})

afterEach(() => server.close())

test('the state of the cluster is that of one server with all regions', async () => {
  const status = await server.remote.upkeep.cluster!.status(OWN_CALL)
  expect(status).toMatchObject({ hbaseVersion: '2.6.1', clusterId: await server.store.clusterId() })
  expect(status.master?.port).toBe(server.door.port)
  expect(status.liveServers.map(({ regions }) => regions.length)).toEqual([4])
})

test('it has what every region server of HBase has', async () => {
  const { liveServers } = await server.remote.upkeep.cluster!.status(OWN_CALL)
  expect(liveServers).toMatchObject([{ coprocessors: ['MultiRowMutationEndpoint'] }])
  const { sources, sink } = liveServers[0]!.replication!
  expect(sources).toEqual([])
  const { timestampStarted, timeStampsOfLastAppliedOp } = fromBinary(ReplicationLoadSinkSchema, sink)
  expect([timestampStarted, timeStampsOfLastAppliedOp]).toEqual(
    Array.from({ length: 2 }, () => BigInt(liveServers[0]!.server.startCode)),
  )
})

test('a client gets only the parts of the state that it wants', async () => {
  const { getClusterStatus } = MasterService.method
  const one = await server.ask(getClusterStatus, { options: [Option.SERVERS_NAME] })
  expect(one.clusterStatus?.serversName).toMatchObject([{ port: server.door.port }])
  expect(one.clusterStatus?.liveServers).toEqual([])
  await server.store.catalog.disableTable(TABLE, OWN_CALL)
  const counts = await server.ask(getClusterStatus, { options: [Option.TABLE_TO_REGIONS_COUNT] })
  expect(
    counts.clusterStatus?.tableRegionStatesCount.map(({ regionStatesCount }) => [
      regionStatesCount?.openRegions,
      regionStatesCount?.closedRegions,
    ]),
  ).toEqual([
    [0, 2],
    [1, 0],
    [1, 0],
  ])
})
