/** Clients of the change feed that mean no good, and slow ones. */

import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MemoryBudget } from '../../../../src/gateway/limits/memory-budget.ts'
import { HBaseError } from '../../../../src/model/errors.ts'
import type { Changes } from '../../../../src/store/changes.ts'
import { ChangeTokens, placeBehind } from '../../../../src/wire/changes/change-token.ts'
import { StoreUnderTest } from '../../../adapters/native/store-under-test.ts'
import { type RestServer, startRestServer } from '../rest-server.ts'
import { FeedReader } from './feed-reader.ts'

const VALUE = 'v'.repeat(100_000)
const ROWS = 160
const LIMIT = 8

let session: StoreUnderTest
let server: RestServer
let memory: MemoryBudget
/** Bytes of cells that the door has read. */
let read: number
/** Replaces the error of a read. */
let failure: HBaseError | undefined

beforeEach(async () => {
  session = await StoreUnderTest.open({}, undefined, Math.random)
  memory = new MemoryBudget(64 * 1024 * 1024)
  read = 0
  failure = undefined
  const { changes } = session.store.upkeep
  const counted: Changes = Object.assign(Object.create(changes!) as Changes, {
    lastChange: (call) => changes!.lastChange(call),
    firstPosition: (call) => changes!.firstPosition(call),
    readChanges: async (position, wanted, call) => {
      if (failure !== undefined) throw failure
      const part = await changes!.readChanges(position, wanted, call)
      for (const { cells } of part.changes) read += cells.byteLength
      return part
    },
  } satisfies Partial<Changes>)
  const upkeep = { ...session.store.upkeep, changes: counted }
  server = await startRestServer({ changeFeedsMax: LIMIT }, { upkeep }, session.store, {}, memory)
})

afterEach(() => server.close())

/** Resolves once the number has stood for many turns of the event loop. */
async function untilItStands(number: () => number): Promise<number> {
  for (let turns = 0, last = number(); turns < 2000; turns++) {
    await nextTurn()
    if (number() !== last) turns = 0
    last = number()
  }
  return number()
}

test('a client that does not read is waited for, and holds little memory', { timeout: 60_000 }, async () => {
  const feed = await FeedReader.open(server.port, '/t/*?changes=')
  await feed.line()
  feed.pause()
  for (let row = 0; row < ROWS; row++) await session.put([String(row)], { value: VALUE })
  const taken = await untilItStands(() => read)
  // The system's buffers of both sockets have some of it.
  expect(taken).toBeGreaterThan(0)
  expect(taken).toBeLessThan((ROWS * VALUE.length) / 2)
  expect(memory.granted).toBeLessThan(2 * 1024 * 1024)
  feed.resume()
  const lines = await feed.changes(ROWS)
  expect(lines.map(({ key }) => key)).toEqual(Array.from({ length: ROWS }, (_, row) => String(row)))
  feed.close()
  await expect.poll(() => [server.counters.feeds?.size, memory.granted]).toEqual([0, 0])
})

test('more feeds than the limit are refused, until one is closed', async () => {
  const feeds: FeedReader[] = []
  while (feeds.length < LIMIT) feeds.push(await FeedReader.open(server.port, '/t/*?changes='))
  expect(feeds.map(({ status }) => status)).toEqual(feeds.map(() => 200))
  const refused = await FeedReader.open(server.port, '/t/*?changes=')
  expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1'])
  expect(server.counters.feeds?.size).toBe(LIMIT)
  feeds[1]!.close()
  await expect.poll(() => server.counters.feeds?.size).toBe(LIMIT - 1)
  feeds[1] = await FeedReader.open(server.port, '/t/*?changes=')
  expect(feeds[1].status).toBe(200)
  for (const feed of [...feeds, refused]) feed.close()
})

test('clients that hang up leave nothing', async () => {
  for (let round = 0; round < 200; round++) {
    const feed = await FeedReader.open(server.port, '/t/*?changes=')
    expect(feed.status).toBe(200)
    if (round % 2 === 0) await feed.line()
    if (round % 3 === 0) await session.put([`r${round}`])
    feed.close()
    if (round % 20 === 0) await expect.poll(() => server.counters.feeds?.size).toBe(0)
  }
  await expect.poll(() => [server.counters.feeds?.size, memory.granted]).toEqual([0, 0])
})

test('a thousand damaged tokens are refused, and none does harm', { timeout: 60_000 }, async () => {
  const good = Buffer.from(new ChangeTokens(await session.store.clusterId()).text(placeBehind(7)))
  let seed = 12345
  const random = (below: number): number => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % below
  for (let round = 0; round < 1000; round++) {
    const bytes = round % 2 === 0 ? Buffer.from(good) : Buffer.alloc(random(60) + 1)
    for (let i = 0; i < (round % 2 === 0 ? 1 : bytes.length); i++) bytes[random(bytes.length)] = random(256)
    if (bytes.equals(good)) continue
    const token = encodeURIComponent(bytes.toString('latin1'))
    const reply = await server.get(`/t/*?changes=${token}`, '*/*')
    expect([token, reply.status]).toEqual([token, 400])
  }
  expect(server.logged.filter((line) => line.startsWith('error'))).toEqual([])
})

test.each([
  [new HBaseError('ACCESS_DENIED', 'Insufficient permissions'), 'ACCESS_DENIED'],
  [new HBaseError('CORRUPTION', 'a bad record'), 'CORRUPTION'],
])('%s ends a feed with a line, from which it may go on later', async (error, code) => {
  const feed = await FeedReader.open(server.port, '/t/*?changes=&heartbeat=0.1')
  await session.put(['a'])
  const change = await feed.change()
  failure = error
  expect(await feed.change()).toMatchObject({ error: { code }, token: change?.token })
  expect(await feed.line()).toBeUndefined()
  failure = undefined
  await session.put(['b'])
  const again = await FeedReader.open(server.port, `/t/*?changes=${change?.token}`)
  expect((await again.change())?.key).toBe('b')
  again.close()
})
