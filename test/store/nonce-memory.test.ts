import { expect, test } from 'vitest'
import { NonceMemory } from '../../src/store/nonce-memory.ts'

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
