import { expect, test } from 'vitest'
import { faultsOf, figuresOf, meanOf, type RestFigures, restTable } from '../../load/k6/summary.ts'
import { seededRandom, zipfKeys, zipfRanks } from '../../load/k6/zipf.ts'

const FIGURES: RestFigures = { requestsPerSecond: 1000, p50Ms: 1, p95Ms: 2, p99Ms: 3, failed: 0, wrong: 0 }

function sides(engine: Partial<RestFigures>, hbase?: Partial<RestFigures>): Parameters<typeof faultsOf>[0] {
  const found = new Map([['engine', { ...FIGURES, ...engine }]])
  if (hbase !== undefined) found.set('hbase', { ...FIGURES, ...hbase })
  return new Map([['get', found]])
}

test('ranks are drawn as often as their law says', () => {
  const [count, draws] = [1000, 200_000]
  const rank = zipfRanks(count, seededRandom(7))
  const seen = Array.from({ length: count }, () => 0)
  for (let i = 0; i < draws; i++) seen[rank()]!++
  const all = seen.map((_, i) => (i + 1) ** -0.99).reduce((sum, part) => sum + part)
  for (const i of [0, 1, 9]) {
    const expected = (draws * (i + 1) ** -0.99) / all
    expect(Math.abs(seen[i]! - expected) / expected, `rank ${i}`).toBeLessThan(0.15)
  }
  expect(seen[0]!).toBeGreaterThan(10 * seen[100]!)
})

test('keys are all within the table, and the popular ones lie anywhere, the same for every user', () => {
  const popular = [1, 2].map((seed) => {
    const key = zipfKeys(1000, seededRandom(seed))
    const seen = new Map<number, number>()
    for (let i = 0; i < 20_000; i++) {
      const drawn = key()
      expect(drawn).toBeGreaterThanOrEqual(0)
      expect(drawn).toBeLessThan(1000)
      seen.set(drawn, (seen.get(drawn) ?? 0) + 1)
    }
    return [...seen].sort((a, b) => b[1] - a[1])[0]![0]
  })
  expect(popular[0]).toBe(popular[1])
  expect(popular[0]).not.toBe(0)
})

test('the same seed gives the same numbers', () => {
  const [a, b, other] = [seededRandom(1), seededRandom(1), seededRandom(2)]
  const drawn = Array.from({ length: 20 }, () => a())
  expect(Array.from({ length: 20 }, () => b())).toEqual(drawn)
  expect(Array.from({ length: 20 }, () => other())).not.toEqual(drawn)
})

test('figures are those of the work, without making the table', () => {
  const metrics = {
    http_reqs: { values: { rate: 9 } },
    'http_reqs{scenario:rest}': { values: { rate: 500 } },
    'http_req_duration{scenario:rest}': { values: { med: 1, 'p(95)': 2, 'p(99)': 3 } },
    'http_req_failed{scenario:rest}': { values: { rate: 0.5 } },
    'checks{scenario:rest}': { values: { rate: 0.75 } },
  }
  expect(figuresOf({ metrics })).toEqual({ ...FIGURES, requestsPerSecond: 500, failed: 0.5, wrong: 0.25 })
  expect(() => figuresOf({ metrics: {} })).toThrow('k6 tells no rate of http_reqs')
})

test('rounds give their mean, and the worst of their failures', () => {
  const rounds = [FIGURES, { ...FIGURES, p99Ms: 5, failed: 0.2 }]
  expect(meanOf(rounds)).toMatchObject({ p99Ms: 4, failed: 0.2, p50Ms: 1 })
})

test('a fault is an error, or a p99 above the one of HBase', () => {
  expect(faultsOf(sides({}, {}))).toEqual([])
  expect(faultsOf(sides({ p99Ms: 3.01 }))).toEqual([])
  expect(faultsOf(sides({ p99Ms: 3.01 }, {}))).toEqual(["get on engine: p99 3.01 ms, and HBase's is 3.00 ms"])
  expect(faultsOf(sides({ failed: 0.01 }))).toEqual(['get on engine: 1.00 % of the requests failed'])
  expect(faultsOf(sides({ wrong: 0.01 }))).toEqual(['get on engine: 1.00 % of the checks did not hold'])
  expect(faultsOf(sides({}, { failed: 1 }))).toEqual([])
})

test('the table has a line for each scenario and server, and times HBase', () => {
  const lines = restTable(sides({ requestsPerSecond: 5000 }, {})).split('\n')
  expect(lines.slice(2)).toEqual([
    '| get | engine | 5000 | 1.00 | 2.00 | 3.00 | 0.0000 | 5.0 |',
    '| get | hbase | 1000 | 1.00 | 2.00 | 3.00 | 0.0000 | 1.0 |',
  ])
})
