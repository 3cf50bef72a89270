import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { FailureLog } from '../../../../src/doors/rest/http/failure-log.ts'
import { type ErrorCode, HBaseError } from '../../../../src/model/errors.ts'

interface Line {
  readonly code: string
  readonly untold?: number
  readonly err: { readonly message: string }
}

let now: number
let lines: Line[]
let log: FailureLog
beforeEach(() => {
  now = 1_000_000
  lines = []
  const logger = pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line) as Line) })
  log = new FailureLog(logger, () => now)
})

function fail(code: ErrorCode, message = 'away'): void {
  log.failed(new HBaseError(code, message), { method: 'GET', path: '/t/*' })
}

function told(): (string | number | undefined)[][] {
  return lines.map(({ code, err, untold }) => [code, err.message, untold])
}

test('an outage has a line at once, and then one in ten seconds that counts the others', () => {
  fail('UNAVAILABLE', 'first')
  for (let i = 0; i < 1000; i++) fail('UNAVAILABLE', 'more')
  expect(told()).toEqual([['UNAVAILABLE', 'first', undefined]])
  now += 9_999
  fail('UNAVAILABLE')
  expect(lines).toHaveLength(1)
  now += 1
  fail('UNAVAILABLE', 'still')
  expect(told().slice(1)).toEqual([['UNAVAILABLE', 'still', 1001]])
  now += 60_000
  fail('UNAVAILABLE', 'again')
  expect(told().slice(2)).toEqual([['UNAVAILABLE', 'again', undefined]])
})

test('codes do not hide each other', () => {
  fail('UNAVAILABLE')
  fail('CORRUPTION')
  fail('UNAVAILABLE')
  expect(told().map(([code]) => code)).toEqual(['UNAVAILABLE', 'CORRUPTION'])
})

test('what is the fault of clients has no line', () => {
  fail('TABLE_NOT_FOUND')
  fail('CALLER_GONE')
  expect(lines).toEqual([])
})
