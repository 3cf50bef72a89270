import { expect, test } from 'vitest'
import { LoadHistory, POINT_MS, POINTS } from '../../../src/doors/web/status/load-history.ts'
import { DoorCounters } from '../../../src/gateway/observing/metrics.ts'

function opened() {
  const doors = new Map<string, { counters: DoorCounters }>()
  let time = 0
  const history = new LoadHistory({
    doors,
    memory: { granted: 7 },
    now: () => 1_000_000 + time,
    elapsed: () => time,
  })
  const open = (name: string): DoorCounters => {
    const counters = new DoorCounters()
    doors.set(name, { counters })
    return counters
  }
  const take = (): void => {
    time += POINT_MS
    history.take()
  }
  return { history, open, take }
}

test('a point has the requests of the time since the one before, by door', () => {
  const { history, open, take } = opened()
  const rest = open('rest')
  const row = rest.request('row', 'GET')
  rest.connections = () => 3
  row.ok = 50
  for (let i = 0; i < 50; i++) row.latencies.add(2)
  take()
  row.ok = 60
  row.refused = 5
  row.failed = 10
  for (let i = 0; i < 25; i++) row.latencies.add(40)
  take()
  take()
  const { at, doors, figures } = history.points(0)
  expect(at).toEqual([1_005_000, 1_010_000, 1_015_000])
  expect(doors).toEqual({ rest: [10, 5, 0] })
  expect([figures.refused, figures.failed]).toEqual([
    [0, 1, 0],
    [0, 2, 0],
  ])
  expect(figures.connections).toEqual([3, 3, 3])
  expect(figures.requests).toEqual([7, 7, 7])
  // Of the requests of that time alone; a time without any has no latency.
  expect(figures.p50[0]).toBeLessThan(3)
  expect(figures.p50[1]).toBeGreaterThan(35)
  expect([figures.p50[2], figures.p99[2]]).toEqual([null, null])
  expect(history.points(1_005_000).at).toEqual([1_010_000, 1_015_000])
  expect(history.points(1_015_000)).toMatchObject({ at: [], doors: { rest: [] } })
})

test('a door that opens later has no points before, and the console does not draw itself', () => {
  const { history, open, take } = opened()
  const web = open('web')
  web.request('console', 'GET').ok = 100
  web.request('metrics', 'GET').ok = 5
  take()
  open('rest').request('row', 'GET').ok = 5
  take()
  expect(history.points(0).doors).toEqual({ web: [1, 0], rest: [null, 1] })
})

test('an hour is kept, in rings of a fixed size', () => {
  const { history, open, take } = opened()
  const row = open('rest').request('row', 'GET')
  take()
  const { bytes } = history
  for (let i = 0; i < POINTS + 10; i++) {
    row.ok += i
    take()
  }
  const { at, doors } = history.points(0)
  expect([at.length, doors['rest']!.length]).toEqual([POINTS, POINTS])
  expect(at.at(-1)! - at[0]!).toBe((POINTS - 1) * POINT_MS)
  expect(at).toEqual([...at].sort((a, b) => a - b))
  expect(history.bytes).toBe(bytes)
  // With the seven doors that there are: docs/console.md states it.
  expect(bytes + 6 * POINTS * 4).toBe(51_840)
})
