import { beforeEach, expect, test } from 'vitest'
import { Cluster } from '../../../../adapters/hbase/cluster/cluster.ts'
import { DEFAULT_HBASE_OPTIONS } from '../../../../adapters/hbase/config/hbase-options.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ManualTime } from '../retry/manual-time.ts'
import { FakeMeta, SERVER_A, SERVER_B } from './fake-meta.ts'

const T = parseTableName('t')
const OPERATION_MS = 20_000
/** The milliseconds that each connection takes to open. */
const CONNECT_MS = 7_000

let meta: FakeMeta
let time: ManualTime
let cluster: Cluster

beforeEach(() => {
  meta = new FakeMeta()
  meta.regions = [{ table: 't', startKey: '', endKey: '', server: SERVER_B }]
  meta.states.set('t', 'ENABLED')
  time = new ManualTime()
  cluster = new Cluster({
    cluster: { registry: 'bootstrap', servers: [SERVER_A], znodeParent: '/hbase' },
    options: { ...DEFAULT_HBASE_OPTIONS, operationTimeoutMs: OPERATION_MS, rpcTimeoutMs: OPERATION_MS },
    user: 'u',
    time,
    random: () => 0,
    connect: ({ service }) =>
      service === 'ClientMetaService'
        ? Promise.resolve(meta)
        : new Promise((resolve) => time.after(CONNECT_MS, () => resolve(meta))),
  })
})

test('a call has what finding its region and reaching its server have left', async () => {
  const request = {
    operation: 'get of t',
    rowOperation: 'Get',
    target: T,
    row: EMPTY,
    call: OWN_CALL,
  } as const
  const pending = cluster.onRegion(request, (_, __, { timeoutMs }) => Promise.resolve(timeoutMs))
  await time.advance(OPERATION_MS)
  const ofMeta = meta.calls.filter(({ method }) => method === 'Scan').map(({ timeoutMs }) => timeoutMs)
  expect(ofMeta).toEqual([OPERATION_MS - CONNECT_MS])
  expect(await pending).toBe(OPERATION_MS - 2 * CONNECT_MS)
})

test('so has a call of the master', async () => {
  const pending = cluster.onMaster('balance', OWN_CALL, (_, { timeoutMs }) => Promise.resolve(timeoutMs))
  await time.advance(OPERATION_MS)
  expect(await pending).toBe(OPERATION_MS - CONNECT_MS)
})
