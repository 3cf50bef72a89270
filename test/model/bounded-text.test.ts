import fc from 'fast-check'
import { expect, test } from 'vitest'
import { serverLog } from '../../src/cli/logs/server-log.ts'
import { IncidentLog } from '../../src/gateway/observing/logs/incident-log.ts'
import { RecentSlow } from '../../src/gateway/observing/slow/recent-slow.ts'
import { SlowLines } from '../../src/gateway/observing/slow/slow-lines.ts'
import {
  ANSWERED_CHARACTERS_MAX,
  boundedFields,
  boundedText,
  PRINTED_CHARACTERS_MAX,
} from '../../src/model/bounded-text.ts'
import { errorFields } from '../../src/model/error-reason.ts'
import { HBaseError } from '../../src/model/errors.ts'
import { checkNamespaceName, checkSnapshotName, parseTableName } from '../../src/model/table-name.ts'

/** Some around the limit, some far beyond it. */
const anyLength = fc.oneof(fc.nat(2 * PRINTED_CHARACTERS_MAX), fc.constant(1 << 20))
const anyName = fc
  .tuple(fc.constantFrom('n', 'ä', '\u{1f600}'), anyLength)
  .map(([letter, length]) => letter.repeat(length))

/** A line has a few texts. */
const LINE_CHARACTERS_MAX = 16 * PRINTED_CHARACTERS_MAX

test('a text of any length is told in some KB: its begin and its end', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const told = boundedText(name)
      expect(told.length).toBeLessThanOrEqual(PRINTED_CHARACTERS_MAX)
      if (name.length <= PRINTED_CHARACTERS_MAX) expect(told).toBe(name)
      else expect(told).toContain(`(${name.length} characters)`)
    }),
    { numRuns: 50 },
  )
  const long = `begin${'x'.repeat(1 << 20)}end`
  expect(boundedText(long).startsWith('begin')).toBe(true)
  expect(boundedText(long).endsWith('end')).toBe(true)
})

test('fields without a long text are the same object', () => {
  const fields = { a: 'short', b: { c: 1 }, d: [1], e: undefined }
  expect(boundedFields(fields)).toBe(fields)
  const long = { ...fields, b: { c: 'x'.repeat(1 << 20) } }
  expect(boundedFields(long).b.c).toBe(boundedText(long.b.c))
})

test('no error keeps a text of any length', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const error = new HBaseError('IO', `no ${name}`, { detail: { name }, cause: new Error(name) })
      const told = errorFields(error)
      expect(error.message.length).toBeLessThanOrEqual(ANSWERED_CHARACTERS_MAX)
      for (const text of [error.detail?.['name'], told.reason])
        expect(String(text).length).toBeLessThanOrEqual(PRINTED_CHARACTERS_MAX)
    }),
    { numRuns: 30 },
  )
})

test('no line of the logs has a text of any length', async () => {
  const lines: string[] = []
  const logger = serverLog('debug', { write: (line) => void lines.push(line) })
  const incidents = new IncidentLog(logger, { now: () => 0 })
  const recent = new RecentSlow(0)
  const slow = new SlowLines(0, logger, () => 0, recent)
  await fc.assert(
    fc.asyncProperty(anyName, async (name) => {
      logger.warn({ table: name, err: new Error(name), nested: { user: name } }, name)
      incidents.report({ key: name, level: 'warn', message: name, fields: { path: name }, over: name })
      const operation = { operation: 'get', table: name, client: name, user: name }
      await slow.timed(
        operation,
        async () => undefined,
        () => ({}),
      )
    }),
    { numRuns: 20 },
  )
  incidents.look()
  incidents.close()
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(line.length).toBeLessThan(LINE_CHARACTERS_MAX)
  for (const { table, user } of recent.list())
    for (const text of [table, user]) expect(text!.length).toBeLessThanOrEqual(PRINTED_CHARACTERS_MAX)
})

test.each([parseTableName, checkNamespaceName, checkSnapshotName])(
  'no name is longer than a row: %o',
  (check) => {
    expect(() => check('n'.repeat(32_767))).not.toThrow()
    expect(() => check('n'.repeat(32_768))).toThrow(/has 32768 bytes: no name can have more than 32767/)
    // A letter of other languages has two or three bytes.
    expect(() => check('ä'.repeat(16_384))).toThrow(/has 32768 bytes/)
    expect(() => check('n'.repeat(10_000_000))).toThrow(/has 10000000 bytes/)
  },
)
