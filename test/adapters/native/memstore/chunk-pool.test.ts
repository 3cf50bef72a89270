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
  give(pool, [pool.takeFirst(1, 1), pool.takeFirst(1, 1)])
  pool.trim()
  expect(pool.freeCount).toBe(2)
  pool.trim()
  expect(pool.freeCount).toBe(0)
})

test('begins a memstore with little, and keeps none of that', () => {
  const pool = new ChunkPool()
  const sizes = [pool.takeFirst(100, 0), pool.takeFirst(3000, 0), pool.takeFirst(100, 1), pool.take(100)]
  expect(sizes.map(({ length }) => length)).toEqual([2048, 32 * 1024, 32 * 1024, 2 * 1024 * 1024])
  give(pool, sizes.slice(0, 1))
  expect(pool.freeCount).toBe(0)
})
