import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { type RestServer, startRestServer } from './rest-server.ts'

let server: RestServer

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await server.close()
})

/** The waits for memory end now as they do after 30 s. */
async function untilWaitsEnd(memory: MemoryBudget): Promise<void> {
  await expect.poll(() => memory.isWaitedFor).toBe(true)
  await vi.advanceTimersByTimeAsync(30_000)
}

async function start(bytesMax: number): Promise<MemoryBudget> {
  const memory = new MemoryBudget(bytesMax)
  server = await startRestServer({}, {}, undefined, {}, memory)
  return memory
}

function row(bytes: number): string {
  const value = Buffer.alloc(bytes, 'v').toString('base64')
  return JSON.stringify({ Row: [{ key: 'cm93', Cell: [{ column: 'Zjpx', $: value }] }] })
}

test('a body that never has memory is refused for good, and others are served', async () => {
  const memory = await start(1_000_000)
  const refused = await server.put('/t/row', row(1_500_000))
  expect(refused.status).toBe(413)
  expect(refused.text).toContain('of 1000000 bytes for all requests')
  expect((await server.put('/t/row', row(100_000))).status).toBe(200)
  expect(memory.granted).toBe(0)
})

test('the answer of a slow reader counts until it has gone', async () => {
  const memory = await start(60_000_000)
  expect((await server.put('/t/row', row(9_900_000))).status).toBe(200)
  const reader = connect(server.port, '127.0.0.1')
  reader.pause()
  reader.write('GET /t/row HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n')
  await expect.poll(() => memory.granted).toBeGreaterThan(5_000_000)
  reader.destroy()
  await expect.poll(() => memory.granted).toBe(0)
})

test('where slow readers have taken everything, the next request waits, and is refused', async () => {
  const memory = await start(6_000_000)
  memory.note(7_000_000)
  const refused = server.get('/t/row')
  await untilWaitsEnd(memory)
  expect((await refused).status).toBe(503)
  const waits = server.get('/t/row')
  await expect.poll(() => memory.isWaitedFor).toBe(true)
  memory.give(7_000_000)
  expect((await waits).status).toBe(404)
})

test('a zipped body counts unzipped', async () => {
  const memory = await start(1_000_000)
  const { gzipSync } = await import('node:zlib')
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' '))
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }
  const answer = await server.ask('PUT', '/t/row', { headers, body: bomb })
  expect(answer.status).toBe(413)
  expect(memory.granted).toBe(0)
})

describe('an answer without memory for it', () => {
  const accepts = ['application/json', 'text/xml', 'application/x-protobuf']

  const paths = ['/t/row/f:q', '/t/multiget?row=row', '/t/*', '/t/row,rox']

  test.each(paths)('waits, and is refused for now: %s', async (path) => {
    const memory = await start(100_000_000)
    expect((await server.put('/t/row', row(5_000_000))).status).toBe(200)
    memory.note(90_000_000)
    for (const accept of accepts) {
      const answer = server.get(path, accept)
      await untilWaitsEnd(memory)
      const refused = await answer
      expect(refused.status).toBe(503)
      expect(refused.headers['retry-after']).toBe('1')
      expect(refused.text).toContain('no memory for')
    }
    expect(memory.granted).toBe(90_000_000)
    const waits = server.get(path)
    await expect.poll(() => memory.isWaitedFor).toBe(true)
    memory.give(90_000_000)
    expect((await waits).status).toBe(200)
    expect(memory.granted).toBe(0)
  })

  test('ends a scan that has begun', async () => {
    const memory = await start(100_000_000)
    expect((await server.put('/t/row', row(100_000))).status).toBe(200)
    const long = row(5_000_000).replace('cm93', 'cm94')
    for (const small of ['cm91', 'cm92']) await server.put('/t/row', row(300_000).replace('cm93', small))
    expect((await server.put('/t/rox', long)).status).toBe(200)
    memory.note(90_000_000)
    const answer = server.get('/t/*').then(({ status }) => status)
    answer.catch(() => undefined)
    await untilWaitsEnd(memory)
    await expect(answer).rejects.toThrow()
    await expect.poll(() => memory.granted).toBe(90_000_000)
  })
})

test('long rows of a slow reader count until it has gone', async () => {
  const memory = await start(200_000_000)
  for (const key of ['cm91', 'cm92', 'cm93']) {
    expect((await server.put('/t/row', row(9_900_000).replace('cm93', key))).status).toBe(200)
  }
  const reader = connect(server.port, '127.0.0.1')
  reader.pause()
  reader.write('GET /t/* HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n')
  await expect.poll(() => memory.granted).toBeGreaterThan(9_900_000)
  reader.destroy()
  await expect.poll(() => memory.granted).toBe(0)
})

describe('many cells of a row with a long key', () => {
  const key = Buffer.alloc(32_767, 'k').toString('base64')

  test.each([
    ['plain', '{"column":"Zjo=","$":""}'],
    ['with the column behind its value', '{"$":"","column":"Zjo="}'],
  ])('%s, are refused where they are too many', async (_, cell) => {
    const memory = await start(1_000_000_000)
    const cells = Array.from({ length: 9000 }, () => cell).join()
    const refused = await server.put('/t/row', `{"Row":[{"key":"${key}","Cell":[${cells}]}]}`)
    expect(refused.status).toBe(413)
    expect(refused.text).toContain('shorter rows')
    expect(memory.granted).toBe(0)
  })

  test('are refused for good where they take more than there is', async () => {
    const memory = await start(2_000_000)
    const cells = Array.from({ length: 100 }, () => '{"column":"Zjo=","$":""}').join()
    const refused = await server.put('/t/row', `{"Row":[{"key":"${key}","Cell":[${cells}]}]}`)
    expect(refused.status).toBe(413)
    expect(refused.text).toContain('the cells of the body')
    expect(memory.granted).toBe(0)
  })
})

test('all waits of a request count together: that to begin, and that for its answer', async () => {
  const memory = await start(6_000_000)
  expect((await server.put('/t/row', row(1_000_000))).status).toBe(200)
  await expect.poll(() => memory.granted).toBe(0)
  memory.note(7_000_000)
  const waits = vi.spyOn(memory, 'awaitRoom')
  const answer = server.get('/t/row')
  await expect.poll(() => waits.mock.calls).toHaveLength(1)
  memory.give(1_500_000)
  await expect.poll(() => waits.mock.calls).toHaveLength(2)
  const [toBegin, forAnswer] = waits.mock.calls.map(([, request]) => request.waits)
  expect(forAnswer).toBeDefined()
  expect(forAnswer).toBe(toBegin)
  memory.give(5_500_000)
  expect((await answer).status).toBe(200)
})
