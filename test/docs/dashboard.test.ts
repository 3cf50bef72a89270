import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clusterMetrics } from '../../adapters/hbase/cluster-metrics.ts'
import { FakeCluster } from '../adapters/hbase/fake-cluster.ts'
import { b64, ConsoleClient } from '../doors/web/console-client.ts'
import { inTemporaryFolder } from '../harness/tidegate-process.ts'

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
}

const { panels } = JSON.parse(readFileSync('docs/grafana/tidegate.json', 'utf8')) as Dashboard
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

/** What Prometheus itself adds to each sample. */
const OF_PROMETHEUS = ['job', 'instance']

/** The labels of each metric, by the name that a query has for it. */
const known = new Map<string, ReadonlySet<string>>()

function learn(text: string): void {
  // A metric may have no sample at the moment.
  for (const [, name] of text.matchAll(/^# TYPE (\w+) (?:counter|gauge)$/gm)) known.set(name!, new Set())
  for (const [, name, labels = ''] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
    const names = [...labels.matchAll(/(\w+)="/g)].map((label) => label[1]!)
    known.set(name!, new Set([...(known.get(name!) ?? []), ...names]))
  }
}

beforeAll(async () => {
  await inTemporaryFolder(async (folder) => {
    const client = await ConsoleClient.start({ store: `native:${folder}`, consoleWrites: true })
    try {
      await client.change({ kind: 'createTable', table: 't', families: [{ name: b64('f') }] })
      await client.put('t', b64('r'), b64('v'))
      await client.change({ kind: 'flush', table: 't' })
      await (await fetch(`http://127.0.0.1:${client.server.ports.rest}/nowhere/r`)).text()
      learn(await (await client.ask('/metrics')).text())
      // Node reports collections once there was one.
      known.set('nodejs_gc_duration_seconds_sum', new Set(['kind']))
    } finally {
      await client.server.stop()
    }
  })
  for (const { name, kind, labels = [] } of clusterMetrics(new FakeCluster().cluster)) {
    if (kind === 'histogram') known.set(`${name}_bucket`, new Set([...labels, 'le']))
    else known.set(name, new Set(labels))
  }
})
afterAll(() => known.clear())

test('there are queries', () => {
  expect(queries.length).toBeGreaterThan(20)
})

test.each(queries)('%s asks for metrics and labels that there are', (query) => {
  const selectors = [...query.matchAll(/\b((?:tidegate|nodejs|process)_\w+)\{([^}]*)\}/g)]
  expect(selectors.length).toBeGreaterThan(0)
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap((match) => match[1]!.split(', '))
  for (const [, name, matchers] of selectors) {
    const labels = known.get(name!)
    expect(labels, name).toBeDefined()
    const asked = [...matchers!.matchAll(/(\w+)(?:=~|!=|=|!~)/g)].map((match) => match[1]!)
    expect(
      asked.filter((label) => !labels!.has(label) && !OF_PROMETHEUS.includes(label)),
      name,
    ).toEqual([])
    expect(
      grouped.filter((label) => !labels!.has(label)),
      name,
    ).toEqual([])
    const isCounter = /(?:_total|_bucket|_sum|_count)$/.test(name!)
    expect(query.includes(`rate(${name}{`), `${name}: a counter is shown by its rate, and nothing else`).toBe(
      isCounter,
    )
  }
})
