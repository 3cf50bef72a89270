import { expect, test } from 'vitest'
import { CHUNK_BYTES, ChunkPool } from '../../../../adapters/native/memstore/chunk-pool.ts'

function give(pool: ChunkPool, chunks: readonly Buffer[]): void {
  for (const chunk of chunks) pool.give(chunk)
}

function take(pool: ChunkPool, count: number): readonly Buffer[] {
  return Array.from({ length: count }, () => pool.take(1))
}

test('keeps no more free chunks than it may', () => {
  const pool = new ChunkPool(false, 3 * CHUNK_BYTES)
  give(pool, take(pool, 5))
  expect(pool.freeCount).toBe(3)
})

test('lets go of the chunks that nobody has needed since the last look', () => {
  const pool = new ChunkPool()
  give(pool, take(pool, 6))
  pool.trim()
  expect(pool.freeCount).toBe(6)
  give(pool, take(pool, 2))
  pool.trim()
  expect(pool.freeCount).toBe(2)
  pool.trim()
  expect(pool.freeCount).toBe(0)
})

test('lets go of small chunks likewise', () => {
  const pool = new ChunkPool()
  give(pool, [pool.takeFirst(1), pool.takeFirst(1)])
  pool.trim()
  expect(pool.freeCount).toBe(2)
  pool.trim()
  expect(pool.freeCount).toBe(0)
})
