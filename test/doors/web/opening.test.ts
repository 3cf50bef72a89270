/** The web door's answers while a store is being opened, which may last: its log is replayed. */

import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { startWebDoor } from '../../../src/doors/web/web-door.ts'
import { advertised } from '../../../src/gateway/catalog/advertised.ts'
import type { Door } from '../../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { ServerLife } from '../../../src/gateway/server-life.ts'
import { packageRoot } from '../../../src/package-root.ts'
import type { OpeningProgress } from '../../../src/store/opening-progress.ts'

let door: Door
let life: ServerLife
let progress: OpeningProgress | undefined

const server = { host: 'region.server', port: 16020, startCode: 1 }

beforeEach(async () => {
  life = new ServerLife()
  progress = undefined
  const logger = pino({ level: 'silent' })
  const context = { server, limits: DEFAULT_LIMITS, memory: new MemoryBudget(), logger }
  const console = { folder: new URL('console/', packageRoot()), writes: true, deciding: undefined }
  const facts = { doors: new Map(), life, version: '1.2.3', console }
  door = await startWebDoor(context, { host: '127.0.0.1', port: 0 }, facts)
})

afterEach(() => door.close())

async function ask(path: string): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { 'X-Tidegate-Console': '1' }
  const answer = await fetch(`http://127.0.0.1:${door.port}${path}`, { headers })
  return { status: answer.status, text: await answer.text() }
}

test('a server is live and not ready from the beginning of its start', async () => {
  expect((await ask('/health/live')).status).toBe(200)
  const { status, text } = await ask('/health/ready')
  expect(status).toBe(503)
  expect(JSON.parse(text)).toMatchObject({ status: 'starting', reason: 'the store is being opened' })
})

test('pages and probes say how far the replay of the log has come', async () => {
  life.opens(() => progress)
  progress = {
    work: 'replaying the write-ahead log',
    bytes: 300_000_000,
    bytesTotal: 744_000_000,
    seconds: 5,
  }
  const reason =
    'the store is being opened: replaying the write-ahead log: 40 %, 300 of 744 MB, 60 MB/s, 8 s left'
  expect((await ask('/health/live')).status).toBe(200)
  for (const path of ['/health', '/health/ready']) {
    const { status, text } = await ask(path)
    expect(status).toBe(503)
    expect(JSON.parse(text)).toMatchObject({
      status: 'starting',
      reason,
      progress: {
        percent: 40,
        bytes: 300_000_000,
        bytesTotal: 744_000_000,
        bytesPerSecond: 60_000_000,
        secondsLeft: 8,
      },
    })
  }
  const page = await ask('/')
  expect(page.status).toBe(503)
  expect(page.text).toContain(`Starting: ${reason}.`)
  expect(page.text).toContain('<progress max="100" value="40">')
  const metrics = await ask('/metrics')
  expect(metrics.status).toBe(200)
  expect(metrics.text).toMatch(/^tidegate_serving 0$/m)
  expect(metrics.text).toMatch(/^tidegate_opening_bytes 744000000$/m)
  expect(metrics.text).toMatch(/^tidegate_opening_done_bytes 300000000$/m)
  expect(metrics.text).toContain('tidegate_info{version="1.2.3"} 1')
  const console = await ask('/console/api/overview')
  expect(console.status).toBe(503)
  expect(JSON.parse(console.text)).toMatchObject({
    error: reason,
    code: 'STARTING',
    progress: { percent: 40 },
  })
  expect((await ask('/console/')).status).toBe(200)
})

test('a store that is open ends the start, however far its last progress was', async () => {
  life.opens(() => progress)
  progress = { work: 'replaying the write-ahead log', bytes: 1, bytesTotal: 2, seconds: 0 }
  life.serves(advertised(openMemoryStore({ clock: { now: Date.now } }), server))
  expect(JSON.parse((await ask('/health/ready')).text)).not.toHaveProperty('progress')
  expect(life.opening).toBeUndefined()
})
