/** A client that hangs up: the store stops its work for it. */

import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openNativeStore } from '../../../adapters/native/open-native-store.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../../src/store/call.ts'
import { CrashableFileSystem } from '../../harness/simulation/crashable-file-system.ts'
import { type RestServer, rowJson, startRestServer } from './rest-server.ts'

const TABLE = parseTableName('t')
/** Many times the cells that a scan reads before other work has its turn. */
const HIDDEN_ROWS = 10_000
const SLICE_CELLS = 100
const JSON_WANTED = { Accept: 'application/json' }

let server: RestServer
let agent: Agent

beforeEach(async () => {
  const store = await openNativeStore({
    directory: '/store',
    fileSystem: new CrashableFileSystem(),
    clock: { now: Date.now },
    random: Math.random,
    options: { scanSliceCells: SLICE_CELLS },
  })
  server = await startRestServer({}, {}, store)
  agent = new Agent({ keepAlive: true, maxSockets: 1 })
})

afterEach(async () => {
  agent.destroy()
  await server.close()
})

/** Resets the client's connections: a client that only ends its side may still wait for the answer. */
function hangUp(): void {
  const { sockets, freeSockets } = agent
  for (const socket of Object.values({ ...freeSockets, ...sockets }).flat()) socket?.resetAndDestroy()
}

/** Resolves once the connection has closed, answered or not. */
async function asked(path: string, by = agent): Promise<void> {
  const sent = get({ host: '127.0.0.1', port: server.port, path, headers: JSON_WANTED, agent: by })
  sent.on('response', (answer) => answer.resume())
  sent.on('error', () => undefined)
  await new Promise((resolve) => sent.on('close', resolve))
}

function errors(): Record<string, number> {
  const samples = [...server.counters.errorSamples('rest')].filter(({ value }) => value > 0)
  return Object.fromEntries(samples.map(({ labels, value }) => [labels!['code'], value]))
}

/** Resolves to the error that rejected the promise. */
async function failureOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    () => 'no failure',
    (error: unknown) => error,
  )
}

test('all requests of a connection share a call, which ends with the connection', async () => {
  const calls: Call[] = []
  const { rows } = server.store
  const reading = rows.get.bind(rows)
  vi.spyOn(rows, 'get').mockImplementation((target, gets, limits, call) => {
    calls.push(call)
    return reading(target, gets, limits, call)
  })
  await asked('/t/a')
  await asked('/t/b/f:q')
  const other = new Agent({ keepAlive: true })
  await asked('/t/c', other)
  const [first, second, third] = calls
  expect(second).toBe(first)
  expect(third).not.toBe(first)
  expect([first, third].map((call) => call!.signal!.aborted)).toEqual([false, false])
  hangUp()
  await vi.waitFor(() => expect(first!.signal!.aborted).toBe(true))
  expect(third!.signal!.aborted).toBe(false)
  other.destroy()
})

test('a running get learns that its client has hung up', async () => {
  const stopped: string[] = []
  vi.spyOn(server.store.rows, 'get').mockImplementation(async (_, __, ___, { signal }) => {
    hangUp()
    await once(signal!, 'abort')
    stopped.push('get')
    throw new HBaseError('CALLER_GONE', 'the client has hung up')
  })
  await asked('/t/a')
  await vi.waitFor(() => expect(errors()).toEqual({ CALLER_GONE: 1 }))
  expect(stopped).toEqual(['get'])
  expect(server.logged).toEqual([])
})

test.each([
  ['one answer', '/t/*'],
  ['a range of rows', '/t/a,z'],
])('a scan of %s over much that is hidden stops, and its scanner is closed', async (_, path) => {
  const hidden = new MutationBatch()
  for (let i = 0; i < HIDDEN_ROWS; i++) {
    const row = Buffer.from(`row${String(i).padStart(8, '0')}`)
    hidden.put(row, Buffer.from('f'), Buffer.from('q'), Buffer.from('v'), 1n)
    hidden.deleteRow(row, 2n)
    hidden.endMutation()
  }
  expect(await server.store.rows.mutate(TABLE, hidden, OWN_CALL)).toEqual([])
  const { handouts } = server.store
  const next = handouts.next.bind(handouts)
  const closing = vi.spyOn(handouts, 'closeScanner')
  const batches: Promise<unknown>[] = []
  vi.spyOn(handouts, 'next').mockImplementation((scanner, limits, call) => {
    const batch = next(scanner, limits, call)
    batches.push(failureOf(batch))
    hangUp()
    return batch
  })
  await asked(path)
  await vi.waitFor(() => expect(closing).toHaveBeenCalledTimes(1))
  expect(await Promise.all(batches)).toMatchObject([{ code: 'CALLER_GONE' }])
  await vi.waitFor(() => expect(errors()).toEqual({ CALLER_GONE: 1 }))
})

test('a scan of which a part has gone out stops', async () => {
  const value = 'v'.repeat(1_000_000)
  for (const key of 'abcdefghij') await server.put(`/t/${key}`, rowJson(key, ['f:q', value]))
  const { handouts } = server.store
  const closing = vi.spyOn(handouts, 'closeScanner')
  const reading = vi.spyOn(handouts, 'next')
  const sent = get({ host: '127.0.0.1', port: server.port, path: '/t/*', headers: JSON_WANTED, agent })
  sent.on('error', () => undefined)
  sent.on('response', (answer) => {
    answer.on('error', () => undefined)
    answer.once('data', () => hangUp())
  })
  await vi.waitFor(() => expect(closing).toHaveBeenCalledTimes(1))
  expect(reading.mock.calls.length).toBeLessThan(10)
  await vi.waitFor(() => expect(errors()).toEqual({ CALLER_GONE: 1 }))
  expect(server.logged).toEqual([])
})

test('the drop of a disabled table continues after its client has hung up', async () => {
  const { catalog } = server.store
  const disable = catalog.disableTable.bind(catalog)
  vi.spyOn(catalog, 'disableTable').mockImplementation(async (name, call) => {
    await disable(name, call)
    hangUp()
    await once(call.signal!, 'abort')
  })
  const sent = get({ host: '127.0.0.1', port: server.port, path: '/t/schema', method: 'DELETE', agent })
  sent.on('error', () => undefined)
  await vi.waitFor(async () => expect(await catalog.tableExists(TABLE, OWN_CALL)).toBe(false))
})

test('a client that ends its side after the request gets all of the answer', async () => {
  const value = 'v'.repeat(1_000_000)
  for (const key of ['a', 'b', 'c', 'd', 'e', 'f'])
    await server.put(`/t/${key}`, rowJson(key, ['f:q', value]))
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true })
  const received: Buffer[] = []
  socket.on('data', (chunk: Buffer) => received.push(chunk))
  socket.end('GET /t/* HTTP/1.1\r\nHost: x\r\nAccept: application/json\r\n\r\n')
  await once(socket, 'end')
  const answer = Buffer.concat(received)
  expect(answer.length).toBeGreaterThan(6 * 1_333_333)
  expect(answer.subarray(-5).toString()).toBe('0\r\n\r\n')
})
