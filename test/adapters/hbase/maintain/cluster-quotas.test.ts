import { create } from '@bufbuild/protobuf'
import { expect, it } from 'vitest'
import { Master } from '../../../../adapters/hbase/admin/master.ts'
import { ClusterQuotas } from '../../../../adapters/hbase/maintain/cluster-quotas.ts'
import { ClusterSwitches } from '../../../../adapters/hbase/maintain/cluster-switches.ts'
import type { QuotaChange } from '../../../../src/model/quota.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { GetClusterStatusResponseSchema } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { FakeServers } from './fake-servers.ts'

const tableName = { namespace: Buffer.from('ns'), qualifier: Buffer.from('t') }
const TABLE = parseTableName('ns:t')
const VIOLATED = { quotaStatus: { inViolation: true, violationPolicy: 3 }, quotaUsage: 9n, quotaLimit: 5n }
const USE = { usedBytes: 9n, limitBytes: 5n, violated: 'NO_WRITES' }

function change(stated: Partial<QuotaChange>): QuotaChange {
  return {
    user: undefined,
    table: undefined,
    namespace: undefined,
    regionServer: undefined,
    removesAll: undefined,
    bypassesGlobals: undefined,
    throttle: undefined,
    space: undefined,
    ...stated,
  }
}

it("hands changes on to the cluster's master, as they were stated", async () => {
  const fake = new FakeServers([])
  const quotas = new ClusterQuotas(fake.cluster, new Master(fake.cluster, () => 0.5))
  fake.master.answers.push({}, {}, {}, {}, { previousExceedThrottleQuotaEnabled: true })
  const limit = { timeUnit: 'HOURS', softLimit: -1n, share: undefined, scope: 'CLUSTER' } as const
  await quotas.setQuota(change({ user: 'u', table: TABLE, throttle: { type: 'READ_SIZE', limit } }), OWN_CALL)
  await quotas.setQuota(
    change({
      namespace: 'ns',
      space: { quota: { limitBytes: 7n, policy: 'DISABLE', isRemoved: undefined } },
    }),
    OWN_CALL,
  )
  await quotas.setQuota(
    change({ regionServer: 'all', throttle: { type: undefined, limit: undefined } }),
    OWN_CALL,
  )
  await quotas.setQuota(change({ user: 'u', bypassesGlobals: false, removesAll: true }), OWN_CALL)
  expect(await quotas.switchExceeding(false, OWN_CALL)).toBe(true)
  const timedQuota = { timeUnit: 6, softLimit: 2n ** 64n - 1n, scope: 1 }
  expect(fake.master.asked).toEqual([
    { method: 'SetQuota', request: { userName: 'u', tableName, throttle: { type: 6, timedQuota } } },
    {
      method: 'SetQuota',
      request: {
        namespace: 'ns',
        spaceLimit: { quota: expect.objectContaining({ softLimit: 7n, violationPolicy: 1 }) },
      },
    },
    { method: 'SetQuota', request: { regionServer: 'all', throttle: {} } },
    { method: 'SetQuota', request: { userName: 'u', removeAll: true, bypassGlobals: false } },
    { method: 'SwitchExceedThrottleQuota', request: { exceedThrottleQuotaEnabled: false } },
  ])
})

it('returns the space that the master and the region servers report', async () => {
  const fake = new FakeServers([])
  const quotas = new ClusterQuotas(fake.cluster, new Master(fake.cluster, () => 0.5))
  const server = { hostName: 'a', port: 1, startCode: 2n }
  fake.master.answers.push(
    {
      tableSnapshots: [{ tableName, snapshot: VIOLATED }],
      nsSnapshots: [{ namespace: 'ns', snapshot: VIOLATED }],
    },
    { sizes: [{ tableName, size: 12n }] },
    create(GetClusterStatusResponseSchema, {
      clusterStatus: {
        liveServers: ['a', 'b'].map((hostName) => ({ server: { ...server, hostName }, serverLoad: {} })),
      },
    }),
  )
  expect(await quotas.quotaStates(OWN_CALL)).toEqual({
    tables: [{ table: TABLE, ...USE }],
    namespaces: [{ namespace: 'ns', ...USE }],
  })
  expect(await quotas.tableSizes(OWN_CALL)).toEqual([{ table: TABLE, bytes: 12n }])
  for (const admin of [fake.admin['a']!, fake.admin['b']!])
    admin.answers.push({ snapshots: [{ tableName, snapshot: VIOLATED }] })
  expect(await quotas.serverSpaceUses(OWN_CALL)).toEqual([{ table: TABLE, ...USE }])
})

it('asks the master for the switch of the throttles', async () => {
  const fake = new FakeServers([])
  const switches = new ClusterSwitches(new Master(fake.cluster, () => 0.5))
  fake.master.answers.push({ rpcThrottleEnabled: false }, { previousRpcThrottleEnabled: false })
  expect(await switches.isOn('rpcThrottle', OWN_CALL)).toBe(false)
  expect(await switches.turn('rpcThrottle', true, OWN_CALL)).toBe(false)
  expect(fake.master.asked).toEqual([
    { method: 'IsRpcThrottleEnabled', request: {} },
    { method: 'SwitchRpcThrottle', request: { rpcThrottleEnabled: true } },
  ])
})
