import { expect, it } from 'vitest'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import { ClusterFileTrackers } from '../../../../adapters/hbase/maintain/cluster-file-trackers.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { FakeServers } from './fake-servers.ts'

it("has the cluster's master change the tracker of a table and of a family", async () => {
  const fake = new FakeServers([])
  const trackers = new ClusterFileTrackers(new Master(fake.cluster, () => 0.5))
  const FINISHED = { state: 2 }
  fake.master.answers.push({ procId: 1n }, FINISHED, { procId: 2n }, FINISHED)
  const [table, family] = [parseTableName('ns:t'), Buffer.from('f')]
  await trackers.setTracker(table, undefined, 'MIGRATION', OWN_CALL)
  await trackers.setTracker(table, family, 'FILE', OWN_CALL)
  const tableName = { namespace: Buffer.from('ns'), qualifier: Buffer.from('t') }
  expect(fake.master.asked).toMatchObject([
    { method: 'ModifyTableStoreFileTracker', request: { tableName, dstSft: 'MIGRATION' } },
    { method: 'getProcedureResult', request: { procId: 1n } },
    { method: 'ModifyColumnStoreFileTracker', request: { tableName, family, dstSft: 'FILE' } },
    { method: 'getProcedureResult', request: { procId: 2n } },
  ])
})
