import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { IncidentLog } from '../../../../src/gateway/observing/logs/incident-log.ts'

let now: number
let lines: string[]
let log: IncidentLog

beforeEach(() => {
  now = 1_000_000
  lines = []
  const write = (line: string): void => {
    const { level, msg } = JSON.parse(line) as { level: number; msg: string }
    lines.push(`${pino.levels.labels[level]}: ${msg}`)
  }
  log = new IncidentLog(pino({ level: 'info' }, { write }), { now: () => now })
})

function full(times = 1): void {
  for (let i = 0; i < times; i++)
    log.report({ key: 'full', level: 'error', message: 'the disk is full', over: 'the disk is full' })
}

/** Lets `seconds` pass, and the timer come every ten of them. */
function pass(seconds: number, eachTime: () => void = () => undefined): void {
  for (let passed = 0; passed < seconds; passed += 10) {
    now += 5_000
    eachTime()
    now += 5_000
    log.look()
  }
}

test('an incident has a line at once, then counts at intervals, and a line when it is over', () => {
  full(10_000)
  expect(lines).toEqual(['error: the disk is full'])
  now += 5_000
  full()
  now += 5_000
  log.look()
  expect(lines.slice(1)).toEqual(['error: 10000 more times in 10 s: the disk is full'])
  pass(120, () => full(10_000))
  expect(lines.slice(2)).toEqual([
    'error: 60000 more times in 60 s: the disk is full',
    'error: 60000 more times in 60 s: the disk is full',
  ])
  pass(10)
  expect(lines.slice(4)).toEqual(['info: over: the disk is full; 130001 in all, in 125 s, and none for 10 s'])
  pass(60)
  full()
  expect(lines.slice(5)).toEqual(['error: the disk is full'])
})

test('an incident whose end cannot be known has no such line', () => {
  log.report({ key: 'a', level: 'warn', message: 'a file was set aside' })
  log.report({ key: 'a', level: 'warn', message: 'a file was set aside' })
  pass(20)
  expect(lines).toEqual(['warn: a file was set aside', 'warn: 1 more times in 10 s: a file was set aside'])
})

test('incidents do not hide each other, and are a hundred at most', () => {
  for (let i = 0; i < 1000; i++) log.report({ key: `k${i % 500}`, level: 'warn', message: `m${i % 500}` })
  expect(lines).toHaveLength(101)
  expect(lines[1]).toBe('warn: m1')
  expect(lines[100]).toContain('more than 100 kinds of failures')
})

test('the end of a server tells what has no line yet', () => {
  full(3)
  log.close()
  expect(lines.slice(1)).toEqual(['error: 2 more times in 0 s: the disk is full'])
})
