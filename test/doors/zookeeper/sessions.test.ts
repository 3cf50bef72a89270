import { afterEach, beforeEach, expect, test } from 'vitest'
import { OP_CODE, SPECIAL_XID } from '../../../src/wire/zookeeper/codes.ts'
import { RawClient, startServer, type ZooKeeperServer } from './zookeeper-server.ts'

let server: ZooKeeperServer
let now: number
let clients: RawClient[]

beforeEach(async () => {
  now = Date.now()
  clients = []
  server = await startServer({ now: () => now, sweepMs: 1 })
})
afterEach(async () => {
  for (const client of clients) client.close()
  await server.stop()
})

function connection(): RawClient {
  const client = new RawClient(server.door.port)
  clients.push(client)
  return client
}

const ROOT_OK = { err: 0 }

test.each([
  [0, 4000],
  [-5, 4000],
  [10_000, 10_000],
  [90_000, 40_000],
])('a time-out of %d ms becomes %d', async (timeOut, granted) => {
  const answer = await connection().handshake({ timeOut })
  expect(answer).toMatchObject({ protocolVersion: 0, timeOut: granted, readOnly: false })
  expect(answer.sessionId).not.toBe(0n)
  expect(answer.passwd).toHaveLength(16)
})

test('sessions have ids and passwords of their own', async () => {
  const [a, b] = [await connection().handshake(), await connection().handshake()]
  expect(a.sessionId).not.toBe(b.sessionId)
  expect(a.passwd).not.toEqual(b.passwd)
})

test('a session goes on over another connection, and its old connection ends', async () => {
  const first = connection()
  const { sessionId, passwd } = await first.handshake()
  const second = connection()
  const answer = await second.handshake({ sessionId, passwd, timeOut: 5000 })
  expect(answer).toMatchObject({ sessionId, timeOut: 5000, passwd })
  await first.closed()
  expect(await second.askPath(OP_CODE.exists, '/')).toMatchObject(ROOT_OK)
})

test('a session outlives its connection until its time-out', async () => {
  const first = connection()
  const { sessionId, passwd } = await first.handshake({ timeOut: 10_000 })
  first.close()
  await first.closed()
  now += 9999
  const second = connection()
  expect(await second.handshake({ sessionId, passwd, timeOut: 10_000 })).toMatchObject({ sessionId })
  second.close()
  await second.closed()
  now += 10_000
  const third = connection()
  expect(await third.handshake({ sessionId, passwd })).toMatchObject({ sessionId: 0n, timeOut: 0 })
  await third.closed()
})

test.each([
  ['another password', Buffer.alloc(16, 'x')],
  ['a short password', Buffer.alloc(3)],
  ['no password', null],
])('no client takes a session over with %s', async (_, passwd) => {
  const first = connection()
  const { sessionId } = await first.handshake()
  const thief = connection()
  expect(await thief.handshake({ sessionId, passwd })).toMatchObject({
    sessionId: 0n,
    timeOut: 0,
    passwd: Buffer.alloc(16),
  })
  await thief.closed()
  expect(await first.askPath(OP_CODE.exists, '/')).toMatchObject(ROOT_OK)
})

test('a silent session ends with its connection; pings keep it', async () => {
  const [silent, pinging] = [connection(), connection()]
  await silent.handshake({ timeOut: 5000 })
  await pinging.handshake({ timeOut: 5000 })
  now += 4000
  pinging.send(OP_CODE.ping, [], SPECIAL_XID.ping)
  expect(await pinging.answer()).toMatchObject({ xid: -2, err: 0 })
  now += 1000
  await silent.closed()
  expect(await pinging.askPath(OP_CODE.exists, '/')).toMatchObject(ROOT_OK)
})

test('a closed session cannot go on', async () => {
  const first = connection()
  const { sessionId, passwd } = await first.handshake()
  expect(await first.ask(OP_CODE.closeSession)).toMatchObject({ xid: 1, err: 0 })
  await first.closed()
  expect(await connection().handshake({ sessionId, passwd })).toMatchObject({ timeOut: 0 })
})

test('clients of before 3.4, which know nothing of read-only servers, are served', async () => {
  const client = connection()
  const request = Buffer.alloc(48)
  request.writeInt32BE(44, 0)
  request.writeInt32BE(6000, 16)
  request.writeInt32BE(16, 28)
  client.socket.write(request)
  expect(await client.answer()).toMatchObject({ xid: 0 })
  expect(await client.askPath(OP_CODE.exists, '/')).toMatchObject(ROOT_OK)
})

test('a stop ends the connections', async () => {
  const client = connection()
  await client.handshake()
  const stopped = server.door.close()
  await client.closed()
  await stopped
})
