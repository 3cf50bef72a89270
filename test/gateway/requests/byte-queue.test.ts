/** The memory that a queue of received bytes takes, and the bytes that it drops. */

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { ByteQueue } from '../../../src/gateway/requests/byte-queue.ts'
import { testRuns } from '../../harness/test-runs.ts'

const step = fc.oneof(
  fc.record({ kind: fc.constant('push' as const), bytes: fc.nat({ max: 5000 }) }),
  fc.record({ kind: fc.constant('take' as const), part: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ kind: fc.constant('skip' as const), bytes: fc.nat({ max: 8000 }) }),
  fc.record({ kind: fc.constant('keep' as const) }),
)

test('what waits is what was pushed, but for what was taken and skipped, and it takes memory once it is kept', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const memory = new MemoryBudget()
      const queue = new ByteQueue(memory)
      let expected = Buffer.alloc(0)
      let [pushed, unwanted] = [0, 0]
      for (const each of steps) {
        if (each.kind === 'push') {
          const chunk = Buffer.from(Array.from({ length: each.bytes }, (_, i) => (pushed + i) & 0xff))
          pushed += each.bytes
          queue.push(chunk)
          const dropped = Math.min(unwanted, chunk.length)
          unwanted -= dropped
          expected = Buffer.concat([expected, chunk.subarray(dropped)])
        } else if (each.kind === 'take') {
          const length = Math.floor(each.part * expected.length)
          expect(queue.take(length).equals(expected.subarray(0, length))).toBe(true)
          expected = expected.subarray(length)
        } else if (each.kind === 'skip') {
          // A frame is skipped only where no other is.
          if (unwanted > 0) continue
          queue.skip(each.bytes)
          unwanted = Math.max(0, each.bytes - expected.length)
          expected = expected.subarray(Math.min(each.bytes, expected.length))
        } else {
          queue.keep()
          expect(memory.granted).toBeGreaterThanOrEqual(expected.length)
        }
        const { buffer, start, end } = queue
        expect(buffer.subarray(start, end).equals(expected)).toBe(true)
        if (expected.length === 0) expect(memory.granted).toBe(0)
      }
      queue.clear()
      expect(memory.granted).toBe(0)
    }),
    { numRuns: testRuns(200) },
  )
})

test('bytes that wait hold no memory but their own, and what it takes is counted', () => {
  const memory = new MemoryBudget()
  const slab = Buffer.from(new ArrayBuffer(8192))
  const [kept, detached] = [new ByteQueue(memory), new ByteQueue(memory)]
  for (const queue of [kept, detached]) queue.push(slab.subarray(100, 140))
  kept.take(10)
  kept.keep()
  detached.detach()
  expect([kept.buffer.buffer.byteLength, detached.buffer.buffer.byteLength]).toEqual([30, 40])
  expect(memory.granted).toBe(30)
  detached.push(slab.subarray(0, 5))
  expect(detached.take(45)).toEqual(Buffer.alloc(45))
})
