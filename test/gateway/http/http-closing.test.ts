/** Answers that are due, or that the client has not read yet, when one side of the connection ends; connections that go on. */

import { EventEmitter, once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { HttpExchange } from '../../../src/gateway/http/http-exchange.ts'
import { type HttpServer, openHttpServer } from '../../../src/gateway/http/http-server.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { DoorCounters } from '../../../src/gateway/observing/metrics.ts'

/** More than the system keeps for a client that does not read. */
const LARGE_BYTES = 30_000_000
const HEAD = 'HTTP/1.1 200 OK\r\n'

/** Answers with the path, or with many bytes. */
const listener: RequestListener = ({ url }, outgoing) => {
  outgoing.end(url === '/large' ? Buffer.alloc(LARGE_BYTES, 'x') : `${url};`)
}

/** Reads the body first, a moment later: as a door does that logs its client in. */
const readThenAnswer: RequestListener = (incoming, outgoing) => {
  setImmediate(() => incoming.on('data', () => undefined).on('end', () => listener(incoming, outgoing)))
}

function open(answerSmall?: (exchange: HttpExchange) => void, answer = listener): Promise<HttpServer> {
  const logger = pino({ level: 'silent' })
  const parts = { door: 'test', limits: DEFAULT_LIMITS, counters: new DoorCounters(), logger }
  const address = { host: '127.0.0.1', port: 0 }
  return openHttpServer(answer, { ...parts, ...(answerSmall && { answerSmall }) }, address)
}

function answerAtOnce(exchange: HttpExchange): void {
  const { url } = exchange.request
  const body = url === '/large' ? 'x'.repeat(LARGE_BYTES) : `${url};`
  exchange.sendWhole(200, `${HEAD}Content-Length: ${body.length}\r\n\r\n`, body)
}

function get(...paths: readonly string[]): string {
  return paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join('')
}

async function received(socket: Socket): Promise<string> {
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

test.each([
  ["Node's server", undefined],
  ['small requests', answerAtOnce],
])('%s: a client reads the rest of its answer while the door closes', async (_, answerSmall) => {
  const server = await open(answerSmall)
  const socket = connect(server.port, '127.0.0.1')
  socket.pause()
  socket.write(get('/large'))
  await once(socket, 'readable')
  const closed = server.close()
  // A second request may have no answer any more. It does not cut the first one.
  socket.write(get('/again'))
  await delay(100)
  const text = await received(socket)
  await closed
  const end = text.indexOf('\r\n\r\n')
  expect(text.length - end - 4).toBeGreaterThanOrEqual(LARGE_BYTES)
})

test.each([
  ['two requests in one packet', [get('/a', '/b')], ['/wait', '/a', '/b']],
  ['one request', [get('/a')], ['/wait', '/a']],
  ['two packets', [get('/a'), get('/b')], ['/wait', '/a', '/b']],
  ["a request that is Node's", [get('/a').replace('Host', 'X: \r\nHost')], ['/wait', '/a']],
])('behind a request whose answer is due, before the client ends its side: %s', async (_, packets, paths) => {
  const arrivals = new EventEmitter()
  const server = await open((exchange) => {
    if (exchange.request.url === '/wait') arrivals.emit('wait', exchange)
    else answerAtOnce(exchange)
  })
  const socket = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  const answers = received(socket)
  socket.once('end', () => socket.destroySoon())
  const asked = once(arrivals, 'wait') as Promise<HttpExchange[]>
  socket.write(get('/wait'))
  const [waiting] = await asked
  for (const packet of packets) {
    socket.write(packet)
    await delay(20)
  }
  socket.end()
  await delay(50)
  waiting!.outgoing.end('/wait;')
  const text = await answers
  expect(text.match(/\/\w+(?=;)/g)).toEqual(paths)
  await server.close()
})

test('a client that sends its body before it is asked for it keeps its connection', async () => {
  const waiting = 'PUT /put HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi'
  const server = await open(answerAtOnce, readThenAnswer)
  const socket = connect(server.port, '127.0.0.1')
  socket.end(get('/a') + waiting + get('/b') + waiting + get('/c'))
  const text = await received(socket)
  expect(text.match(/\/\w+(?=;)|100 Continue/g)).toEqual([
    '/a',
    '100 Continue',
    '/put',
    '/b',
    '100 Continue',
    '/put',
    '/c',
  ])
  await server.close()
})
