import { rmSync } from 'node:fs'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { startRestDoor } from '../../../src/doors/rest/rest-door.ts'
import { advertised } from '../../../src/gateway/catalog/advertised.ts'
import type { Door } from '../../../src/gateway/door.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { Siblings } from '../../../src/gateway/siblings/siblings.ts'
import { makeTemporaryFolder } from '../../harness/tidegate-process.ts'

/** Two doors of one store, as processes have them that serve together. */
let folder: string
let holder: Door
let other: Door

beforeEach(async () => {
  folder = makeTemporaryFolder()
  const server = { host: 'h', port: 1, startCode: 1 }
  const store = advertised(openMemoryStore({ clock: Date }), server)
  const logger = pino({ level: 'silent' })
  const context = { store, server, limits: DEFAULT_LIMITS, memory: new MemoryBudget(), logger }
  const doorOf = (slot: number): Promise<Door> => {
    const siblings = new Siblings({ slot, startedAt: 4711, folder })
    const options = { corsOrigins: ['https://example.org'] }
    return startRestDoor({ ...context, siblings }, { host: '127.0.0.1', port: 0 }, options)
  }
  holder = await doorOf(1)
  other = await doorOf(2)
  await ask(holder, 'PUT', '/t/schema', '{"ColumnSchema":[{"name":"f"}]}')
  const rows = ['YQ==', 'Yg==', 'Yw=='].map((key) => ({
    key,
    Cell: [{ column: 'Zjpx', timestamp: 1, $: 'dg==' }],
  }))
  await ask(holder, 'PUT', '/t/x', JSON.stringify({ Row: rows }))
})

afterEach(async () => {
  await other.close()
  await holder.close()
  rmSync(folder, { recursive: true })
})

function ask(
  door: Door,
  method: string,
  path: string,
  body?: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const json = 'application/json'
  return fetch(`http://127.0.0.1:${door.port}${path}`, {
    method,
    headers: { accept: json, 'content-type': json, ...headers },
    ...(body !== undefined && { body }),
  })
}

async function opened(): Promise<string> {
  const answer = await ask(holder, 'PUT', '/t/scanner', '{"batch":1}')
  return new URL(answer.headers.get('location')!).pathname
}

function counted(door: Door): number {
  const samples = [...door.counters.requestSamples('rest')]
  const ofScanner = samples.filter(
    ({ labels }) => labels?.['method'] === 'GET' && labels['service'] === 'scanner',
  )
  return ofScanner.reduce((sum, { value }) => sum + value, 0)
}

function headersOf(response: Response): string[] {
  return [...response.headers.keys()]
    .filter((name) => !['connection', 'keep-alive'].includes(name))
    .toSorted()
}

test('a scanner is read at another door in each form, and the request is counted once', async () => {
  const path = await opened()
  const here = await ask(holder, 'GET', path)
  const there = await ask(other, 'GET', path)
  expect(there.status).toBe(200)
  expect(headersOf(there)).toEqual(headersOf(here))
  expect(await there.json()).toMatchObject({ Row: [{ key: 'Yg==' }] })
  const value = await ask(other, 'GET', path, undefined, { accept: 'application/octet-stream' })
  expect(value.headers.get('x-row')).toBe('Yw==')
  expect(await value.text()).toBe('v')
  expect((await ask(other, 'GET', path)).status).toBe(204)
  expect([counted(holder), counted(other)]).toEqual([4, 0])
})

test('the query goes along, and CORS is the matter of the door that is asked', async () => {
  const path = await opened()
  const origin = 'https://example.org'
  const answer = await ask(other, 'GET', `${path}?c=2`, undefined, { origin })
  expect(((await answer.json()) as { Row: object[] }).Row).toHaveLength(2)
  expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
})

test('errors are those of the door that has the scanner', async () => {
  const path = await opened()
  const problem = { accept: 'application/json, application/problem+json' }
  const text = async (door: Door): Promise<string> =>
    await (await ask(door, 'GET', `${path}?n=x`, undefined, problem)).text()
  expect(await text(other)).toBe(await text(holder))
  expect((await ask(other, 'DELETE', path)).status).toBe(200)
  expect((await ask(holder, 'GET', path)).status).toBe(404)
  expect((await ask(other, 'GET', path)).status).toBe(404)
})

test('the scanners of a process that has gone are not found, and ids of another start neither', async () => {
  const path = await opened()
  expect((await ask(other, 'GET', path.replace('4711s', '4712s'))).status).toBe(404)
  await holder.close()
  expect((await ask(other, 'GET', path)).status).toBe(404)
  expect((await ask(other, 'DELETE', path)).status).toBe(404)
})
