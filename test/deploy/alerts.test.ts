import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type KnownMetrics, knownMetrics, OF_PROMETHEUS } from '../docs/known-metrics.ts'
import { readQuery } from '../docs/promql.ts'

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

const FILE = 'deploy/prometheus/alerts.yaml'
const { groups } = parse(readFileSync(FILE, 'utf8')) as {
  readonly groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[]
}
const rules = groups.flatMap(({ rules: ofGroup }) => ofGroup)

let known: KnownMetrics

beforeAll(async () => {
  known = await knownMetrics()
})

test('each rule has a name of its own, a severity and both texts, and nothing that Prometheus does not know', () => {
  expect(rules.length).toBeGreaterThan(20)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const rule of rules) {
    expect(rule.alert).toMatch(/^Tidegate\w+$/)
    expect(
      Object.keys(rule).filter((key) => !['alert', 'expr', 'for', 'labels', 'annotations'].includes(key)),
    ).toEqual([])
    expect(['critical', 'warning'], rule.alert).toContain(rule.labels['severity'])
    expect(rule.for ?? '0s', rule.alert).toMatch(/^\d+[smhd]$/)
    expect(Object.keys(rule.annotations).toSorted(), rule.alert).toEqual(['description', 'summary'])
  }
})

test.each(rules.map((rule) => [rule.alert, rule] as const))(
  '%s asks for metrics and labels that there are',
  (_, rule) => {
    const { selectors, grouped, rated } = readQuery(rule.expr)
    expect(selectors.length).toBeGreaterThan(0)
    const kept = new Set<string>(OF_PROMETHEUS)
    for (const { metric, labels } of selectors) {
      const ofMetric = known.get(metric)
      expect(ofMetric, metric).toBeDefined()
      const mayBeAsked = new Set([...ofMetric!, ...OF_PROMETHEUS])
      expect(
        [...labels, ...grouped].filter((label) => !mayBeAsked.has(label)),
        metric,
      ).toEqual([])
      expect(labels, metric).toContain('job')
      expect(rated.includes(metric), metric).toBe(metric.endsWith('_total'))
      for (const label of grouped.length > 0 ? grouped : ofMetric!) kept.add(label)
    }
    const shown = Object.values(rule.annotations).flatMap((text) => [...text.matchAll(/\$labels\.(\w+)/g)])
    expect(shown.map((match) => match[1]!).filter((label) => !kept.has(label))).toEqual([])
  },
)

test.each(rules.map((rule) => [rule.alert, rule] as const))(
  '%s rounds the value that it shows, and shows no single one as many',
  (_, { expr, annotations }) => {
    const text = Object.values(annotations).join('\n')
    for (const [, shown] of text.matchAll(/\{\{ \$value(.*?) \}\}/g))
      expect(shown).toMatch(/^ \| (?:humanize(?:1024|Duration|Percentage)?|printf `%\.\df`)$/)
    if (expr.endsWith(' > 0')) expect(text).not.toMatch(/\{\{ \$value[^}]*\}\} \w/)
  },
)

test('the pages, metrics and flags that the texts name exist', () => {
  const text = rules.flatMap(({ annotations }) => Object.values(annotations)).join('\n')
  const metrics = [...text.matchAll(/\btidegate_\w+/g)].map(([name]) => name)
  expect(metrics.filter((name) => !known.has(name))).toEqual([])
  for (const [path] of text.matchAll(/\bdocs\/[\w-]+\.md/g)) expect(() => readFileSync(path)).not.toThrow()
  const flags =
    readFileSync('docs/limits.md', 'utf8') +
    readFileSync('docs/tuning.md', 'utf8') +
    readFileSync('docs/metrics.md', 'utf8')
  for (const [flag] of text.matchAll(/--[a-z][a-z-]+/g)) expect(flags).toContain(flag)
})
