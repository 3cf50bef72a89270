import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OutageReporter } from '../../../src/cli/remote/outage-reporter.ts'

let lines: string[]
let reporter: OutageReporter

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  reporter = new OutageReporter('rpc:a:1', 3000, (line) => lines.push(line))
})

afterEach(() => {
  vi.useRealTimers()
})

test('says that a server is away once it has been so for three seconds, and that it answers again', () => {
  reporter.failed('refused')
  vi.advanceTimersByTime(2999)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1)
  reporter.failed('refused')
  reporter.failed('timed out')
  expect(lines).toEqual(['rpc:a:1: refused; trying again', 'rpc:a:1: timed out; trying again'])
  reporter.answered()
  reporter.answered()
  expect(lines.slice(2)).toEqual(['rpc:a:1: it answers again'])
})

test('says nothing of a short outage, and all of the next one', () => {
  reporter.failed('refused')
  vi.advanceTimersByTime(2000)
  reporter.answered()
  vi.advanceTimersByTime(5000)
  expect(lines).toEqual([])
  for (let outage = 0; outage < 2; outage++) {
    reporter.failed('refused')
    vi.advanceTimersByTime(3000)
    reporter.answered()
  }
  const outage = ['rpc:a:1: refused; trying again', 'rpc:a:1: it answers again']
  expect(lines).toEqual([...outage, ...outage])
})
