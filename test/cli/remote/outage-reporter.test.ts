import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { OutageReporter } from '../../../src/cli/remote/outage-reporter.ts'

const REFUSED = 'None of 1 servers answers: connect ECONNREFUSED 127.0.0.1:7'

let lines: string[]
let inPlace: (string | undefined)[]
let reporter: OutageReporter

function reporterOn(isInPlace: boolean): OutageReporter {
  const display = {
    isInPlace,
    print: (line: string) => void lines.push(line),
    trouble: (_: string, text: string | undefined) => void inPlace.push(text),
  }
  return new OutageReporter('rpc:a:1', display, () => Date.now())
}

beforeEach(() => {
  vi.useFakeTimers()
  lines = []
  inPlace = []
  reporter = reporterOn(false)
})

afterEach(() => {
  vi.useRealTimers()
})

test('says that a server is away once it has been so for three seconds, and that it answers again', () => {
  reporter.failed(REFUSED)
  vi.advanceTimersByTime(2999)
  expect(lines).toEqual([])
  vi.advanceTimersByTime(1)
  reporter.failed(REFUSED)
  reporter.failed('timed out')
  expect(lines).toEqual([
    'Cannot reach 127.0.0.1:7, trying again (3 s)',
    'rpc:a:1: timed out; trying again (3 s)',
  ])
  reporter.answered()
  reporter.answered()
  expect(lines.slice(2)).toEqual(['rpc:a:1: it answers again'])
})

test('repeats the line of a log whenever the time has doubled, also where nothing else happens', () => {
  reporter.failed(REFUSED)
  vi.advanceTimersByTime(60_000)
  expect(lines.map((line) => /\((.*)\)/.exec(line)?.[1])).toEqual(['3 s', '6 s', '12 s', '24 s', '48 s'])
})

test('a server that has never answered is waited for aloud; one that has is not', () => {
  reporter.asked()
  vi.advanceTimersByTime(3000)
  expect(lines).toEqual(['rpc:a:1 has not answered yet, waiting (3 s)'])
  reporter.answered()
  reporter.asked()
  vi.advanceTimersByTime(60_000)
  expect(lines.slice(1)).toEqual(['rpc:a:1: it answers again'])
})

test('counts the seconds in place on a terminal', () => {
  const there = reporterOn(true)
  there.failed(REFUSED)
  vi.advanceTimersByTime(5000)
  expect(inPlace).toEqual([3, 4, 5].map((seconds) => `Cannot reach 127.0.0.1:7, trying again (${seconds} s)`))
  there.answered()
  vi.advanceTimersByTime(5000)
  expect([inPlace.slice(3), lines]).toEqual([[undefined], []])
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
  const outage = ['rpc:a:1: refused; trying again (3 s)', 'rpc:a:1: it answers again']
  expect(lines).toEqual([...outage, ...outage])
})
