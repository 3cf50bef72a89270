import { type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { collector, idleCollector, servingCollection } from '../../src/model/collector.ts'

const MIB = 1024 * 1024
/** Of collections, as V8 counts their kinds: one of everything. */
const MAJOR = 4

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

type CollectionEntry = PerformanceEntry & {
  readonly detail: { readonly kind: number; readonly flags: number }
}

/** The flag that V8 reports of a collection that a caller made it do at a stretch. */
const FORCED = 4

test('a thread that serves begins a collection of everything that nothing waits for', async () => {
  const collections: { readonly isForced: boolean }[] = []
  let begun = Number.POSITIVE_INFINITY
  const observer = new PerformanceObserver((list) => {
    for (const { detail, startTime } of list.getEntries() as CollectionEntry[])
      if (detail.kind === MAJOR && startTime >= begun) collections.push({ isForced: detail.flags === FORCED })
  })
  collector()()
  const { soon } = servingCollection()
  const held = Array.from({ length: 400_000 }, (_, i) => ({
    i,
    text: `value ${i}`,
    buffer: i % 50 === 0 && Buffer.alloc(100),
  }))
  const before = process.memoryUsage().heapUsed
  observer.observe({ entryTypes: ['gc'] })
  held.length = 0
  // V8 reports collections late, those before this one too.
  begun = performance.now()
  soon(() => undefined)
  // V8 goes on with a collection while its thread allocates.
  while (collections.length === 0) await nextTurn(waste(MIB))
  expect(collections).toEqual([{ isForced: false }])
  expect(process.memoryUsage().heapUsed).toBeLessThan(before - 20 * MIB)
  observer.disconnect()
})

test('threads get their collectors at the same time', async () => {
  const module = new URL('../../src/model/collector.js', import.meta.url).href
  const program = `import(${JSON.stringify(module)}).then(({ collector }) => {
    for (let i = 0; i < 100; i++) collector()
  })`
  const ended = Array.from({ length: 4 }, () => {
    const worker = new Worker(program, { eval: true })
    return new Promise((resolve, reject) => worker.once('exit', resolve).once('error', reject))
  })
  expect(await Promise.all(ended)).toEqual([0, 0, 0, 0])
})
