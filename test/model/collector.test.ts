import { expect, test } from 'vitest'
import { collector, idleCollector } from '../../src/model/collector.ts'

const MIB = 1024 * 1024

/** Takes memory, and keeps nothing of it. */
function waste(bytes: number): number {
  return Buffer.allocUnsafeSlow(bytes).length
}

test('a collection lets go of memory that nobody uses', () => {
  const collect = collector()
  collect()
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 4; i++) waste(4 * MIB)
  collect()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MIB)
})

test('an idle thread collects where that is worth it', () => {
  collector()()
  const before = process.memoryUsage().arrayBuffers
  waste(20 * MIB)
  idleCollector()()
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(MIB)
})
