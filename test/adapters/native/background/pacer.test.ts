import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Pacer } from '../../../../adapters/native/background/pacer.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

/** How long the work rested, in real milliseconds, after a stretch of so many. */
async function restAfter(pacer: Pacer, stretchMs: number): Promise<number> {
  vi.advanceTimersByTime(stretchMs)
  const before = process.hrtime.bigint()
  await pacer.pause()
  return Number(process.hrtime.bigint() - before) / 1e6
}

test('work rests as long as it worked while requests come, and not for the time before it began', async () => {
  let requests = 0
  const pacer = new Pacer(() => ++requests)
  await pacer.during(() => restAfter(pacer, 10))
  vi.advanceTimersByTime(600_000)
  const rest = await pacer.during(() => restAfter(pacer, 10))
  expect(rest).toBeGreaterThan(8)
  expect(rest).toBeLessThan(1000)
})

test('a rest is short, however long the stretch was: a store that closes waits for it', async () => {
  let requests = 0
  const pacer = new Pacer(() => ++requests)
  expect(await pacer.during(() => restAfter(pacer, 60_000))).toBeLessThan(1000)
})

test('work goes on in the next turn where no requests come', async () => {
  const pacer = new Pacer(() => 7)
  await pacer.during(async () => {
    await restAfter(pacer, 10)
    expect(await restAfter(pacer, 40)).toBeLessThan(30)
  })
})
