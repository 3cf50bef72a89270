/** Quotas over the wire, for a store that keeps quotas. */

import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from '@bufbuild/protobuf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type RpcConnection } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import type { QuotaChange } from '../../../../src/model/quota.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import type { Quotas } from '../../../../src/store/quotas.ts'
import { AdminService } from '../../../../src/wire/rpc/gen/admin_pb.ts'
import { MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../../../src/wire/rpc/rpc-method.ts'
import { type RpcServer, startRpcServer } from '../rpc-server.ts'

const { method } = MasterService
const TABLE = parseTableName('ns:t')
const tableName = { namespace: Buffer.from('ns'), qualifier: Buffer.from('t') }
const use = { usedBytes: 2n ** 63n - 1n, limitBytes: 5n, violated: 'NO_INSERTS' } as const

const changes: QuotaChange[] = []
const quotas: Quotas = {
  setQuota: async (change) => void changes.push(change),
  quotaStates: async () => ({
    tables: [{ table: TABLE, ...use }],
    namespaces: [{ namespace: 'ns', ...use, violated: undefined }],
  }),
  tableSizes: async () => [{ table: TABLE, bytes: 2n ** 53n + 1n }],
  serverSpaceUses: async () => [{ table: TABLE, ...use }],
  switchExceeding: async (on) => !on,
}

let server: RpcServer
let master: RpcConnection

beforeAll(async () => {
  const memory = openMemoryStore({ clock: Date })
  server = await startRpcServer({ own: { ...memory, upkeep: { ...memory.upkeep, quotas } } })
  const { port } = server.door
  master = await connect({ host: '127.0.0.1', port, service: 'MasterService', user: 'tester' })
})

afterAll(async () => {
  master.close()
  await server.close()
})

async function ask<Input extends DescMessage, Output extends DescMessage>(
  of: DescMethodUnary<Input, Output>,
  request: MessageInitShape<Input>,
): Promise<MessageShape<Output>> {
  return (await master.call(rpcMethod(of), request)).message
}

const NOTHING = {
  user: undefined,
  table: undefined,
  namespace: undefined,
  regionServer: undefined,
  removesAll: undefined,
  bypassesGlobals: undefined,
  throttle: undefined,
  space: undefined,
}

test.each<readonly [MessageInitShape<typeof method.setQuota.input>, Partial<QuotaChange>]>([
  [{}, {}],
  [
    { userName: '', tableName, removeAll: false },
    { user: '', table: TABLE, removesAll: false },
  ],
  [
    { regionServer: 'all', bypassGlobals: true },
    { regionServer: 'all', bypassesGlobals: true },
  ],
  [
    { throttle: { type: 9, timedQuota: { timeUnit: 1, softLimit: 2n ** 64n - 1n, scope: 1 } } },
    {
      throttle: {
        type: 'READ_CAPACITY_UNIT',
        limit: { timeUnit: 'NANOSECONDS', softLimit: -1n, share: undefined, scope: 'CLUSTER' },
      },
    },
  ],
  [
    { throttle: { timedQuota: { timeUnit: 7, share: 0.5 } } },
    {
      throttle: {
        type: undefined,
        limit: { timeUnit: 'DAYS', softLimit: undefined, share: 0.5, scope: undefined },
      },
    },
  ],
  [
    { throttle: {}, spaceLimit: {} },
    { throttle: { type: undefined, limit: undefined }, space: { quota: undefined } },
  ],
  [
    { namespace: 'ns', spaceLimit: { quota: { softLimit: 1n, violationPolicy: 1, remove: true } } },
    { namespace: 'ns', space: { quota: { limitBytes: 1n, policy: 'DISABLE', isRemoved: true } } },
  ],
])('the change %o is read', async (request, change) => {
  await ask(method.setQuota, request)
  expect(changes.pop()).toEqual({ ...NOTHING, ...change })
})

test('the used space is reported', async () => {
  const violated = {
    quotaStatus: { inViolation: true, violationPolicy: 4 },
    quotaUsage: 2n ** 63n - 1n,
    quotaLimit: 5n,
  }
  expect(await ask(method.getQuotaStates, {})).toMatchObject({
    tableSnapshots: [{ snapshot: violated }],
    nsSnapshots: [{ namespace: 'ns', snapshot: { quotaStatus: { inViolation: false } } }],
  })
  expect(await ask(method.getSpaceQuotaRegionSizes, {})).toMatchObject({ sizes: [{ size: 2n ** 53n + 1n }] })
  const { port } = server.door
  const admin = await connect({ host: '127.0.0.1', port, service: 'AdminService', user: 'tester' })
  const { message } = await admin.call(rpcMethod(AdminService.method.getSpaceQuotaSnapshots), {})
  admin.close()
  expect(message).toMatchObject({ snapshots: [{ snapshot: violated }] })
})

test('switches of throttles are read and turned', async () => {
  expect(await ask(method.isRpcThrottleEnabled, {})).toMatchObject({ rpcThrottleEnabled: true })
  const turned = await ask(method.switchRpcThrottle, { rpcThrottleEnabled: false })
  expect(turned).toMatchObject({ previousRpcThrottleEnabled: true })
  expect(await ask(method.isRpcThrottleEnabled, {})).toMatchObject({ rpcThrottleEnabled: false })
  expect(await ask(method.switchExceedThrottleQuota, { exceedThrottleQuotaEnabled: false })).toMatchObject({
    previousExceedThrottleQuotaEnabled: true,
  })
})
