import { beforeEach, describe, expect, test } from 'vitest'
import { Cluster } from '../../../../adapters/hbase/cluster/cluster.ts'
import { DEFAULT_HBASE_OPTIONS } from '../../../../adapters/hbase/config/hbase-options.ts'
import type { RpcConnectionOptions } from '../../../../adapters/hbase/rpc/rpc-connection.ts'
import { RpcError } from '../../../../adapters/hbase/rpc/rpc-error.ts'
import { EMPTY } from '../../../../src/model/bytes.ts'
import { META_TABLE } from '../../../../src/model/meta-table.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { RemoteException } from '../../../../src/wire/rpc/remote-exception.ts'
import { ManualTime, settled } from '../retry/manual-time.ts'
import { FakeMeta, SERVER_A, SERVER_B } from './fake-meta.ts'

const T = parseTableName('t')
const READ = { operation: 'get of t', rowOperation: 'Get', target: T, row: EMPTY, call: OWN_CALL } as const
const NOT_SERVING = new RemoteException({
  javaClass: 'org.apache.hadoop.hbase.NotServingRegionException',
  stackTrace: '',
})

let meta: FakeMeta
let time: ManualTime
let cluster: Cluster
/** Servers in the order of connecting to them. */
let connected: string[]
/** Consumed one a connection. */
let refusals: (RpcError | undefined)[]

beforeEach(() => {
  meta = new FakeMeta()
  meta.regions = [{ table: 't', startKey: '', endKey: '', server: SERVER_A }]
  meta.states.set('t', 'ENABLED')
  time = new ManualTime()
  connected = []
  refusals = []
  cluster = new Cluster({
    cluster: { registry: 'bootstrap', servers: [{ host: 'seed', port: 1 }], znodeParent: '/hbase' },
    options: DEFAULT_HBASE_OPTIONS,
    user: 'u',
    time,
    random: () => 0,
    connect: ({ host, service }: RpcConnectionOptions) => {
      connected.push(`${service} ${host}`)
      const refusal = refusals.shift()
      return refusal === undefined ? Promise.resolve(meta) : Promise.reject(refusal)
    },
  })
})

/** Calls the region of a row; each outcome in turn, then the server's host. */
function hostOf(...failures: unknown[]): Promise<string> {
  return cluster.onRegion(READ, async (_, { server }) => {
    const failure = failures.shift()
    if (failure !== undefined) throw failure
    return server.host
  })
}

describe('a call of a region', () => {
  test('finds its way from a bootstrap node', async () => {
    expect(await hostOf()).toBe('a')
    expect(connected).toEqual(['ClientMetaService seed', 'ClientService a'])
    expect(await hostOf()).toBe('a')
    expect(connected).toHaveLength(2)
  })

  test('follows a region that is somewhere else', async () => {
    await hostOf()
    const pending = hostOf(NOT_SERVING)
    await settled()
    meta.regions = [{ table: 't', startKey: '', endKey: '', server: SERVER_B }]
    expect(await time.next()).toBe(100)
    expect(await pending).toBe('b')
  })

  test('goes on when the server is gone and the region is opened on another', async () => {
    await hostOf()
    const pending = hostOf(new RpcError('CONNECTION_CLOSED', 'reset'))
    await settled()
    meta.regions = [{ table: 't', startKey: '', endKey: '', server: SERVER_B }]
    refusals.push(new RpcError('CONNECT_FAILED', 'refused'))
    expect([await time.next(), await time.next()]).toEqual([100, 200])
    await settled()
    // The server that refused is left alone for two seconds.
    expect([await time.next(), await time.next(), await time.next()]).toEqual([300, 500, 1_000])
    expect(await pending).toBe('b')
    expect(connected.filter((name) => name === 'ClientService b')).toHaveLength(2)
  })

  test('ends at once where the table is disabled, or gone', async () => {
    meta.states.set('t', 'DISABLED')
    await expect(hostOf(NOT_SERVING)).rejects.toMatchObject({
      code: 'TABLE_NOT_ENABLED',
      message: 't is disabled.',
    })
    meta.states.delete('t')
    await expect(hostOf(NOT_SERVING)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND', message: 't' })
    expect(time.timers).toBe(0)
  })

  test('continues where the state of the table cannot be read', async () => {
    await hostOf()
    meta.failures.push(new RpcError('CALL_TIMEOUT', 'late'))
    const pending = hostOf(NOT_SERVING)
    await time.next()
    expect(await pending).toBe('a')
  })

  test('ends when the store is closed', async () => {
    const pending = hostOf(NOT_SERVING)
    await settled()
    await cluster.close()
    await expect(pending).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
    await expect(hostOf()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('a call of the master', () => {
  test('goes to the one that is active, found anew after a failure', async () => {
    const failures: unknown[] = [
      new RemoteException({ javaClass: 'org.apache.hadoop.hbase.MasterNotRunningException', stackTrace: '' }),
    ]
    const attempts: number[] = []
    const pending = cluster.onMaster('balance', OWN_CALL, async (_, { number }) => {
      attempts.push(number)
      const failure = failures.shift()
      if (failure !== undefined) throw failure
      return 'done'
    })
    await time.next()
    expect(await pending).toBe('done')
    expect(attempts).toEqual([1, 2])
    expect(meta.calls.filter(({ method }) => method === 'GetActiveMaster')).toHaveLength(2)
    expect(connected).toContain('MasterService a')
  })

  test('waits for one that cannot be found', async () => {
    refusals.push(new RpcError('CONNECT_FAILED', 'refused'))
    const until = time.now() + 1_000
    const pending = cluster.onMaster(
      'balance',
      OWN_CALL,
      () => Promise.resolve('done'),
      'MasterService',
      until,
    )
    const caught = pending.catch((error: unknown) => error)
    await time.advance(1_000)
    expect(await caught).toMatchObject({ code: 'UNAVAILABLE' })
  })
})

describe('a cluster', () => {
  test('returns the state and the regions of a table', async () => {
    expect(await cluster.tableState(T, OWN_CALL)).toBe('ENABLED')
    expect(await cluster.tableState(parseTableName('u'), OWN_CALL)).toBeUndefined()
    expect(await cluster.tableState(META_TABLE, OWN_CALL)).toBe('ENABLED')
    expect(await cluster.regions(T, OWN_CALL)).toMatchObject([{ server: SERVER_A }])
    await expect(cluster.regions(parseTableName('u'), OWN_CALL)).rejects.toMatchObject({
      code: 'TABLE_NOT_FOUND',
    })
  })

  test('refuses a compressor that is not known', () => {
    const config = {
      cluster: { registry: 'bootstrap', servers: [{ host: 'seed', port: 1 }], znodeParent: '/hbase' },
      user: 'u',
      time,
      random: () => 0,
    } as const
    const options = { ...DEFAULT_HBASE_OPTIONS, compressorClass: 'com.example.Codec' }
    expect(() => new Cluster({ ...config, options })).toThrow('com.example.Codec')
  })
})
