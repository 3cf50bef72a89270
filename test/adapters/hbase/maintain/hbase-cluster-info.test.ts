import { create } from '@bufbuild/protobuf'
import { expect, it } from 'vitest'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import { HBaseClusterInfo } from '../../../../adapters/hbase/maintain/hbase-cluster-info.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { type RegionLoad, RegionLoadSchema } from '../../../../src/wire/rpc/gen/cluster-status_pb.ts'
import { GetClusterStatusResponseSchema } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { FakeServers } from './fake-servers.ts'

function load(name: string): RegionLoad {
  return create(RegionLoadSchema, {
    regionSpecifier: { type: 1, value: Buffer.from(name) },
    memStoreSizeMB: 7,
  })
}

it('asks each region server for its loads, as they are now', async () => {
  const fake = new FakeServers([])
  const info = new HBaseClusterInfo(fake.cluster, new Master(fake.cluster, () => 0.5))
  const liveServers = ['a', 'b'].map((hostName) => ({
    server: { hostName, port: 1, startCode: 2n },
    serverLoad: {},
  }))
  fake.master.answers.push(create(GetClusterStatusResponseSchema, { clusterStatus: { liveServers } }))
  fake.admin['a']!.answers.push({ regionLoads: [load('t,,1')] })
  fake.admin['b']!.answers.push({ regionLoads: [load('t,m,1')] })
  const loads = await info.regionLoads(parseTableName('ns:t'), OWN_CALL)
  expect(loads).toMatchObject([
    { name: Buffer.from('t,,1'), memStoreSizeMB: 7 },
    { name: Buffer.from('t,m,1'), memStoreSizeMB: 7 },
  ])
  const tableName = { namespace: Buffer.from('ns'), qualifier: Buffer.from('t') }
  expect(fake.admin['b']!.asked).toMatchObject([{ method: 'GetRegionLoad', request: { tableName } }])
})
