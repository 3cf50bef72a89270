import { beforeEach, expect, test } from 'vitest'
import { HBaseStore } from '../../../adapters/hbase/hbase-store.ts'
import { RpcError } from '../../../adapters/hbase/rpc/rpc-error.ts'
import type { Catalog } from '../../../src/store/catalog.ts'
import { FakeCluster } from './fake-cluster.ts'
import { settled } from './retry/manual-time.ts'

let fake: FakeCluster
let store: HBaseStore

beforeEach(() => {
  fake = new FakeCluster()
  fake.layOut([], [])
  store = new HBaseStore(fake.cluster, {} as Catalog, {})
})

test('a cluster that serves is asked once, and no outage begins', async () => {
  for (let i = 0; i < 3; i++) {
    expect(await store.outage()).toBeUndefined()
    await settled()
  }
  expect(fake.meta.calls.filter(({ method }) => method === 'Get')).toHaveLength(1)
  await fake.time.advance(60_000)
  expect(await store.outage()).toBeUndefined()
})

test('a cluster that refuses connections is an outage within 4 s, without a request', async () => {
  fake.meta.failures.push(
    ...Array.from({ length: 100 }, () => new RpcError('CONNECT_FAILED', 'nobody is there')),
  )
  expect(await store.outage()).toBeUndefined()
  for (let second = 0; second < 4; second++) await fake.time.advance(1_000)
  expect(await store.outage()).toMatch(/^first look at hbase:meta failed .*nobody is there$/)
})

test('a cluster that never answers is an outage within 4 s', async () => {
  const open = fake.meta.hold()
  await store.outage()
  for (let second = 0; second < 4; second++) await fake.time.advance(1_000)
  expect(await store.outage()).toContain('first look at hbase:meta')
  open()
  await settled()
})
