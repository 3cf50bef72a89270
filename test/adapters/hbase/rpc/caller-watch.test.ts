import { expect, test } from 'vitest'
import { areGone, unwatchCallers, watchCallers } from '../../../../adapters/hbase/rpc/caller-watch.ts'

function waiting(): { callerGone(): void; times: number } {
  return {
    times: 0,
    callerGone() {
      this.times++
    },
  }
}

test('every wait for a caller is notified once that it has hung up, except ended ones', () => {
  const caller = new AbortController()
  const [first, second, ended] = [waiting(), waiting(), waiting()]
  for (const each of [first, second, ended]) watchCallers(caller.signal, each)
  unwatchCallers(caller.signal, ended)
  expect(areGone(caller.signal)).toBe(false)
  caller.abort()
  expect(areGone(caller.signal)).toBe(true)
  expect([first.times, second.times, ended.times]).toEqual([1, 1, 0])
})

test('several callers are gone when the last of them is', () => {
  const callers = [new AbortController(), new AbortController()]
  const signals = callers.map(({ signal }) => signal)
  const shared = waiting()
  watchCallers(signals, shared)
  callers[1]!.abort()
  expect(areGone(signals)).toBe(false)
  callers[0]!.abort()
  expect(areGone(signals)).toBe(true)
  expect(shared.times).toBe(2)
})

test('a caller who cannot hang up is never gone', () => {
  const own = waiting()
  watchCallers(undefined, own)
  unwatchCallers(undefined, own)
  expect(areGone(undefined)).toBe(false)
})

test('a signal is listened to once, however many calls it is passed to', () => {
  const { signal } = new AbortController()
  let listeners = 0
  const add = signal.addEventListener.bind(signal)
  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    listeners++
    add(...args)
  }
  for (let i = 0; i < 1000; i++) {
    const call = waiting()
    watchCallers(signal, call)
    unwatchCallers(signal, call)
  }
  expect(listeners).toBe(1)
})
