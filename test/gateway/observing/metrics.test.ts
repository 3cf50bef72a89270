import { beforeEach, expect, test } from 'vitest'
import { DoorCounters, doorMetrics, type RequestCounts } from '../../../src/gateway/observing/metrics.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { valuesOf } from './metric-values.ts'

let counters: DoorCounters
let counts: RequestCounts
beforeEach(() => {
  counters = new DoorCounters()
  counts = counters.request('row', 'GET')
})

function values(): Record<string, number> {
  return valuesOf(doorMetrics(new Map([['rest', { counters }]])))
}

test('a kind of requests is counted in one place, and shown once there was a request', () => {
  expect(counters.request('row', 'GET')).toBe(counts)
  expect([...counters.requestSamples('rest')]).toEqual([])
  counts.ok++
  counters.request('row', 'PUT').refused += 2
  const row = { door: 'rest', service: 'row' }
  expect([...counters.requestSamples('rest')]).toEqual([
    { labels: { ...row, method: 'GET', outcome: 'ok' }, value: 1 },
    { labels: { ...row, method: 'GET', outcome: 'refused' }, value: 0 },
    { labels: { ...row, method: 'GET', outcome: 'failed' }, value: 0 },
    { labels: { ...row, method: 'PUT', outcome: 'ok' }, value: 0 },
    { labels: { ...row, method: 'PUT', outcome: 'refused' }, value: 2 },
    { labels: { ...row, method: 'PUT', outcome: 'failed' }, value: 0 },
  ])
})

test('an error is counted by its code and its fault, also as a cause of another error', () => {
  const absent = new HBaseError('TABLE_NOT_FOUND', 't')
  counters.threw(counts, absent)
  counters.threw(counts, new Error('batch', { cause: new Error('exception', { cause: absent }) }))
  counters.threw(counts, new HBaseError('TIMEOUT', 'late', { cause: absent }))
  counters.threw(counts, new TypeError('a bug'))
  counters.threw(counts, 'not even an error')
  counters.malformed(counts)
  counters.malformed()
  expect(values()).toEqual({
    'tidegate_requests_total{rest,row,GET,refused}': 3,
    'tidegate_requests_total{rest,row,GET,failed}': 3,
    'tidegate_errors_total{rest,TABLE_NOT_FOUND}': 2,
    'tidegate_errors_total{rest,TIMEOUT}': 1,
    'tidegate_errors_total{rest,INTERNAL}': 2,
    'tidegate_errors_total{rest,PROTOCOL}': 2,
  })
})

test('times of requests are shown by door and method', () => {
  counts.latencies.add(2)
  counters.request('row', 'PUT').latencies.add(3)
  counts.latencies.add(4)
  const samples = [...counters.latencySamples('rest')].filter(({ part }) => part !== 'bucket')
  const row = { door: 'rest', service: 'row' }
  expect(samples).toEqual([
    { labels: { ...row, method: 'GET' }, value: 0.006, part: 'sum' },
    { labels: { ...row, method: 'GET' }, value: 2, part: 'count' },
    { labels: { ...row, method: 'PUT' }, value: 0.003, part: 'sum' },
    { labels: { ...row, method: 'PUT' }, value: 1, part: 'count' },
  ])
})

test('an HTTP status is an outcome', () => {
  for (const status of [200, 304, 404, 405, 500, 503, 503]) counts.answered(status)
  expect(counts).toMatchObject({ ok: 2, refused: 2, failed: 3 })
})

test('open connections and scanners are read with the metrics, also of doors that were opened later', () => {
  const doors = new Map([['rest', { counters }]])
  const metrics = doorMetrics(doors)
  let open = 3
  counters.connections = () => open
  counters.scanners('scanner', () => 7)
  const young = new DoorCounters()
  young.connections = () => 1
  doors.set('thrift', { counters: young })
  open = 5
  expect(valuesOf(metrics)).toEqual({
    'tidegate_connections{rest}': 5,
    'tidegate_connections{thrift}': 1,
    'tidegate_open_scanners{rest,scanner}': 7,
  })
})
