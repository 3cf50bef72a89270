/** An HTTP server of doors with too many connections, and with slow clients. */

import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  type HttpServer,
  type HttpServerParts,
  openHttpServer,
} from '../../../src/gateway/http/http-server.ts'
import { DEFAULT_LIMITS, type Limits } from '../../../src/gateway/limits/limits.ts'
import { DoorCounters } from '../../../src/gateway/observing/metrics.ts'

const HOST = 'Host: x\r\n'
const ANSWER_BYTES = 50_000_000

let server: HttpServer
let counters: DoorCounters
let logged: string[]
let sockets: Socket[]

beforeEach(() => {
  counters = new DoorCounters()
  logged = []
  sockets = []
})

afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server.close()
})

const answer: RequestListener = (incoming, outgoing) => {
  incoming.resume()
  incoming.on('error', () => undefined)
  incoming.on('end', () => outgoing.end(incoming.url === '/large' ? Buffer.alloc(ANSWER_BYTES) : 'answer'))
}

async function open(limits: Partial<Limits>, parts: Partial<HttpServerParts> = {}): Promise<void> {
  const logger = pino({}, { write: (line: string) => logged.push((JSON.parse(line) as { msg: string }).msg) })
  server = await openHttpServer(
    answer,
    { door: 'test', limits: { ...DEFAULT_LIMITS, ...limits }, counters, logger, ...parts },
    { host: '127.0.0.1', port: 0 },
  )
}

interface Client {
  readonly socket: Socket
  /** The received bytes when the connection has ended. */
  readonly received: Promise<string>
}

async function client(): Promise<Client> {
  const socket = connect(server.port, '127.0.0.1')
  sockets.push(socket)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  const received = once(socket, 'close').then(() => Buffer.concat(chunks).toString('latin1'))
  await once(socket, 'connect')
  return { socket, received }
}

async function turnsUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}

/** Sends the start, then a byte every few milliseconds, until the connection ends; resolves to what came. */
async function trickled(start: string, byte: string): Promise<string> {
  const { socket, received } = await client()
  socket.write(start)
  const timer = setInterval(() => socket.write(byte), 5)
  try {
    return await received
  } finally {
    clearInterval(timer)
  }
}

describe('a connection beyond connectionsMax', () => {
  const REASON = 'the door takes no more than 1 connections: close some, or raise --connections-max'

  test('is a 503 that tells the limit, and the log has one line; others are answered', async () => {
    await open({ connectionsMax: 1 })
    const first = await client()
    for (let i = 0; i < 3; i++) {
      const { socket, received } = await client()
      socket.write(`GET /b HTTP/1.1\r\n${HOST}\r\n`)
      const text = await received
      expect(text).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n/)
      expect(text).toContain(`\r\n\r\nService Unavailable: ${REASON}`)
    }
    expect(logged).toEqual([`refused a connection, and will refuse more: ${REASON}`])
    expect(counters.refusedConnections()).toBe(3)
    first.socket.write(`GET /a HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
    expect(await first.received).toMatch(/^HTTP\/1\.1 200 OK[^]*answer$/)
    await turnsUntil(() => counters.connections() === 0)
    const again = await client()
    again.socket.write(`GET /a HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
    expect(await again.received).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  test('holds a descriptor only where few others do', async () => {
    await open({ connectionsMax: 1 })
    await client()
    const many = await Promise.all(Array.from({ length: 40 }, () => client()))
    const texts = await Promise.all(many.map(({ received }) => received))
    expect(texts.filter((text) => text.startsWith('HTTP/1.1 503')).length).toBeGreaterThan(0)
    expect(counters.refusedConnections()).toBe(40)
    expect(logged).toHaveLength(1)
  })
})

test('a connection that takes a descriptor of those for the files of the store is a 503', async () => {
  await open({}, { descriptorsMax: 3 })
  const { received } = await client()
  expect(await received).toMatch(
    /^HTTP\/1\.1 503 [^]*Service Unavailable: the process has \d+ files and connections open, /,
  )
})

describe('deadlines of a client that goes on sending', () => {
  test('headersMs: headers that trickle in are a 408', async () => {
    await open({ headersMs: 60 })
    expect(await trickled(`GET /a HTTP/1.1\r\n${HOST}X-A: `, 'a')).toMatch(
      /^HTTP\/1\.1 408 [^]*\r\n\r\nRequest Timeout: the request did not arrive in time\r\n$/,
    )
  })

  test('requestMs: a body that trickles in is a 408', async () => {
    await open({ requestMs: 60 })
    expect(await trickled(`PUT /a HTTP/1.1\r\n${HOST}Content-Length: 100000\r\n\r\n`, 'a')).toMatch(
      /^HTTP\/1\.1 408 /,
    )
  })

  test('requestMs: a body that trickles in behind a raw target is a 408', async () => {
    await open({ requestMs: 60 })
    expect(await trickled(`PUT /é HTTP/1.1\r\n${HOST}Content-Length: 100000\r\n\r\n`, 'a')).toMatch(
      /^HTTP\/1\.1 408 /,
    )
  })
})

describe('answerMs', () => {
  test('ends the connection of a client that does not read', async () => {
    await open({ answerMs: 60 })
    const { socket } = await client()
    socket.pause()
    socket.write(`GET /large HTTP/1.1\r\n${HOST}\r\n`)
    await turnsUntil(() => counters.connections() === 0)
  })

  test('ends the connection of a client that reads a little at a time', async () => {
    await open({ answerMs: 200 })
    const { socket } = await client()
    socket.pause()
    socket.write(`GET /large HTTP/1.1\r\n${HOST}\r\n`)
    const timer = setInterval(() => socket.read(1), 5)
    await turnsUntil(() => counters.connections() === 0)
    clearInterval(timer)
  })

  test('lets a client read that takes all in the end', async () => {
    await open({ answerMs: 1000 })
    const { socket, received } = await client()
    socket.write(`GET /large HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
    expect((await received).length).toBeGreaterThan(ANSWER_BYTES)
  })
})

test('headers beyond headerBytesMax: the answer names the limit, and what to do instead', async () => {
  await open({ headerBytesMax: 2048 }, { insteadOfLongLine: 'Send less.' })
  const { socket, received } = await client()
  socket.write(`GET /${'a'.repeat(4000)} HTTP/1.1\r\n${HOST}\r\n`)
  expect(await received).toMatch(
    /^HTTP\/1\.1 431 [^]*: the request line and its headers have more than 2048 bytes, the limit --header-bytes-max\. Send less\.\r\n$/,
  )
})
