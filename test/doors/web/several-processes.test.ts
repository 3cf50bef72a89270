import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import type { Health } from '../../../src/doors/web/status/health.ts'
import { ownReports } from '../../../src/doors/web/status/own-reports.ts'
import type { Reports } from '../../../src/doors/web/status/server-facts.ts'
import { startWebDoor } from '../../../src/doors/web/web-door.ts'
import { advertised } from '../../../src/gateway/catalog/advertised.ts'
import type { Door } from '../../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { DoorCounters } from '../../../src/gateway/observing/metrics.ts'
import { ServerLife } from '../../../src/gateway/server-life.ts'
import { type Metric, readMetrics } from '../../../src/model/metric.ts'

const server = { host: 'h', port: 1, startCode: 1 }
const version = '1.2.3'

let door: Door
let life: ServerLife
/** Of the processes that answer. */
let each: Reports[]

/** One process, with so many rows read and an outage or not. */
function processOf(reads: number, outage: number, health: Health = { status: 'ok' }): Reports {
  const metric: Metric = {
    name: 'tidegate_test_outage',
    kind: 'gauge',
    help: 'h',
    together: 'max',
    read: () => [{ value: outage }],
  }
  const store = Object.assign(openMemoryStore({ clock: Date }), {
    metrics: async () => readMetrics([metric]),
  })
  const counters = new DoorCounters()
  const counts = counters.request('row', 'GET')
  counts.ok = reads
  for (let i = 0; i < reads; i++) counts.latencies.add(1)
  const doors = new Map([['rest', { port: 1, counters, close: async () => undefined }]])
  const facts = { doors, life: ServerLife.serving(advertised(store, server)), version }
  return { ...ownReports(facts, new MemoryBudget(1000)), readiness: async () => [health] }
}

beforeEach(async () => {
  life = ServerLife.serving(advertised(openMemoryStore({ clock: Date }), server))
  const context = {
    server,
    limits: DEFAULT_LIMITS,
    memory: new MemoryBudget(),
    logger: pino({ level: 'silent' }),
  }
  const reports: Reports = {
    processes: 2,
    metrics: async () => (await Promise.all(each.map((one) => one.metrics()))).flat(),
    readiness: async () => (await Promise.all(each.map((one) => one.readiness()))).flat(),
  }
  const facts = { doors: new Map(), life, version, reports }
  door = await startWebDoor(context, { host: '127.0.0.1', port: 0 }, facts)
})
afterEach(() => door.close())

function ask(path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${door.port}${path}`)
}

test('metrics are sums over all processes, but for those of the server as one', async () => {
  each = [processOf(3, 0), processOf(4, 1)]
  for (let i = 0; i < 2; i++) {
    const text = await (await ask('/metrics')).text()
    expect(text).toContain('tidegate_requests_total{door="rest",service="row",method="GET",outcome="ok"} 7\n')
    const took = 'door="rest",service="row",method="GET"'
    expect(text).toContain(`tidegate_request_seconds_bucket{${took},le="0.000512"} 0\n`)
    expect(text).toContain(`tidegate_request_seconds_bucket{${took},le="0.001024"} 7\n`)
    expect(text).toContain(`tidegate_request_seconds_bucket{${took},le="+Inf"} 7\n`)
    expect(text).toContain(`tidegate_request_seconds_count{${took}} 7\n`)
    expect(text).toContain('tidegate_memory_max_bytes 2000\n')
    expect(text).toContain('tidegate_test_outage 1\n')
    expect(text).toContain(`tidegate_info{version="${version}",store="memory"} 1\n`)
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  }
})

test.each<[string, Health[], number, Partial<Health>]>([
  ['all serve', [{ status: 'ok' }, { status: 'ok' }], 200, { status: 'ok' }],
  [
    'one has no cluster',
    [{ status: 'ok' }, { status: 'unavailable', reason: 'r' }],
    503,
    { status: 'unavailable', reason: 'r' },
  ],
  ['one stops', [{ status: 'stopping', reason: 'r' }, { status: 'ok' }], 503, { status: 'stopping' }],
  [
    'one is missing',
    [{ status: 'ok' }],
    200,
    { status: 'degraded', troubles: [expect.stringContaining('1 of 2 processes') as string] },
  ],
  ['all are missing', [], 503, { status: 'starting' }],
])('health where %s', async (_, healths, status, expected) => {
  each = healths.map((health) => processOf(0, 0, health))
  const answer = await ask('/health')
  expect(answer.status).toBe(status)
  expect(await answer.json()).toMatchObject(expected)
  expect((await ask('/health/live')).status).toBe(200)
})

test('a process that stops answers for itself', async () => {
  each = [processOf(0, 0)]
  life.stops()
  expect(await (await ask('/health')).json()).toMatchObject({ status: 'stopping' })
})
