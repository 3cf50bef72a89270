import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { orderlyStop } from '../../../src/cli/serve/orderly-stop.ts'

let logged: string[]
let codes: number[]

beforeEach(() => {
  logged = []
  codes = []
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => vi.useRealTimers())

function tell(line: string): void {
  logged.push((JSON.parse(line) as { msg: string }).msg)
}

function stopOf(starting: Promise<{ stop(): Promise<void> }>): (reason: string) => void {
  return orderlyStop({
    starting,
    logger: pino({ level: 'info' }, { write: tell }),
    exit: (code) => void codes.push(code),
    stopping: () => undefined,
  })
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}

test('a server that stops ends with 0, once', async () => {
  const stops = vi.fn(async () => undefined)
  const stop = stopOf(Promise.resolve({ stop: stops }))
  stop('SIGTERM')
  stop('SIGINT')
  await vi.advanceTimersByTimeAsync(1)
  expect([codes, stops.mock.calls.length]).toEqual([[0], 1])
  expect(logged).toEqual([expect.stringMatching(/^stopping, /), 'stopped, because of SIGTERM'])
})

test('one whose stop fails, or takes too long, ends with 1', async () => {
  stopOf(Promise.resolve({ stop: () => Promise.reject(new Error('no lock')) }))('SIGTERM')
  await vi.advanceTimersByTimeAsync(1)
  expect(codes).toEqual([1])
  expect(logged[1]).toMatch(/^stopping failed: no lock; /)
  const stop = stopOf(Promise.resolve({ stop: never }))
  await vi.advanceTimersByTimeAsync(1)
  stop('SIGTERM')
  await vi.advanceTimersByTimeAsync(8_999)
  expect(codes).toEqual([1])
  await vi.advanceTimersByTimeAsync(1)
  expect(codes).toEqual([1, 1])
  expect(logged.at(-1)).toMatch(/^stopping took too long/)
})

test('a start that takes long is broken off, with 0', async () => {
  stopOf(never())('SIGTERM')
  await vi.advanceTimersByTimeAsync(1_999)
  expect(codes).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(codes).toEqual([0])
  expect(logged[1]).toMatch(/^stopped, because of SIGTERM; the store was still being opened/)
})

test('a start that ends in time is stopped as a server', async () => {
  let end!: (server: { stop(): Promise<void> }) => void
  stopOf(new Promise((resolve) => (end = resolve)))('SIGTERM')
  await vi.advanceTimersByTimeAsync(1_000)
  end({ stop: async () => undefined })
  await vi.advanceTimersByTimeAsync(5_000)
  expect(codes).toEqual([0])
  expect(logged[1]).toBe('stopped, because of SIGTERM')
})
