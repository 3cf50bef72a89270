import { setImmediate as nextTurn } from 'node:timers/promises'
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
  const collect = idleCollector()
  waste(40 * MIB)
  collect()
  await expectUsed(before)
})

/** An object that only a collection of everything takes, and that nobody uses but this reference. */
function oldObject(): WeakRef<object> {
  const collect = collector()
  const object = {}
  collect()
  return new WeakRef(object)
}

test('an idle thread keeps what is compiled: young memory is collected alone', async () => {
  const old = oldObject()
  const collect = idleCollector()
  await nextTurn()
  for (let round = 0; round < 3; round++) {
    waste(40 * MIB)
    collect()
  }
  expect(old.deref()).toBeDefined()
})

test('an idle thread collects everything where much was used for long', async () => {
  const old = oldObject()
  const collect = idleCollector()
  const held = Array.from({ length: 40 }, () => Buffer.allocUnsafeSlow(MIB))
  collector()()
  held.length = 0
  await nextTurn()
  collect()
  expect(old.deref()).toBeUndefined()
})
