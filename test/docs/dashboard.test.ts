import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { type KnownMetrics, knownMetrics, OF_PROMETHEUS } from './known-metrics.ts'
import { readQuery } from './promql.ts'

interface Dashboard {
  readonly panels: readonly {
    readonly title: string
    readonly targets?: readonly { readonly expr: string }[]
  }[]
}

const { panels } = JSON.parse(readFileSync('docs/grafana/tidegate.json', 'utf8')) as Dashboard
const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

let known: KnownMetrics

beforeAll(async () => {
  known = await knownMetrics()
})

test('there are queries', () => {
  expect(queries.length).toBeGreaterThan(20)
})

test.each(queries)('%s asks for metrics and labels that there are', (text) => {
  // Grafana replaces its variable by an interval.
  const { selectors, grouped, rated } = readQuery(text.replaceAll('$__rate_interval', '5m'))
  expect(selectors.length).toBeGreaterThan(0)
  for (const { metric, labels } of selectors) {
    const ofMetric = known.get(metric)
    expect(ofMetric, metric).toBeDefined()
    const mayBeAsked = new Set([...ofMetric!, ...OF_PROMETHEUS])
    expect(
      [...labels, ...grouped].filter((label) => !mayBeAsked.has(label)),
      metric,
    ).toEqual([])
    const isCounter = /(?:_total|_bucket|_sum|_count)$/.test(metric)
    expect(rated.includes(metric), `${metric}: a counter is shown by its rate, and nothing else`).toBe(
      isCounter,
    )
  }
})
