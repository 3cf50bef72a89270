/** An HTTP server whose connections another thread accepts, and one that hands its own to threads: here all of them are one thread. */

import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Handover } from '../../../src/gateway/connections/handover.ts'
import { Incoming } from '../../../src/gateway/connections/incoming.ts'
import type { HttpExchange } from '../../../src/gateway/http/http-exchange.ts'
import {
  type HttpServer,
  type HttpServerParts,
  openHttpServer,
} from '../../../src/gateway/http/http-server.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { DoorCounters } from '../../../src/gateway/observing/metrics.ts'

const GET = 'GET /a HTTP/1.1\r\nHost: x\r\n\r\n'
/** A request that the small requests leave to Node's server. */
const OF_NODE = 'GET /a HTTP/1.1\r\nX: \r\nHost: x\r\n\r\n'
const logger = pino({ level: 'silent' })
const limits = { ...DEFAULT_LIMITS, headersMs: 100, requestMs: 100 }

let server: HttpServer
let acceptor: Server | undefined
/** Ids of closed connections. */
let closed: number[]
/** Answers that are due. */
let due: ServerResponse[]

beforeEach(() => {
  acceptor = undefined
  closed = []
  due = []
})
afterEach(async () => {
  for (const answer of due) answer.end('late')
  acceptor?.close()
  await server.close()
})

function answerSmall(exchange: HttpExchange): void {
  exchange.sendWhole(200, 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', 'small')
}

function open(parts: Partial<HttpServerParts>): Promise<HttpServer> {
  const counters = new DoorCounters()
  const address = { host: '127.0.0.1', port: 0 }
  return openHttpServer(
    (_, answer) => due.push(answer),
    { door: 'test', limits, counters, logger, ...parts },
    address,
  )
}

/** Opens a server of brought connections. Resolves to the port of the one that accepts them. */
async function bring(parts: Partial<HttpServerParts> = {}): Promise<number> {
  const incoming = new Incoming({ test: 4711 }, (id) => closed.push(id))
  server = await open({ incoming, answerSmall, ...parts })
  expect(server.port).toBe(4711)
  let last = 0
  acceptor = createServer({ allowHalfOpen: true }, (socket) => incoming.take('test', ++last, socket))
  acceptor.listen(0, '127.0.0.1')
  await once(acceptor, 'listening')
  return (acceptor.address() as AddressInfo).port
}

function sent(port: number, bytes: string): Socket {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(bytes)
  return socket
}

async function rest(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

test('late requests are refused, also those that Node reads', async () => {
  const port = await bring()
  expect(await rest(sent(port, ''))).toMatch(/^HTTP\/1\.1 408 /)
  expect(await rest(sent(port, 'GET /a HTTP/1.1\r\n'))).toMatch(/^HTTP\/1\.1 408 /)
  await expect.poll(() => closed).toEqual([1, 2])
})

test('a close ends the idle ones, and waits for an answer that is due', async () => {
  const port = await bring()
  const idle = sent(port, GET)
  await once(idle, 'data')
  const asking = sent(port, OF_NODE)
  const answered = rest(asking)
  await expect.poll(() => due.length).toBe(1)
  let isClosed = false
  const closing = server.close().then(() => (isClosed = true))
  await once(idle, 'close')
  await expect.poll(() => closed).toEqual([1])
  expect(isClosed).toBe(false)
  due.pop()!.end('whole')
  expect(await answered).toMatch(/^HTTP\/1\.1 200 [^]*whole/)
  await closing
  expect(closed).toEqual([1, 2])
})

test('a connection that comes to a closed door is ended', async () => {
  const port = await bring()
  await server.close()
  expect(await rest(sent(port, GET))).toBe('')
  await expect.poll(() => closed).toEqual([1])
})

test.each([
  ['small requests', { answerSmall }, 'small'],
  ["Node's server", {}, 'whole'],
])('a connection that no thread takes is served here: %s', async (_, parts, body) => {
  const handover = new Handover(logger)
  const taken: string[] = []
  const refuse = (door: string): never => {
    taken.push(door)
    throw new Error('planted')
  }
  handover.begin([{ take: refuse }])
  server = await open({ handover, ...parts })
  const all = [sent(server.port, GET), sent(server.port, GET)]
  const answers = Promise.all(all.map(async (socket) => String((await once(socket, 'data'))[0])))
  if (body === 'whole') await expect.poll(() => due.length).toBe(2)
  for (const answer of due.splice(0)) answer.end('whole')
  for (const answer of await answers) expect(answer).toContain(body)
  expect(taken).toEqual(['test'])
  for (const socket of all) socket.destroy()
})
