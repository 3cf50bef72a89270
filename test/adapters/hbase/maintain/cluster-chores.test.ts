import { expect, it } from 'vitest'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import { ClusterChores } from '../../../../adapters/hbase/maintain/cluster-chores.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { FakeServers } from './fake-servers.ts'

it("asks the cluster's master, and returns its answers", async () => {
  const fake = new FakeServers([])
  const chores = new ClusterChores(new Master(fake.cluster, () => 0.5))
  fake.master.answers.push(
    { balancerRan: true, movesCalculated: 3, movesExecuted: 2 },
    { normalizerRan: false },
    { normalizerRan: true },
    { scanResult: 4 },
    { cleanerChoreRan: true },
  )
  expect(await chores.balance({ dryRun: true, ignoresRegionsInTransition: false }, OWN_CALL)).toEqual({
    ran: true,
    movesCalculated: 3,
    movesExecuted: 2,
  })
  const all = { tables: [], pattern: undefined, namespace: undefined }
  expect(await chores.normalize(all, OWN_CALL)).toBe(false)
  const some = { tables: [parseTableName('ns:t')], pattern: 't.*', namespace: 'ns' }
  expect(await chores.normalize(some, OWN_CALL)).toBe(true)
  expect(await chores.scanCatalog(OWN_CALL)).toBe(4)
  expect(await chores.clean(OWN_CALL)).toBe(true)
  const tableNames = [{ namespace: Buffer.from('ns'), qualifier: Buffer.from('t') }]
  expect(fake.master.asked).toEqual([
    { method: 'Balance', request: { dryRun: true, ignoreRit: false } },
    { method: 'Normalize', request: { tableNames: [] } },
    { method: 'Normalize', request: { tableNames, regex: 't.*', namespace: 'ns' } },
    { method: 'RunCatalogScan', request: {} },
    { method: 'RunCleanerChore', request: {} },
  ])
})
