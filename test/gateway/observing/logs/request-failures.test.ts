import { pino } from 'pino'
import { beforeEach, expect, test } from 'vitest'
import { RequestFailures } from '../../../../src/gateway/observing/logs/request-failures.ts'
import { ERROR_CODES, ERROR_TRAITS, HBaseError } from '../../../../src/model/errors.ts'

interface Line {
  readonly level: number
  readonly msg: string
  readonly code?: string
  readonly reason?: string
  readonly err?: { readonly stack?: string }
}

let lines: Line[]
let failures: RequestFailures

function atLevel(level: string): RequestFailures {
  lines = []
  const write = (line: string): void => void lines.push(JSON.parse(line) as Line)
  return new RequestFailures('REST', pino({ level }, { write }))
}

beforeEach(() => {
  failures = atLevel('info')
})

const onDisk = new HBaseError('IO', 'the file /s/f cannot be read', {
  cause: Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' }),
  detail: { path: '/s/f', offset: 7n },
})

test('a failure names door, code, cause and what to do, once, without a stack', () => {
  for (let i = 0; i < 1000; i++) failures.failed(onDisk, { method: 'GET', path: '/t/r' })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toMatchObject({
    door: 'REST',
    code: 'IO',
    method: 'GET',
    path: '/t/r',
    detail: { path: '/s/f', offset: '7' },
    reason: 'the file /s/f cannot be read: EIO: i/o error, read',
    msg: 'REST: requests fail with IO: the file /s/f cannot be read: EIO: i/o error, read; see the disk or the server that the reason names',
  })
  expect(JSON.stringify(lines)).not.toMatch(/\bat .*:\d+:\d+/)
})

test.each(ERROR_CODES.filter((code) => ERROR_TRAITS[code].fault === 'server'))(
  '%s has a line that says what to do, and no stack',
  (code) => {
    failures.failed(new HBaseError(code, 'no'), {})
    expect(lines[0]!.msg).toMatch(new RegExp(`^REST: requests fail with ${code}: no; .{20}`))
    expect(JSON.stringify(lines)).not.toContain('stack')
    // The embedded engine has none.
    expect(lines[0]!.msg).not.toContain('cluster')
  },
)

test.each(ERROR_CODES.filter((code) => ERROR_TRAITS[code].fault === 'client'))(
  '%s is an answer, and no line for the operator',
  (code) => {
    failures.failed(new HBaseError(code, 'no'), {})
    expect(lines).toEqual([])
    const talkative = atLevel('debug')
    talkative.failed(new HBaseError(code, 'no'), {})
    expect(lines).toMatchObject([{ code, reason: 'no', msg: 'a request was refused' }])
    expect(JSON.stringify(lines)).not.toContain('stack')
  },
)

test('a bug is logged with its stack, once', () => {
  for (let i = 0; i < 1000; i++) failures.failed(new TypeError('x is not a function'), { method: 'GET' })
  expect(lines.map(({ msg }) => msg)).toEqual([
    'REST: a bug in Tidegate: x is not a function; please report it with its stack',
  ])
  expect(lines[0]!.err!.stack).toContain('request-failures.test')
})

test('strangers that send noise fill no log', () => {
  for (let i = 0; i < 1000; i++) failures.malformed('dialect', `closing: noise ${i}`, {})
  expect(lines.map(({ msg }) => msg)).toEqual(['closing: noise 0'])
})

test('errors of one full disk are one incident, with different codes', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
  failures.failed(new HBaseError('REGION_TOO_BUSY', 'over the limit', { cause: full }), {})
  failures.failed(new HBaseError('UNAVAILABLE', 'no writes', { cause: full }), {})
  failures.failed(new HBaseError('REGION_TOO_BUSY', 'over the limit'), {})
  expect(lines.map(({ msg }) => msg.slice(0, 60))).toEqual([
    'REST: requests fail with REGION_TOO_BUSY: over the limit: EN',
    'REST: requests fail with REGION_TOO_BUSY: over the limit; fl',
  ])
})
