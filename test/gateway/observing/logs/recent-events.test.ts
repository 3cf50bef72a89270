import { expect, test } from 'vitest'
import { serverLog } from '../../../../src/cli/logs/server-log.ts'
import { EVENTS_MAX, RecentEvents } from '../../../../src/gateway/observing/logs/recent-events.ts'

function open(level = 'info'): {
  log: ReturnType<typeof serverLog>
  events: RecentEvents
  written: string[]
} {
  const events = new RecentEvents()
  const written: string[] = []
  return { log: serverLog(level, { write: (line) => void written.push(line), events }), events, written }
}

test('lines of the log are kept, the latest first, with their short fields', () => {
  const { log, events } = open()
  log.info({ table: 't', files: 3, settings: { rest: '8080' }, isOfAll: true }, 'compacted')
  log.child({ door: 'rest' }).warn({ err: new Error('broken') }, 'failed: broken')
  const [second, first] = events.list()
  expect(first).toMatchObject({ level: 'info', message: 'compacted' })
  expect(first!.fields).toEqual({ table: 't', files: 3, isOfAll: true })
  expect(second).toMatchObject({ level: 'warn', message: 'failed: broken' })
  // Errors have stacks, which the log itself has.
  expect(second!.fields).toEqual({ door: 'rest' })
})

test('a log of warnings alone still keeps what happens, and writes no more than before', () => {
  const { log, events, written } = open('warn')
  log.info('started')
  log.debug('detail')
  log.error('broken')
  expect(events.list().map(({ message }) => message)).toEqual(['broken', 'started'])
  expect(written.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['broken'])
  const silent = open('silent')
  silent.log.fatal('broken')
  expect([silent.written.length, silent.events.list().length]).toEqual([0, 1])
})

test('many lines of one level drop none of the other, and the slow log has a page of its own', () => {
  const { log, events } = open()
  log.warn('the disk is full')
  for (let i = 0; i < EVENTS_MAX; i++) log.info(`line ${i}`)
  log.warn({ storeMs: 12 }, 'slow: get of t')
  const kept = events.list()
  expect(kept).toHaveLength(EVENTS_MAX / 2 + 1)
  expect(kept[0]!.message).toBe(`line ${EVENTS_MAX - 1}`)
  expect(kept.at(-1)).toMatchObject({ level: 'warn', message: 'the disk is full' })
})

test('a long line is cut, and keeps its level', () => {
  const { log, events } = open()
  log.error({ path: 'p'.repeat(6000) }, `broken ${'x'.repeat(6000)}`)
  const [line] = events.list()
  expect(line!.level).toBe('error')
  expect(line!.message).toMatch(/^broken x{1900,} \.\.\.$/)
  expect(JSON.stringify(line).length).toBeLessThan(2500)
})
