import { beforeEach, expect, test } from 'vitest'
import { HBaseStore } from '../../../adapters/hbase/hbase-store.ts'
import { RpcError } from '../../../adapters/hbase/rpc/rpc-error.ts'
import type { Catalog } from '../../../src/store/catalog.ts'
import { OUTAGE_WAIT_MS } from '../../../src/store/outage-wait.ts'
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
  for (let i = 0; i < 3; i++) expect(await fake.passing(store.outage())).toBeUndefined()
  expect(fake.meta.calls.filter(({ method }) => method === 'Get')).toHaveLength(1)
  await fake.time.advance(60_000)
  expect(await store.outage()).toBeUndefined()
})

test('a cluster that refuses connections is an outage within 4 s, without a request, and is never reported to serve before', async () => {
  fake.meta.failures.push(
    ...Array.from({ length: 100 }, () => new RpcError('CONNECT_FAILED', 'no server listens')),
  )
  const asked = [store.outage(), store.outage()]
  for (let second = 0; second < 4; second++) await fake.time.advance(1_000)
  for (const answer of asked) expect(await answer).toContain('first look at hbase:meta')
  expect(await store.outage()).toMatch(/^first look at hbase:meta failed .*no server listens$/)
})

test('a cluster that never answers is unavailable before the poll of all processes ends, and an outage within 4 s', async () => {
  const open = fake.meta.hold()
  let first: string | undefined
  void store.outage().then((answer) => (first = answer))
  await fake.time.advance(OUTAGE_WAIT_MS)
  expect(first).toBe('the first look at hbase:meta has not ended: the cluster has not answered yet')
  const asked = store.outage()
  for (let second = 0; second < 4; second++) await fake.time.advance(1_000)
  expect(await asked).toContain('first look at hbase:meta')
  expect(await store.outage()).toMatch(/^first look at hbase:meta failed/)
  open()
  await settled()
})
