import { expect, test } from 'vitest'
import { OWN_CALL } from '../../src/store/call.ts'
import { CatalogEventLog } from '../../src/store/catalog-events.ts'
import { failure } from './suite/store-under-test.ts'

const NOW = 1_700_000_000_000
/** Before the first event of a log that was made then. */
const FIRST = NOW * 1000

function logOf(events: number): CatalogEventLog {
  const log = new CatalogEventLog(() => NOW)
  for (let i = 0; i < events; i++) log.add({ kind: 'namespace', namespace: `n${i}` })
  return log
}

test('the last 1,024 events are remembered', async () => {
  const log = logOf(1024)
  const all = await log.watch(0, OWN_CALL)
  expect([all.position, all.events.length, all.isIncomplete]).toEqual([FIRST + 1024, 1024, false])
  log.add({ kind: 'namespace', namespace: 'last' })
  const most = await log.watch(0, OWN_CALL)
  expect([most.position, most.events.length, most.isIncomplete]).toEqual([FIRST + 1025, 1024, true])
  const rest = await log.watch(FIRST + 1023, OWN_CALL)
  expect(rest.events).toEqual([
    { kind: 'namespace', namespace: 'n1023' },
    { kind: 'namespace', namespace: 'last' },
  ])
  expect(rest.isIncomplete).toBe(false)
})

test('a position from before a restart is known, be it earlier or later', async () => {
  for (const position of [FIRST - 1, FIRST + 99]) {
    const told = await logOf(3).watch(position, OWN_CALL)
    expect([told.position, told.isIncomplete]).toEqual([FIRST + 3, true])
  }
})

test('who waits is woken by the next event, or by the deadline', async () => {
  const log = logOf(1)
  const waiting = log.watch(FIRST + 1, OWN_CALL)
  log.add({ kind: 'namespace', namespace: 'next' })
  expect((await waiting).events).toEqual([{ kind: 'namespace', namespace: 'next' }])
  const none = { position: FIRST + 2, events: [], isIncomplete: false }
  expect(await log.watch(FIRST + 2, { ...OWN_CALL, deadline: NOW })).toEqual(none)
  expect(await log.watch(FIRST + 2, { ...OWN_CALL, deadline: NOW + 1 })).toEqual(none)
})

test('who waits is told that the store closes, or has gone itself', async () => {
  const log = logOf(0)
  const controller = new AbortController()
  const gone = failure(log.watch(0, { ...OWN_CALL, signal: controller.signal }))
  const closed = failure(log.watch(0, OWN_CALL))
  controller.abort()
  expect(await gone).toMatch(/^CALLER_GONE/)
  log.close()
  expect(await closed).toMatch(/^UNAVAILABLE/)
  expect(await failure(log.watch(0, OWN_CALL))).toMatch(/^UNAVAILABLE/)
})
