/** An HTTP server of doors at the edges of HTTP: what Node's parser refuses, connections half done, answers in order. */

import { EventEmitter, once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect } from 'node:net'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { type HttpServer, openHttpServer } from '../../../src/gateway/http/http-server.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { DoorCounters } from '../../../src/gateway/observing/metrics.ts'
import { exchangeBytes } from '../connections/exchange-bytes.ts'

const LIMITS = { ...DEFAULT_LIMITS, headerBytesMax: 2048, connectionIdleMs: 60_000, connectionsMax: 10 }
const HOST = 'Host: x\r\n'

let server: HttpServer

afterEach(() => server.close())

/** Answers a request with its method, path and body, once the body is there. */
const echo: RequestListener = (incoming, outgoing) => {
  const chunks: Buffer[] = []
  incoming.on('error', () => undefined)
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
  incoming.on('end', () =>
    outgoing.end(`${incoming.method} ${incoming.url} ${Buffer.concat(chunks).toString()};`),
  )
}

async function open(
  listener = echo,
  limits: Partial<typeof LIMITS> = {},
  counters: DoorCounters = new DoorCounters(),
): Promise<HttpServer> {
  const address = { host: '127.0.0.1', port: 0 }
  const logger = pino({ level: 'silent' })
  const parts = { door: 'test', limits: { ...LIMITS, ...limits }, counters, logger }
  server = await openHttpServer(listener, parts, address)
  return server
}

/** Sends the bytes and waits for the server to close: the client does not end its side. */
async function untilClosed(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // Of bytes that come too late the system resets the connection.
  socket.on('error', () => undefined)
  socket.write(bytes)
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks).toString('latin1')
}

describe('refused at once, with the reason, and the connection ends', () => {
  test.each([
    ['two lengths', `PUT /a HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 2\r\n\r\nhi`, 400],
    [
      'two different lengths',
      `PUT /a HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\nhi!`,
      400,
    ],
    ['a list of lengths', `PUT /a HTTP/1.1\r\n${HOST}Content-Length: 2, 2\r\n\r\nhi`, 400],
    [
      'a length and chunks',
      `PUT /a HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      'chunks that are not last',
      `PUT /a HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['no chunks', `PUT /a HTTP/1.1\r\n${HOST}Transfer-Encoding: identity\r\n\r\nhi`, 400],
    ['a chunk without a size', `PUT /a HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n`, 400],
    ['a space before a colon', 'GET /a HTTP/1.1\r\nHost : x\r\n\r\n', 400],
    ['a folded header', `GET /a HTTP/1.1\r\n${HOST}X-A: b\r\n c\r\n\r\n`, 400],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['long headers', `GET /a HTTP/1.1\r\n${HOST}X-A: ${'b'.repeat(4000)}\r\n\r\n`, 431],
    ['a long path', `GET /${'a'.repeat(4000)} HTTP/1.1\r\n${HOST}\r\n`, 431],
    ['HTTP/1.2', `GET /a HTTP/1.2\r\n${HOST}\r\n`, 505],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
  ])('%s', async (_, bytes, status) => {
    const { port } = await open()
    const answer = await untilClosed(port, bytes)
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(answer).toContain('Connection: close')
    expect(answer).toMatch(/\r\n\r\n[A-Z][\w ]+: .+\r\n$/)
  })

  test('HTTP/0.9', async () => {
    const { port } = await open()
    expect(await untilClosed(port, 'GET /a\r\n\r\n')).toMatch(/^HTTP\/1\.1 505 /)
  })
})

describe('methods that Node does not know', () => {
  test("are the listener's to answer, and then the connection ends", async () => {
    const { port } = await open()
    expect(await untilClosed(port, `FOO /a/b?c=d HTTP/1.1\r\n${HOST}\r\n`)).toMatch(
      /\r\n\r\nFOO \/a\/b\?c=d ;$/,
    )
    expect(await untilClosed(port, `get /a HTTP/1.1\r\n${HOST}\r\n`)).toMatch(
      /Connection: close[^]*get \/a ;$/,
    )
    expect(await untilClosed(port, `CONNECT a:80 HTTP/1.1\r\n${HOST}\r\n`)).toMatch(/\r\n\r\nCONNECT a:80 ;$/)
  })

  test('are answered though a body follows in pieces', async () => {
    const { port } = await open()
    const socket = connect(port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => undefined)
    socket.write(`FOO /a HTTP/1.1\r\n${HOST}Content-Length: 200000\r\n\r\n`)
    for (let i = 0; i < 20; i++) await new Promise((resolve) => socket.write('x'.repeat(10_000), resolve))
    socket.end()
    await closed
    expect(
      Buffer.concat(chunks)
        .toString('latin1')
        .match(/HTTP\/1\.1/g),
    ).toHaveLength(1)
  })

  test('wait for the answers that are due', async () => {
    const { port } = await open((incoming, outgoing) => {
      const answer = (): void => void outgoing.end(`${incoming.method} ${incoming.url};`)
      if (incoming.method === 'GET') setImmediate(answer)
      else answer()
    })
    const gets = ['/1', '/2'].map((path) => `GET ${path} HTTP/1.1\r\n${HOST}\r\n`).join('')
    const answers = await untilClosed(
      port,
      `${gets}FOO /3 HTTP/1.1\r\n${HOST}\r\nGET /4 HTTP/1.1\r\n${HOST}\r\n`,
    )
    expect(answers.match(/(?:GET|FOO) \/\d;/g)).toEqual(['GET /1;', 'GET /2;', 'FOO /3;'])
  })
})

test('what is no HTTP waits for the answers that are due', async () => {
  const { port } = await open((_, outgoing) => void setImmediate(() => outgoing.end('first')))
  const answers = await untilClosed(port, `GET /1 HTTP/1.1\r\n${HOST}\r\n\0\0\0\0`)
  expect(answers).toMatch(/^HTTP\/1\.1 200 OK[^]*first[^]*HTTP\/1\.1 400 Bad Request/)
})

test('pipelined requests are answered in their order, and unread bodies are skipped', async () => {
  const { port } = await open(
    (incoming, outgoing) => void outgoing.end(`${incoming.method} ${incoming.url};`),
  )
  const requests = ['GET', 'DELETE', 'HEAD', 'PUT', 'GET'].map(
    (method, index) => `${method} /${index} HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nGET /`,
  )
  const last = `GET /last HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`
  const answers = await exchangeBytes(port, requests.join('') + last)
  expect(answers.match(/[A-Z]+ \/\w+;/g)).toEqual([
    'GET /0;',
    'DELETE /1;',
    'PUT /3;',
    'GET /4;',
    'GET /last;',
  ])
  expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(6)
})

test('a client that expects 100-continue gets it, another expectation fails', async () => {
  const { port } = await open()
  const head = `PUT /a HTTP/1.1\r\n${HOST}Connection: close\r\nContent-Length: 2\r\n`
  expect(await exchangeBytes(port, `${head}Expect: 100-continue\r\n\r\nhi`)).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK[^]*PUT \/a hi;$/,
  )
  expect(await exchangeBytes(port, `${head}Expect: a-miracle\r\n\r\nhi`)).toMatch(/^HTTP\/1\.1 417 /)
})

test('a body that does not arrive is a 408, and the connection ends', async () => {
  const { port } = await open(echo, { connectionIdleMs: 50 })
  expect(await untilClosed(port, `PUT /a HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nhalf`)).toMatch(
    /^HTTP\/1\.1 408 Request Timeout\r\n/,
  )
})

test('a body that does not arrive behind a raw target is a 408 too', async () => {
  const { port } = await open(echo, { connectionIdleMs: 50 })
  expect(await untilClosed(port, `PUT /é HTTP/1.1\r\n${HOST}Content-Length: 10\r\n\r\nhalf`)).toMatch(
    /^HTTP\/1\.1 408 Request Timeout\r\n/,
  )
})

test('headers that do not arrive end the connection', async () => {
  const { port } = await open(echo, { connectionIdleMs: 50 })
  expect(await untilClosed(port, `GET /a HTTP/1.1\r\nHos`)).toBe('')
})

test('HTTP/1.0 needs no host, and its connection ends with the answer', async () => {
  const { port } = await open()
  expect(await untilClosed(port, 'GET /a HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK[^]*GET \/a ;$/)
})

describe('a request to change the protocol', () => {
  const UPGRADE = `${HOST}Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n`
  const LAST = `GET /last HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`

  test('is answered in this one, and so is the next', async () => {
    const { port } = await open()
    const socket = connect(port, '127.0.0.1')
    socket.write(`PUT /a HTTP/1.1\r\n${UPGRADE}Content-Length: 2\r\n\r\nhi`)
    const [first] = (await once(socket, 'data')) as [Buffer]
    expect(first.toString()).toMatch(/PUT \/a hi;$/)
    socket.write(LAST)
    const [second] = (await once(socket, 'data')) as [Buffer]
    expect(second.toString()).toMatch(/GET \/last ;$/)
    await once(socket, 'close')
  })

  test('is answered in its place among those before and behind it', async () => {
    const counters = new DoorCounters()
    const { port } = await open(
      (incoming, outgoing) => void setImmediate(() => echo(incoming, outgoing)),
      {},
      counters,
    )
    const requests = [
      `GET /1 HTTP/1.1\r\n${HOST}\r\n`,
      `GET /é HTTP/1.1\r\n${UPGRADE}\r\n`,
      `PUT /3 HTTP/1.1\r\n${UPGRADE}Content-Length: 2\r\n\r\nhi`,
      `PUT /4 HTTP/1.1\r\n${UPGRADE}Content-Length: 2\r\n\r\nho`,
      `GET /5 HTTP/1.1\r\n${UPGRADE}\r\n`,
    ]
    const socket = connect(port, '127.0.0.1')
    socket.write(requests.join(''))
    let answers = ''
    while (!answers.includes('GET /5 ;')) answers += String(((await once(socket, 'data')) as [Buffer])[0])
    expect(counters.connections()).toBe(1)
    socket.write(LAST)
    for await (const chunk of socket) answers += String(chunk)
    expect(answers.match(/[A-Z]+ \/\S+ \w*;/g)).toEqual([
      'GET /1 ;',
      'GET /%C3%A9 ;',
      'PUT /3 hi;',
      'PUT /4 ho;',
      'GET /5 ;',
      'GET /last ;',
    ])
  })

  test('is answered in this one though its body comes later, and so is the next', async () => {
    const { port } = await open()
    const socket = connect(port, '127.0.0.1')
    let answers = ''
    socket.on('data', (chunk: Buffer) => {
      answers += String(chunk)
    })
    socket.write(`PUT /a HTTP/1.1\r\n${UPGRADE}Content-Length: 4\r\n\r\nhi`)
    await new Promise((resolve) => setImmediate(resolve))
    socket.write(`ho${LAST}`)
    await once(socket, 'close')
    expect(answers.match(/[A-Z]+ \/\w+ \w*;/g)).toEqual(['PUT /a hiho;', 'GET /last ;'])
  })

  test.each([
    ['in chunks', 'Transfer-Encoding: chunked', '2\r\nhi\r\n0\r\n\r\n', 'hi'],
    ['that is long', 'Content-Length: 20000', 'x'.repeat(20_000), 'x'.repeat(20_000)],
  ])('is answered with a body %s, and the connection may end behind it', async (_, header, body, text) => {
    const { port } = await open()
    const answers = await exchangeBytes(port, `PUT /a HTTP/1.1\r\n${UPGRADE}${header}\r\n\r\n${body}${LAST}`)
    const [first, second] = answers.match(/[A-Z]+ \/\w+ \w*;/g) ?? []
    expect(first).toBe(`PUT /a ${text};`)
    if (second === undefined) expect(answers).toContain('Connection: close')
    else expect(second).toBe('GET /last ;')
  })

  test('keeps all its headers', async () => {
    const { port } = await open(echo, { headerBytesMax: 16_384 })
    const many = 'a:\r\n'.repeat(2100)
    const request = `PUT /a HTTP/1.1\r\n${many}${UPGRADE}Content-Length: 2\r\n\r\nhi`
    expect((await exchangeBytes(port, request + LAST)).match(/[A-Z]+ \/\w+ \w*;/g)).toEqual([
      'PUT /a hi;',
      'GET /last ;',
    ])
  })
})

test.each([
  'CONNECT a:80 HTTP/1.1',
  'GET /a HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c',
  'PUT /a HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nContent-Length: 9',
])('a client that resets its connection behind %j ends that connection only', async (request) => {
  const counters = new DoorCounters()
  const heard = new EventEmitter()
  const { port } = await open(() => heard.emit('first'), {}, counters)
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /1 HTTP/1.1\r\n${HOST}\r\n${request}\r\n${HOST}\r\n`)
  await once(heard, 'first')
  socket.resetAndDestroy()
  while (counters.connections() > 0) await new Promise((resolve) => setImmediate(resolve))
})
