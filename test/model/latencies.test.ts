import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Latencies } from '../../src/model/latencies.ts'

function latenciesOf(...each: readonly number[]): Latencies {
  const latencies = new Latencies()
  for (const ms of each) latencies.add(ms)
  return latencies
}

test('nothing that took no time, and nothing at all', () => {
  const none = new Latencies()
  expect([none.count, none.quantile(0.5), none.classes(), [...none.samples({})]]).toEqual([0, 0, [], []])
  const odd = latenciesOf(0, -5, 1e12)
  expect(odd.count).toBe(3)
  expect(odd.classes().map(([index]) => index)).toEqual([0, 231])
})

test('a quantile is at most an eighth too long', () => {
  const durations = fc.array(fc.double({ min: 0.001, max: 1e6, noNaN: true }), {
    minLength: 1,
    maxLength: 200,
  })
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.9, 0.99, 1), (each, q) => {
      const sorted = each.toSorted((a, b) => a - b)
      const exact = sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)]!
      const told = latenciesOf(...each).quantile(q)
      expect(told).toBeGreaterThanOrEqual(exact)
      expect(told).toBeLessThanOrEqual(exact * 1.125 + 0.001)
    }),
  )
})

test('buckets are cumulative, and end with all', () => {
  const labels = { door: 'rest' }
  const samples = [...latenciesOf(0.01, 0.031, 0.033, 1, 20_000, 100_000).samples(labels)]
  const bucket = (le: string): number | undefined =>
    samples.find((sample) => sample.labels?.['le'] === le)?.value
  expect([bucket('0.000032'), bucket('0.000064'), bucket('0.001024'), bucket('33.554432')]).toEqual([
    2, 3, 4, 5,
  ])
  expect(bucket('+Inf')).toBe(6)
  expect(samples.find(({ part }) => part === 'count')).toEqual({ labels, value: 6, part: 'count' })
  expect(samples.find(({ part }) => part === 'sum')?.value).toBeCloseTo(120.001074, 9)
  const values = samples.filter(({ part }) => part === 'bucket').map(({ value }) => value)
  expect(values).toEqual(values.toSorted((a, b) => a - b))
})
