import { expect, test } from 'vitest'
import { collector, idleCollector } from '../../src/model/collector.ts'

const MIB = 1024 * 1024

/** Takes memory, and keeps nothing of it. */
function waste(bytes: number): number {
  return Buffer.allocUnsafeSlow(bytes).length
}

/** V8 counts buffers as free beside the thread, a little after their collection. */
async function expectUsed(before: number): Promise<void> {
  await expect.poll(() => process.memoryUsage().arrayBuffers - before).toBeLessThan(MIB)
}

test('a collection lets go of memory that nobody uses', async () => {
  const collect = collector()
  collect()
  const before = process.memoryUsage().arrayBuffers
  for (let i = 0; i < 4; i++) waste(4 * MIB)
  collect()
  await expectUsed(before)
})

test('an idle thread collects where that is worth it', async () => {
  collector()()
  const before = process.memoryUsage().arrayBuffers
  waste(20 * MIB)
  idleCollector()()
  await expectUsed(before)
})
