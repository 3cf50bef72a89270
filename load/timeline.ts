/**
 * Entities of ten keys each through the timeline door, and queries among them: `npm run bench:timeline [-- --entities N] [-- --store
 * STORE]`. Prints the rate of the puts, the bytes of the store's folder, and the times of queries.
 */

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { startTidegate } from '../src/library/start-tidegate.ts'

const BATCH = 500
const CLIENTS = 4
const HOURS = 24
const QUERIES = 200

interface Options {
  readonly entities: number
  readonly store?: string
}

function parseCount(text: string): number {
  const count = Number(text)
  if (Number.isSafeInteger(count) && count > 0) return count
  throw new InvalidArgumentError('It must be a whole number.')
}

const begin = Date.now() - HOURS * 3_600_000

/** Ten keys: the entity, its domain, two events, two filters, three of other information, a related one. */
function entity(index: number, count: number): object {
  const starttime = begin + Math.floor((index / count) * HOURS * 3_600_000)
  return {
    entitytype: `TYPE_${index % 5}`,
    entity: `attempt_1700000000000_${String(index).padStart(9, '0')}`,
    starttime,
    events: [
      { timestamp: starttime, eventtype: 'STARTED', eventinfo: { node: `node-${index % 100}` } },
      { timestamp: starttime + 5000, eventtype: 'FINISHED' },
    ],
    primaryfilters: { user: [`user-${index % 50}`], application: [`application_${index % 1000}`] },
    otherinfo: {
      status: index % 7 === 0 ? 'FAILED' : 'SUCCEEDED',
      millis: index * 3,
      counters: { in: index, out: 1 },
    },
    relatedentities: { APPLICATION: [`application_${index % 1000}`] },
  }
}

async function post(url: string, entities: readonly object[]): Promise<void> {
  const response = await fetch(`${url}?user.name=load`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ entities }),
  })
  const text = await response.text()
  if (text !== '{"errors":[]}') throw new Error(text.slice(0, 300))
}

async function put(url: string, count: number): Promise<number> {
  // Entities older than the first period expire at once.
  await post(url, [entity(0, count)])
  const startedAt = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (next < count) {
        const from = next
        next += BATCH
        const length = Math.min(BATCH, count - from)
        const entities = Array.from({ length }, (_, i) => entity(from + i, count))
        await post(url, entities)
      }
    }),
  )
  return performance.now() - startedAt
}

const PATHS: Readonly<Record<string, (index: number) => string>> = {
  'one entity': (index) => `/TYPE_${index % 5}/attempt_1700000000000_${String(index).padStart(9, '0')}`,
  'the newest 100 of a type': (index) => `/TYPE_${index % 5}`,
  '10 of a user': (index) => `/TYPE_${index % 5}?primaryFilter=user:user-${index % 50}&limit=10`,
  '10 failed ones': (index) => `/TYPE_${index % 5}?secondaryFilter=status:FAILED&limit=10`,
  '10 within an hour': (index) => {
    const windowEnd = begin + (index % HOURS) * 3_600_000 + 3_600_000
    return `/TYPE_1?windowStart=${windowEnd - 3_600_000}&windowEnd=${windowEnd}&limit=10&fields=events`
  },
}

async function ask(url: string, count: number): Promise<void> {
  for (const [name, path] of Object.entries(PATHS)) {
    const times: number[] = []
    for (let query = 0; query < QUERIES; query++) {
      const startedAt = performance.now()
      const response = await fetch(url + path((query * 7919) % count))
      await response.arrayBuffer()
      if (response.status !== 200) throw new Error(`${path(query)}: ${response.status}`)
      times.push(performance.now() - startedAt)
    }
    times.sort((a, b) => a - b)
    const at = (part: number): string => `${times[Math.floor((times.length - 1) * part)]!.toFixed(1)} ms`
    process.stdout.write(`${name}: median ${at(0.5)}, 99 % ${at(0.99)}\n`)
  }
}

function bytesIn(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

async function main(): Promise<void> {
  const { entities, store } = new Command('bench:timeline')
    .option('--entities <n>', 'how many', parseCount, 1_000_000)
    .option('--store <store>', 'instead of a new folder')
    .parse()
    .opts<Options>()
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-timeline-load-'))
  const define = ['yarn.timeline-service.ttl-enable=false']
  const server = await startTidegate({
    store: store ?? `native:${folder}`,
    rest: 'off',
    thrift: 'off',
    timeline: 0,
    define,
  })
  try {
    const url = `http://127.0.0.1:${server.ports.timeline}/ws/v1/timeline`
    const ms = await put(url, entities)
    const rate = Math.round((entities / ms) * 1000)
    process.stdout.write(`${entities} entities in ${(ms / 1000).toFixed(1)} s: ${rate} a second\n`)
    if (store === undefined)
      process.stdout.write(`${Math.round(bytesIn(folder) / entities)} bytes an entity\n`)
    await ask(url, entities)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

await main()
