/** The pool poisons what it gets back, so that a block that is recycled too early shows in its cells. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CellIterator } from '../../../../adapters/native/cells/cell-run.ts'
import { LruBlockCache } from '../../../../adapters/native/hfile/block-cache.ts'
import { BlockFrame, FramePool } from '../../../../adapters/native/hfile/block-frames.ts'
import { codecByName } from '../../../../adapters/native/hfile/compression.ts'
import { encodingByName } from '../../../../adapters/native/hfile/encoding/encodings.ts'
import { keyValue, NEWEST, open, presentText, stored, text, writeFile } from './cells.ts'

const CELLS = Array.from({ length: 200 }, (_, i) =>
  stored(keyValue(`row${1000 + i}`, 'q', 1n, 4, Buffer.alloc(1000, i))),
)
const FILE = writeFile(CELLS, { blockBytes: 4000 })
const BLOCK_BYTES = 9000
/** A block of one such value is too large for the pool. */
const VALUE_BYTES = 1_500_000

/** Gets every block twice, so that a cache for a few of them lets go of all that it had. */
function churn(hfile: ReturnType<typeof open>): void {
  for (let i = 0; i < 2 * CELLS.length; i += 3) {
    const at = hfile.iterator(NEWEST)
    seek(at, i % CELLS.length)
    at.close()
  }
}

function seek(at: CellIterator, i: number): string | undefined {
  at.seek(CELLS[i]!.keyValue, 0)
  return presentText(at)
}

test('a frame is used again by a block of its size, not by others', () => {
  const pool = new FramePool(100_000)
  const frame = pool.take(5000)
  expect([frame.buffer.length, pool.freeBytes]).toEqual([8192, 0])
  pool.give(frame)
  expect(pool.freeBytes).toBe(8192)
  expect(pool.take(9000)).not.toBe(frame)
  expect(pool.take(8192)).toBe(frame)
  expect(pool.freeBytes).toBe(0)
})

test('frames that go to the garbage collector are counted, lent ones too, and an iterator keeps one large block', () => {
  let dropped = 0
  const cache = new LruBlockCache(1000, true, (bytes) => {
    dropped += bytes
  })
  const cells = Array.from({ length: 4 }, (_, i) =>
    stored(keyValue(`row${i}`, 'q', 1n, 4, Buffer.alloc(VALUE_BYTES, i))),
  )
  const at = open(writeFile(cells, { blockBytes: 4000 }), cache).iterator(NEWEST)
  at.seekToFirst()
  const one = at.heldBytes
  for (const left of [0, 1, 2]) {
    expect(Math.floor(dropped / VALUE_BYTES)).toBe(left)
    at.next()
    expect(at.heldBytes).toBe(one)
  }
  at.lend()
  at.close()
  expect(Math.floor(dropped / VALUE_BYTES)).toBe(4)
})

test('the pool keeps no more than it may, and no giants', () => {
  const pool = new FramePool(20_000)
  for (let i = 0; i < 10; i++) pool.give(new BlockFrame(8192))
  expect(pool.freeBytes).toBe(16_384)
  const large = new FramePool(10_000_000)
  large.give(new BlockFrame(2_000_000))
  expect(large.freeBytes).toBe(0)
})

test('gets over more data than the cache takes use the same frames again and again', () => {
  const cache = new LruBlockCache(80_000, true)
  const hfile = open(FILE, cache)
  const buffers = new Set<ArrayBufferLike>()
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < CELLS.length; i += 7) {
      const at = hfile.iterator(NEWEST)
      expect(seek(at, i)).toBe(text(CELLS[i]))
      buffers.add(at.buffer.buffer)
      at.close()
    }
  }
  expect(cache.evictions).toBeGreaterThan(500)
  expect(buffers.size).toBeLessThanOrEqual(Math.ceil(80_000 / BLOCK_BYTES) + 5)
})

test.each([
  ['SNAPPY', 'NONE'],
  ['NONE', 'FAST_DIFF'],
  ['ZSTD', 'DIFF'],
])('frames are used again for %s and %s, too', (codec, encoding) => {
  const cache = new LruBlockCache(120_000, true)
  const file = writeFile(CELLS, {
    blockBytes: 4000,
    codec: codecByName(codec)!,
    encoding: encodingByName(encoding),
  })
  const hfile = open(file, cache)
  const buffers = new Set<ArrayBufferLike>()
  for (let round = 0; round < 20; round++) {
    for (let i = 0; i < CELLS.length; i += 7) {
      const at = hfile.iterator(NEWEST)
      expect(seek(at, i)).toBe(text(CELLS[i]))
      buffers.add(at.buffer.buffer)
      at.close()
    }
  }
  expect(buffers.size).toBeLessThanOrEqual(Math.ceil(120_000 / BLOCK_BYTES) + 10)
})

test('an open iterator keeps its cells, however many blocks it has passed', () => {
  const hfile = open(FILE, new LruBlockCache(30_000, true))
  const at = hfile.iterator(NEWEST)
  const seen: (() => string)[] = []
  for (at.seekToFirst(); at.valid; at.next()) {
    const { buffer, cell, cellBytes } = at
    seen.push(() => buffer.toString('hex', cell, cell + cellBytes))
    if (seen.length % 40 === 0) churn(hfile)
  }
  expect(seen.map((cell) => cell())).toEqual(CELLS.map(({ keyValue }) => keyValue.toString('hex')))
  at.close()
})

test('lent cells stay as they are when the iterator is closed and the blocks are evicted', () => {
  const hfile = open(FILE, new LruBlockCache(30_000, true))
  const at = hfile.iterator(NEWEST)
  const lent: (() => string)[] = []
  at.seekToFirst()
  for (let i = 0; i < 10; i++, at.next()) {
    const { buffer, cell, cellBytes } = at
    lent.push(() => buffer.toString('hex', cell, cell + cellBytes))
  }
  at.lend()
  at.close()
  churn(hfile)
  hfile.close()
  expect(lent.map((cell) => cell())).toEqual(
    CELLS.slice(0, 10).map(({ keyValue }) => keyValue.toString('hex')),
  )
})

test('whatever iterators do side by side, each sees its cells', () => {
  const step = fc.tuple(fc.nat(4), fc.nat(CELLS.length - 1), fc.nat(3))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.boolean(), (steps, cacheBlocks) => {
      const hfile = open(FILE, new LruBlockCache(20_000, true))
      const iterators: { at: CellIterator; present: number }[] = []
      for (const [which, i, operation] of steps) {
        const known = iterators[which]
        if (known === undefined || operation === 0) {
          known?.at.close()
          iterators[which] = { at: hfile.iterator(NEWEST, cacheBlocks), present: -1 }
        } else if (operation === 1 && known.present >= 0 && known.at.valid) {
          known.at.next()
          known.present++
        } else {
          known.at.seek(CELLS[i]!.keyValue, 0)
          known.present = i
        }
        for (const { at, present } of iterators.filter((iterator) => iterator !== undefined))
          if (present >= 0 && present < CELLS.length) expect(presentText(at)).toBe(text(CELLS[present]))
      }
    }),
    { numRuns: 50 },
  )
})
