import { once } from 'node:events'
import { connect } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { startWebDoor } from '../../../src/doors/web/web-door.ts'
import { advertised } from '../../../src/gateway/catalog/advertised.ts'
import type { Door } from '../../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { ServerLife } from '../../../src/gateway/server-life.ts'
import { gauge, readMetrics } from '../../../src/model/metric.ts'
import type { StoreDamage } from '../../../src/store/store.ts'
import { exchangeBytes } from '../../gateway/connections/exchange-bytes.ts'

let doors: Map<string, Door>
let door: Door
let life: ServerLife
let reason: string | undefined
let damage: StoreDamage[]
let troubles: string[]
let logged: string[]
/** Reads the store's own metric. */
let depth: () => number

const server = { host: 'region.server', port: 16020, startCode: 1 }

beforeEach(async () => {
  reason = undefined
  damage = []
  troubles = []
  logged = []
  depth = () => 42
  const own = [gauge('tidegate_test_depth', 'How deep it is', () => depth())]
  const store = Object.assign(openMemoryStore({ clock: { now: Date.now } }), {
    metrics: async () => readMetrics(own),
    outage: async () => reason,
    damage: async () => damage,
    troubles: async () => troubles,
  })
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) },
  )
  doors = new Map()
  const limits = { ...DEFAULT_LIMITS, headerBytesMax: 4096 }
  const address = { host: '127.0.0.1', port: 0 }
  life = ServerLife.serving(advertised(store, server))
  const context = { server, limits, memory: new MemoryBudget(), logger }
  door = await startWebDoor(context, address, { doors, life, version: '1.2.3' })
  doors.set('web', door)
})

afterEach(() => door.close())

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`http://127.0.0.1:${door.port}${path}`, init)
}

test('the status page says what runs where', async () => {
  const page = await ask('/')
  const text = await page.text()
  expect(page.status).toBe(200)
  expect(page.headers.get('content-type')).toBe('text/html; charset=UTF-8')
  expect(text).toContain('<h1>Tidegate 1.2.3</h1>')
  expect(text).toContain('Store: memory. Serving.')
  expect(text).toContain(`<tr><th>web</th><td>${door.port}</td></tr>`)
  reason = '<script>'
  expect(await (await ask('/')).text()).toContain('&lt;script&gt;')
})

test('health follows the store', async () => {
  const well = await ask('/health')
  expect(well.status).toBe(200)
  expect(await well.json()).toEqual({ status: 'ok', store: 'memory', version: '1.2.3', uptimeSeconds: 0 })
  reason = 'the cluster does not answer'
  const ill = await ask('/health')
  expect(ill.status).toBe(503)
  expect(await ill.json()).toMatchObject({ status: 'unavailable', reason })
  reason = undefined
  expect((await ask('/health')).status).toBe(200)
})

test('health tells damaged files, and does not send clients away', async () => {
  damage = Array.from({ length: 30 }, (_, file) => ({ table: 't', path: `/s/${file}`, reason: 'corrupt' }))
  const answer = await ask('/health')
  expect(answer.status).toBe(200)
  const health = (await answer.json()) as { damage: StoreDamage[] }
  expect(health).toMatchObject({ status: 'degraded', store: 'memory', damagedFiles: 30 })
  expect(health.damage).toEqual(damage.slice(0, 20))
  expect(await (await ask('/')).text()).toContain('Serving, but 30 files cannot be read')
  reason = 'the cluster does not answer'
  expect((await ask('/health')).status).toBe(503)
})

test('metrics are what Prometheus reads: of the process, the doors and the store', async () => {
  await ask('/health')
  const first = await ask('/metrics')
  expect(first.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const text = await first.text()
  expect(text).toContain('\n# HELP tidegate_test_depth How deep it is\n# TYPE tidegate_test_depth gauge\n')
  expect(text).toContain('\ntidegate_test_depth 42\n')
  expect(text).toContain('\ntidegate_info{version="1.2.3",store="memory"} 1\n')
  expect(text).toContain('\n# TYPE tidegate_requests_total counter\n')
  expect(text).toContain('{door="web",service="health",method="GET",outcome="ok"} 1\n')
  expect(text).toContain('{door="web",code="INTERNAL"} 0\n')
  expect(text).toMatch(/^process_resident_memory_bytes \d+$/m)
  depth = () => 7
  const second = await (await ask('/metrics')).text()
  expect(second).toContain('\ntidegate_test_depth 7\n')
  expect(second).toContain('{door="web",service="metrics",method="GET",outcome="ok"} 1\n')
})

test('every figure of a scrape is a number, of the first one and of two at once', async () => {
  for (let scrape = 0; scrape < 3; scrape++) {
    const text = await (await ask('/metrics')).text()
    expect(text).toContain('nodejs_eventloop_lag_seconds ')
    const figures = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    const odd = figures.filter((line) => {
      const value = Number(line.slice(line.lastIndexOf(' ') + 1).replace('+Inf', 'Infinity'))
      return Number.isNaN(value) || (line.startsWith('nodejs_eventloop') && value > 1000)
    })
    expect(odd).toEqual([])
  }
})

test('the time of the processor counts from the begin of the process', async () => {
  const { user, system } = process.cpuUsage()
  const text = await (await ask('/metrics')).text()
  const stated = (kind: string): number =>
    Number(new RegExp(`^process_cpu_${kind}seconds_total (.*)$`, 'm').exec(text)![1])
  expect(Math.round(stated('user_') * 1e6)).toBeGreaterThanOrEqual(user)
  expect(Math.round(stated('system_') * 1e6)).toBeGreaterThanOrEqual(system)
  expect(Math.round(stated('') * 1e6)).toBeGreaterThanOrEqual(user + system)
})

test.each(['/', '/health', '/metrics'])('HEAD of %s has the head of GET and no body', async (path) => {
  const [got, head] = [await ask(path), await ask(path, { method: 'HEAD' })]
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect(head.headers.get('content-type')).toBe(got.headers.get('content-type'))
  await got.text()
})

test('unknown paths are 404, and methods that are not allowed are 405', async () => {
  for (const path of ['/nowhere', '/metrics/', '/health/x', '/%zz', '/..%2f']) {
    expect((await ask(path)).status, path).toBe(404)
  }
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const answer = await ask('/metrics', { method, ...(method === 'POST' && { body: 'x'.repeat(1 << 20) }) })
    expect([answer.status, answer.headers.get('allow')], method).toEqual([405, 'GET, HEAD'])
  }
  expect((await ask('/nowhere', { method: 'POST' })).status).toBe(404)
  const counted = [...door.counters.requestSamples('web')].filter(({ value }) => value > 0)
  expect(counted).toEqual([
    { labels: { door: 'web', service: 'other', method: 'other', outcome: 'refused' }, value: 11 },
  ])
})

test('a bug behind a page is answered, logged and counted', async () => {
  depth = () => {
    throw new TypeError('a bug')
  }
  const answer = await ask('/metrics')
  expect([answer.status, await answer.text()]).toEqual([500, 'Server error\n'])
  expect(logged).toEqual([expect.stringMatching(/^web: a bug in Tidegate: .*report it/)])
  expect([...door.counters.errorSamples('web')].find(({ value }) => value > 0)).toEqual({
    labels: { door: 'web', code: 'INTERNAL' },
    value: 1,
  })
  depth = () => 1
  expect((await ask('/metrics')).status).toBe(200)
})

test.each([
  ['no HTTP', 'hello\r\n\r\n', /^HTTP\/1\.1 400 /],
  [
    'a header that is too long',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(8000)}\r\n\r\n`,
    /^HTTP\/1\.1 431 /,
  ],
  ['no host', 'GET / HTTP/1.1\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['a host that is none', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', /^HTTP\/1\.1 400 /],
  ['half a request', 'GET / HT', /^HTTP\/1\.1 400 /],
])('%s ends its connection and nothing else', async (_, bytes, answer) => {
  expect(await exchangeBytes(door.port, bytes)).toMatch(answer)
  expect((await ask('/health')).status).toBe(200)
})

test('the door closes while a connection is kept open', async () => {
  const socket = connect(door.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /health HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(socket, 'data')
  expect(door.counters.connections()).toBe(1)
  const ended = once(socket, 'close')
  await door.close()
  await ended
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(door.counters.connections()).toBe(0)
  await expect(ask('/health')).rejects.toThrow('fetch failed')
  door = { ...door, close: async () => undefined }
})

async function probe(path: string): Promise<[number, unknown]> {
  const answer = await ask(path)
  return [answer.status, ((await answer.json()) as { status: unknown }).status]
}

async function probes(): Promise<unknown> {
  return [await probe('/health/live'), await probe('/health/ready')]
}

test('life and readiness are apart: at the start, while it serves, in an outage and at the end', async () => {
  expect(await probes()).toEqual([
    [200, 'live'],
    [200, 'ok'],
  ])
  reason = 'the disk is full'
  expect(await probes()).toEqual([
    [200, 'live'],
    [503, 'unavailable'],
  ])
  reason = undefined
  damage = [{ table: 't', path: '/f', reason: 'no' }]
  expect(await probes()).toEqual([
    [200, 'live'],
    [200, 'degraded'],
  ])
  life.stops()
  expect(await probes()).toEqual([
    [200, 'live'],
    [503, 'stopping'],
  ])
})

test('a store that fails to do something, and serves, is degraded', async () => {
  troubles = ['region t,,1 cannot be flushed (the disk is full)']
  const health = await ask('/health/ready')
  expect([health.status, await health.json()]).toMatchObject([200, { status: 'degraded', troubles }])
  expect(await (await ask('/')).text()).toContain(
    'Serving, but region t,,1 cannot be flushed (the disk is full): see health',
  )
})

test('a server whose store is being opened lives, and is not ready', async () => {
  const early = await startWebDoor(
    { server, limits: DEFAULT_LIMITS, memory: new MemoryBudget(), logger: pino({ level: 'silent' }) },
    { host: '127.0.0.1', port: 0 },
    { doors, life: new ServerLife(), version: '1.2.3' },
  )
  try {
    const statuses = async (...paths: string[]): Promise<number[]> => {
      const answers = await Promise.all(paths.map((path) => fetch(`http://127.0.0.1:${early.port}${path}`)))
      return answers.map(({ status }) => status)
    }
    expect(await statuses('/health/live')).toEqual([200])
    expect(await statuses('/health/ready', '/health', '/', '/metrics')).toEqual([503, 503, 503, 200])
  } finally {
    await early.close()
  }
})
