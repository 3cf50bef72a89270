import { expect, test } from 'vitest'
import { NonceMemory } from '../../src/store/nonce-memory.ts'

const HALF_AN_HOUR_MS = 30 * 60 * 1000

test('a nonce is known by its group and number, 0 never', () => {
  const nonces = new NonceMemory(() => 0)
  nonces.add({ group: 1n, nonce: 2n })
  nonces.add({ group: 1n, nonce: 0n })
  nonces.add(undefined)
  expect(nonces.has({ group: 1n, nonce: 2n })).toBe(true)
  expect(nonces.has({ group: 2n, nonce: 1n })).toBe(false)
  expect(nonces.has({ group: 1n, nonce: 0n })).toBe(false)
  expect(nonces.has(undefined)).toBe(false)
})

test('it is forgotten after half an hour', () => {
  let now = 5
  const nonces = new NonceMemory(() => now)
  nonces.add({ group: 1n, nonce: 2n })
  now += HALF_AN_HOUR_MS
  expect(nonces.has({ group: 1n, nonce: 2n })).toBe(true)
  now += 1
  expect(nonces.has({ group: 1n, nonce: 2n })).toBe(false)
})

test('of very many the oldest go', () => {
  const nonces = new NonceMemory(() => 0)
  for (let nonce = 1n; nonce <= 100_001n; nonce++) nonces.add({ group: 1n, nonce })
  expect(nonces.has({ group: 1n, nonce: 1n })).toBe(false)
  expect(nonces.has({ group: 1n, nonce: 2n })).toBe(true)
})
