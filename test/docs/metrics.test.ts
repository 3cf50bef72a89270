import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { clusterMetrics } from '../../adapters/hbase/cluster-metrics.ts'
import { serverMetrics } from '../../src/doors/web/server-metrics.ts'
import { MemoryBudget } from '../../src/gateway/memory-budget.ts'
import { FakeCluster } from '../adapters/hbase/fake-cluster.ts'
import { StoreUnderTest } from '../adapters/native/store-under-test.ts'

test('every metric is documented, with its type and labels, and no other', async () => {
  const engine = await StoreUnderTest.open()
  const facts = { version: '', doors: new Map() }
  const readings = await serverMetrics({ store: engine.store, memory: new MemoryBudget() }, facts)()
  const metrics = [...readings, ...clusterMetrics(new FakeCluster().cluster)]
  await engine.store.close()
  const lines = metrics.map(({ name, kind, labels = [] }) => {
    return `\`${name}\` | ${kind} | ${labels.map((label) => `\`${label}\``).join(', ')}`.trim()
  })
  const text = readFileSync('docs/metrics.md', 'utf8')
  const documented = [...text.matchAll(/^\| (`tidegate_\w+` \| \w+ \|(?: `[^|]*`)?) +\|/gm)]
  expect(documented.map((match) => match[1]!.trim()).toSorted()).toEqual(lines.toSorted())
})
