import fc from 'fast-check'
import { expect, test } from 'vitest'
import { NonceMemory } from '../../src/store/nonce-memory.ts'
import { testRuns } from '../harness/test-runs.ts'

const HALF_AN_HOUR_MS = 30 * 60 * 1000

test('a nonce is known by its group and number, 0 never', () => {
  const nonces = new NonceMemory<number>(() => 0)
  nonces.add({ group: 1n, nonce: 2n }, 7)
  nonces.add({ group: 1n, nonce: 0n }, 7)
  nonces.add(undefined, 7)
  expect(nonces.readPoint({ group: 1n, nonce: 2n })).toBe(7)
  expect(nonces.readPoint({ group: 2n, nonce: 1n })).toBeUndefined()
  expect(nonces.readPoint({ group: 1n, nonce: 0n })).toBeUndefined()
  expect(nonces.readPoint(undefined)).toBeUndefined()
})

test('it is forgotten after half an hour', () => {
  let now = 5
  const nonces = new NonceMemory<number>(() => now)
  nonces.add({ group: 1n, nonce: 2n }, 7)
  now += HALF_AN_HOUR_MS
  expect(nonces.readPoint({ group: 1n, nonce: 2n })).toBe(7)
  now += 1
  expect(nonces.readPoint({ group: 1n, nonce: 2n })).toBeUndefined()
})

test('of very many the oldest go', () => {
  const nonces = new NonceMemory<number>(() => 0)
  for (let nonce = 1n; nonce <= 100_001n; nonce++) nonces.add({ group: 1n, nonce }, 7)
  expect(nonces.readPoint({ group: 1n, nonce: 1n })).toBeUndefined()
  expect(nonces.readPoint({ group: 1n, nonce: 2n })).toBe(7)
})

const step = fc.record({
  kind: fc.constantFrom('add' as const, 'remove' as const, 'wait' as const),
  nonce: fc.bigInt({ min: 1n, max: 8n }),
  ms: fc.nat({ max: HALF_AN_HOUR_MS }),
})

test('changes that are made, undone and made again are known for half an hour after the last time', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now = 0
      const nonces = new NonceMemory<number>(() => now)
      const made = new Map<bigint, readonly [at: number, readPoint: number]>()
      for (const [index, { kind, nonce, ms }] of steps.entries()) {
        if (kind === 'wait') now += ms
        else if (kind === 'remove') {
          nonces.remove({ group: 1n, nonce })
          made.delete(nonce)
        } else {
          nonces.add({ group: 1n, nonce }, index)
          made.set(nonce, [now, index])
        }
        for (let each = 1n; each <= 8n; each++) {
          const [at, readPoint] = made.get(each) ?? [Number.NEGATIVE_INFINITY, 0]
          const expected = now - at <= HALF_AN_HOUR_MS ? readPoint : undefined
          expect(nonces.readPoint({ group: 1n, nonce: each })).toBe(expected)
        }
      }
    }),
    { numRuns: testRuns(200) },
  )
})

test('a nonce costs no more where there are as many as are kept', () => {
  const nonces = new NonceMemory<number>(() => 0)
  let next = 1n
  const batchMs = (): number => {
    const start = performance.now()
    for (let i = 0; i < 10_000; i++) {
      const nonce = { group: 1n, nonce: next++ }
      nonces.readPoint(nonce)
      nonces.add(nonce, 7)
    }
    return performance.now() - start
  }
  const early = Array.from({ length: 10 }, batchMs)
  const late = Array.from({ length: 20 }, batchMs)
  // A walk over those that were forgotten took a hundred times as long.
  expect(Math.min(...late.slice(-5))).toBeLessThan(20 * Math.max(...early))
})
