import { beforeEach, expect, test } from 'vitest'
import { clusterMetrics } from '../../../adapters/hbase/cluster-metrics.ts'
import { HBaseStore } from '../../../adapters/hbase/hbase-store.ts'
import { RpcError } from '../../../adapters/hbase/rpc/rpc-error.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get } from '../../../src/model/query.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Catalog } from '../../../src/store/catalog.ts'
import { valuesOf } from '../../gateway/observing/metric-values.ts'
import { bytes, NO_GET_LIMITS } from '../../store/suite/store-under-test.ts'
import { FakeCluster, TABLE } from './fake-cluster.ts'
import { remote } from './remote.ts'
import { settled } from './retry/manual-time.ts'

let fake: FakeCluster
let store: HBaseStore

/** Regions up to g, up to p and the rest, on the servers a, b, a. */
beforeEach(() => {
  fake = new FakeCluster({ retriesMax: 2 })
  fake.layOut(['g', 'p'], [])
  store = new HBaseStore(fake.cluster, {} as Catalog, {})
})

function read(...rows: string[]): Promise<unknown> {
  const reading = store.rows.get(
    TABLE,
    rows.map((row) => get(bytes(row))),
    NO_GET_LIMITS,
    OWN_CALL,
  )
  return fake.passing(reading).catch((error: unknown) => error)
}

/** The metrics that are not zero, without the prefix. */
function values(): Record<string, number> {
  const entries = Object.entries(valuesOf(clusterMetrics(fake.cluster), true))
  return Object.fromEntries(entries.map(([name, value]) => [name.replace('tidegate_hbase_', ''), value]))
}

function outage(): Record<string, number> {
  return Object.fromEntries(Object.entries(values()).filter(([name]) => name.startsWith('outage')))
}

test('calls are counted by method, and lookups of what was not known', async () => {
  expect(values()).toEqual({})
  for (let i = 0; i < 5; i++) await read('z')
  // One lookup has brought the neighbours along; a batch is a call for each of the two servers.
  await read('a', 'h', 'z')
  expect(values()).toEqual({
    'calls_total{GetBootstrapNodes}': 1,
    'calls_total{GetMetaRegionLocations}': 1,
    'calls_total{Get}': 5,
    'calls_total{Multi}': 2,
    // Of hbase:meta.
    'calls_total{Scan}': 1,
    'call_seconds_count{GetBootstrapNodes}': 1,
    'call_seconds_count{GetMetaRegionLocations}': 1,
    'call_seconds_count{Get}': 5,
    'call_seconds_count{Multi}': 2,
    'call_seconds_count{Scan}': 1,
    location_lookups_total: 1,
    connections: 3,
  })
  // Requests that share a call count once.
  await Promise.all(['a', 'b', 'c'].map((row) => read(row)))
  expect(values()).toMatchObject({ 'calls_total{Get}': 5, 'calls_total{Multi}': 3 })
})

test('failures are counted by what they mean, and pauses before another attempt', async () => {
  await read('a')
  fake.move(0)
  await read('a')
  let busy = 2
  fake.before = () => {
    if (busy-- > 0) throw remote('RegionTooBusyException')
  }
  await read('a')
  const batch = new MutationBatch()
  for (const row of ['a', 'h']) batch.put(bytes(row), bytes('f'), bytes('q'), bytes(row)).endMutation()
  let refused = 1
  fake.before = () => {
    if (refused-- > 0) throw remote('DoNotRetryIOException')
  }
  await fake.passing(store.rows.mutate(TABLE, batch, OWN_CALL))
  expect(fake.calls).toHaveLength(7)
  expect(values()).toMatchObject({
    // One of them of hbase:meta: a region that is not served may be of a table that is disabled.
    'calls_total{Get}': 7,
    'calls_total{Multi}': 1,
    'failures_total{not-serving}': 1,
    'failures_total{busy}': 2,
    // Each region of the batch.
    'failures_total{final}': 2,
    retries_total: 3,
  })
  expect(values()).not.toHaveProperty('operations_given_up_total')
})

test('an outage counts once, is on, and is over', async () => {
  await read('a')
  expect(outage()).toEqual({})
  expect(await store.outage()).toBeUndefined()
  fake.before = () => {
    throw new RpcError('CONNECT_FAILED', 'refused')
  }
  const began = fake.time.now()
  await read('a')
  const first = fake.time.now()
  await read('a')
  await read('h')
  expect(await store.outage()).toMatch(/^get of .*refused$/)
  expect(values()).toMatchObject({
    outages_total: 1,
    outage: 1,
    operations_given_up_total: 3,
    retries_total: 6,
  })
  expect(first).toBeGreaterThan(began)
  const failed = fake.time.now()
  await fake.time.advance(6_000)
  expect(outage()).toMatchObject({ outage_seconds_total: (failed - first + 6_000) / 1000 })
  fake.before = () => undefined
  await read('a')
  const over = { outages_total: 1, outage_seconds_total: (failed - first + 6_000) / 1000 }
  expect(outage()).toEqual(over)
  await fake.time.advance(60_000)
  expect(outage()).toEqual(over)
  expect(await store.outage()).toBeUndefined()
})

test('without further requests, a question for the outage finds out whether it is over', async () => {
  let isAway = true
  fake.before = () => {
    if (isAway) throw new RpcError('CONNECT_FAILED', 'refused')
  }
  await read('a')
  await fake.time.advance(6_000)
  fake.meta.failures.push(new RpcError('CONNECT_FAILED', 'refused'))
  expect(await store.outage()).toContain('refused')
  await settled()
  expect(await store.outage()).toContain('refused')
  expect(outage()).toMatchObject({ outages_total: 1, outage: 1 })
  isAway = false
  await settled()
  expect(await store.outage()).toBeUndefined()
  expect(outage()).not.toHaveProperty('outage')
})

test('one call at a time asks whether an outage is over, and none without an outage', async () => {
  await read('a')
  await store.outage()
  await settled()
  const before = fake.meta.calls.length
  for (let i = 0; i < 10; i++) await store.outage()
  await settled()
  expect(fake.meta.calls.length).toBe(before)
  fake.before = () => {
    throw new RpcError('CONNECT_FAILED', 'refused')
  }
  await read('a')
  const during = fake.meta.calls.length
  const open = fake.meta.hold()
  for (let i = 0; i < 10; i++) await store.outage()
  await settled()
  expect(fake.meta.calls.length).toBe(during + 1)
  open()
  await settled()
})

test('the metrics are those of the time of the question', async () => {
  await read('a')
  const before = await store.metrics()
  const calls = before.find(({ name }) => name === 'tidegate_hbase_calls_total')!
  expect(calls.samples).toContainEqual({ labels: { method: 'Get' }, value: 1 })
  expect(before.map(({ name }) => name)).toEqual(clusterMetrics(fake.cluster).map(({ name }) => name))
  await read('a')
  expect(calls.samples).toContainEqual({ labels: { method: 'Get' }, value: 1 })
})
