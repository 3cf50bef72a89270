import { afterEach, expect, test } from 'vitest'
import { REQUEST_BYTES_MAX } from '../../../src/doors/zookeeper/connection.ts'
import { MemoryBudget } from '../../../src/gateway/limits/memory-budget.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { ERROR_CODE, OP_CODE } from '../../../src/wire/zookeeper/codes.ts'
import { encodeFrame, part } from '../../../src/wire/zookeeper/frames.ts'
import { PATH_REQUEST, REQUEST_HEADER } from '../../../src/wire/zookeeper/records.ts'
import { ADD_WATCH_REQUEST, SET_WATCHES } from '../../../src/wire/zookeeper/server-records.ts'
import { RawClient, type ServerOptions, startServer, type ZooKeeperServer } from './zookeeper-server.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

async function start(options: ServerOptions): Promise<ZooKeeperServer> {
  const server = await startServer(options)
  cleanUps.push(() => server.stop())
  return server
}

function clientOf({ door }: ZooKeeperServer): RawClient {
  const client = new RawClient(door.port)
  cleanUps.push(() => client.close())
  return client
}

async function connectedTo(server: ZooKeeperServer): Promise<RawClient> {
  const client = clientOf(server)
  await client.handshake()
  return client
}

const OK = { err: ERROR_CODE.ok }
/** Path of a node that does not exist. It can be watched. */
const MISSING = { err: ERROR_CODE.noNode }

test.each([REQUEST_BYTES_MAX + 1, -1, 0x7fffffff])(
  'a frame of %d bytes ends its connection only',
  async (length) => {
    const server = await start({})
    const [client, other] = [await connectedTo(server), await connectedTo(server)]
    const prefix = Buffer.alloc(4)
    prefix.writeInt32BE(length)
    client.socket.write(prefix)
    await client.closed()
    expect(await other.askPath(OP_CODE.exists, '/')).toMatchObject(OK)
    expect(server.logged).toEqual([expect.stringContaining(`bytes that are no message: A ZooKeeper frame`)])
  },
)

test('a hundred connections with bytes that are no message are one line of the log', async () => {
  const server = await start({})
  for (let i = 0; i < 100; i++) {
    const client = clientOf(server)
    client.socket.write(Buffer.from('GET / HTTP/1.1\r\n\r\n'))
    await client.closed()
  }
  expect(server.logged).toHaveLength(1)
})

test('a frame of the greatest size is read', async () => {
  const client = await connectedTo(await start({}))
  const path = 'x'.repeat(REQUEST_BYTES_MAX - 13)
  expect(
    encodeFrame(part(REQUEST_HEADER, { xid: 1, type: 3 }), part(PATH_REQUEST, { path, watch: false })),
  ).toHaveLength(4 + REQUEST_BYTES_MAX)
  expect(await client.askPath(OP_CODE.exists, path)).toMatchObject({ err: ERROR_CODE.noNode })
})

test('sessionsMax: a client beyond it is turned away until a session ends', async () => {
  const server = await start({ limits: { sessionsMax: 1 } })
  const first = await connectedTo(server)
  await expect(connectedTo(server)).rejects.toThrow('closed the connection')
  await first.ask(OP_CODE.closeSession)
  expect(await (await connectedTo(server)).askPath(OP_CODE.exists, '/')).toMatchObject(OK)
})

test('sessionsMax: sessions that lost their connections give way, the first to lose it first', async () => {
  const server = await start({ limits: { sessionsMax: 3 } })
  const living = await connectedTo(server)
  const gone: { sessionId: bigint; passwd: Buffer | null }[] = []
  while (gone.length < 2) {
    const client = clientOf(server)
    gone.push(await client.handshake({ timeOut: 40_000 }))
    client.close()
    await client.closed()
    while (server.door.counters.connections() > 1) await new Promise(setImmediate)
  }
  expect(await (await connectedTo(server)).askPath(OP_CODE.exists, '/')).toMatchObject(OK)
  const [first, second] = gone.map(({ sessionId, passwd }) => ({ sessionId, passwd: passwd! }))
  expect(await clientOf(server).handshake(first)).toMatchObject({ sessionId: 0n, timeOut: 0 })
  expect(await clientOf(server).handshake(second)).toMatchObject({ sessionId: second!.sessionId })
  await expect(connectedTo(server)).rejects.toThrow('closed the connection')
  expect(await living.askPath(OP_CODE.exists, '/')).toMatchObject(OK)
})

test('connectionsMax: a connection beyond it is closed at once', async () => {
  const server = await start({ limits: { connectionsMax: 1 } })
  await connectedTo(server)
  await clientOf(server).closed()
})

test('watchesMax: a watch beyond it is refused, and one that has fired makes room', async () => {
  const server = await start({ limits: { watchesMax: 2 } })
  const [client, other] = [await connectedTo(server), await connectedTo(server)]
  const watch = (path: string): Promise<{ err: number }> => client.askPath(OP_CODE.exists, path, true)
  expect(await watch('/hbase/table/t')).toMatchObject(MISSING)
  expect(await watch('/b')).toMatchObject(MISSING)
  expect(await watch('/b')).toMatchObject(MISSING)
  expect(await watch('/c')).toMatchObject({ err: ERROR_CODE.systemError })
  expect(await other.askPath(OP_CODE.exists, '/c', true)).toMatchObject(MISSING)
  await server.store.catalog.createTable(
    tableDescriptor(parseTableName('t'), [familyDescriptor('f')]),
    [],
    OWN_CALL,
  )
  await client.event()
  expect(await watch('/c')).toMatchObject(MISSING)
})

test('watches and waiting bytes take memory, which comes back', async () => {
  const memory = new MemoryBudget(80_000)
  const server = await start({ memory })
  const client = await connectedTo(server)
  const path = '/p'.repeat(5000)
  expect(await client.askPath(OP_CODE.exists, path, true)).toMatchObject(MISSING)
  expect(memory.granted).toBeGreaterThan(20_000)
  expect(await client.askPath(OP_CODE.exists, `${path}x`, true)).toMatchObject({
    err: ERROR_CODE.systemError,
  })
  const greedy = await connectedTo(server)
  greedy.socket.write(encodeFrame(part(PATH_REQUEST, { path: 'x'.repeat(100_000), watch: false })))
  await greedy.closed()
  expect(await client.askPath(OP_CODE.exists, '/')).toMatchObject(OK)
  client.close()
  await client.closed()
  while (server.door.counters.connections() > 0) await new Promise(setImmediate)
  expect(memory.granted).toBe(0)
})

test('a connection without a session ends after ten seconds', async () => {
  let now = Date.now()
  const server = await start({ now: () => now, sweepMs: 1 })
  const [silent, speaking] = [clientOf(server), clientOf(server)]
  silent.socket.write(Buffer.from([0, 0]))
  await speaking.handshake({ timeOut: 40_000 })
  now += 10_000
  await silent.closed()
  expect(await speaking.askPath(OP_CODE.exists, '/')).toMatchObject(OK)
})

test('a client that takes no answers is read no further', async () => {
  const server = await start({})
  const client = await connectedTo(server)
  client.socket.pause()
  const request = encodeFrame(
    part(REQUEST_HEADER, { xid: 1, type: OP_CODE.sync }),
    part(PATH_REQUEST, { path: '/'.repeat(100_000), watch: false }),
  )
  // The buffers of both sockets and of the server hold only a part of 60 MB.
  const asked = 600
  for (let i = 0; i < asked; i++) client.socket.write(request)
  const other = await connectedTo(server)
  const answered = (): number =>
    [...server.door.counters.requestSamples('zookeeper')].find(
      ({ labels }) => labels!['method'] === 'sync' && labels!['outcome'] === 'ok',
    )?.value ?? 0
  let before = -1
  while (before !== answered() || before < 1) {
    before = answered()
    for (let i = 0; i < 20; i++) await other.askPath(OP_CODE.exists, '/')
  }
  expect(before).toBeLessThan(asked / 2)
  client.socket.resume()
  for (let i = 0; i < before; i++) await client.answer()
})

test('events that no client takes end the connection', async () => {
  const client = await connectedTo(await start({}))
  // Each of these nodes is gone, so that the server sends an event at once.
  const dataWatches = Array.from({ length: 200_000 }, () => 'x')
  const asked = { relativeZxid: 0n, dataWatches, existWatches: [], childWatches: [] }
  client.send(OP_CODE.setWatches, [part(SET_WATCHES, asked)], -8)
  await client.closed()
})

test('a mode that needs memory is refused without it', async () => {
  const memory = new MemoryBudget(1000)
  const client = await connectedTo(await start({ memory }))
  const request = part(ADD_WATCH_REQUEST, { path: `/${'x'.repeat(300)}`, mode: 1 })
  expect(await client.ask(OP_CODE.addWatch, request)).toMatchObject({ err: ERROR_CODE.systemError })
})
