import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  CACHE_AREAS,
  type CacheableBlock,
  type CachedBlocks,
  LruBlockCache,
} from '../../../../adapters/native/hfile/block-cache.ts'

const block = (heapBytes: number): CacheableBlock => ({ heapBytes, evicted: () => undefined })

test('the least recently used block goes first', () => {
  const cache = new LruBlockCache(300)
  const [a, b, c, d] = [block(100), block(100), block(100), block(100)]
  cache.put(1, 0, a)
  cache.put(1, 10, b)
  cache.put(2, 0, c)
  expect(cache.get(1, 0)).toBe(a)
  cache.put(2, 10, d)
  expect(cache.get(1, 10)).toBeUndefined()
  expect([cache.get(1, 0), cache.get(2, 0), cache.get(2, 10)]).toEqual([a, c, d])
  expect([cache.bytes, cache.count, cache.evictions, cache.hits, cache.misses]).toEqual([300, 3, 1, 4, 1])
})

test('a file is forgotten whole, others stay', () => {
  const cache = new LruBlockCache(1000)
  cache.put(1, 0, block(10))
  cache.put(1, 5, block(10))
  cache.put(2, 0, block(10))
  cache.evictFile(1)
  cache.evictFile(3)
  expect([cache.count, cache.bytes, cache.get(1, 0)]).toEqual([1, 10, undefined])
})

test('a block put again replaces the old one', () => {
  const cache = new LruBlockCache(100)
  cache.put(1, 0, block(60))
  const newer = block(80)
  cache.put(1, 0, newer)
  expect([cache.get(1, 0), cache.bytes, cache.count]).toEqual([newer, 80, 1])
})

test('it never holds more than its budget, and what it holds adds up', () => {
  const operations = fc.array(fc.tuple(fc.nat(3), fc.nat(5), fc.nat(60), fc.nat(3)))
  fc.assert(
    fc.property(operations, (steps) => {
      const cache = new LruBlockCache(100)
      const known = new Map<string, CacheableBlock>()
      for (const [file, offset, bytes, operation] of steps) {
        if (operation === 0) cache.evictFile(file)
        if (operation === 1) cache.get(file, offset)
        if (operation > 1) {
          known.set(`${file} ${offset}`, block(bytes))
          cache.put(file, offset, known.get(`${file} ${offset}`)!)
        }
        expect(cache.bytes).toBeLessThanOrEqual(100)
      }
      let bytes = 0
      for (const [key, value] of known) {
        const [file, offset] = key.split(' ').map(Number) as [number, number]
        const found = cache.get(file, offset)
        if (found !== undefined) expect(found).toBe(value)
        bytes += found?.heapBytes ?? 0
      }
      expect(bytes).toBe(cache.bytes)
    }),
  )
})

test('a block that is used again moves to the area of those, out of the reach of a long scan', () => {
  const cache = new LruBlockCache(1000)
  for (let i = 0; i < 4; i++) cache.put(1, i, block(100))
  for (let i = 0; i < 4; i++) cache.get(1, i)
  const areas = (): number[] => CACHE_AREAS.map((area) => cache.area(area).bytes)
  expect(areas()).toEqual([0, 400, 0, 0])
  for (let i = 0; i < 100; i++) cache.put(2, i, block(100))
  expect(areas()).toEqual([600, 400, 0, 0])
  expect([0, 1, 2, 3].every((i) => cache.get(1, i) !== undefined)).toBe(true)
})

test('areas above their share give way to those below', () => {
  const cache = new LruBlockCache(1000)
  for (let i = 0; i < 10; i++) {
    cache.put(1, i, block(100))
    cache.get(1, i)
  }
  expect(cache.area('multi').bytes).toBe(1000)
  for (let i = 0; i < 10; i++) cache.put(2, i, block(100), true)
  for (let i = 0; i < 10; i++) cache.put(3, i, block(100))
  expect(CACHE_AREAS.map((area) => cache.area(area).bytes)).toEqual([200, 500, 300, 0])
  // The memory area lost its oldest ones.
  expect(cache.get(2, 0)).toBeUndefined()
  expect(cache.get(2, 9)).toBeDefined()
})

test('blocks are told when the cache lets go of them', () => {
  const cache = new LruBlockCache(300)
  const gone: number[] = []
  const told = (i: number, heapBytes: number): CacheableBlock => ({
    heapBytes,
    evicted: () => void gone.push(i),
  })
  for (let i = 0; i < 3; i++) expect(cache.put(1, i, told(i, 100))).toBe(true)
  expect(cache.put(1, 9, told(9, 301))).toBe(false)
  cache.put(1, 3, told(3, 100))
  cache.put(1, 3, told(4, 100))
  cache.evictFile(1)
  expect(gone).toEqual([0, 3, 1, 2, 4])
})

test('a list of cached blocks loses those that leave the cache', () => {
  const cache = new LruBlockCache(300)
  const list: CachedBlocks = [undefined, undefined, undefined]
  const [a, b, c] = [block(100), block(100), block(100)]
  cache.put(1, 0, a)
  cache.put(1, 10, b)
  cache.put(1, 20, c)
  for (const [at, offset] of [0, 10, 20].entries()) cache.keepIn(1, offset, list, at)
  cache.keepIn(1, 30, list, 0)
  expect(list.map((cached) => cached?.block)).toEqual([a, b, c])
  // A use counts as `get` does: the next block takes the place of another one.
  cache.use(list[0]!)
  cache.put(2, 0, block(100))
  expect(list.map((cached) => cached?.block)).toEqual([a, undefined, c])
  expect(cache.hits).toBe(1)
  const others: CachedBlocks = [undefined]
  cache.keepIn(1, 0, others, 0)
  expect([list[0], others[0]?.block]).toEqual([undefined, a])
  cache.put(1, 0, block(50))
  cache.evictFile(1)
  expect([...list, ...others]).toEqual([undefined, undefined, undefined, undefined])
})
