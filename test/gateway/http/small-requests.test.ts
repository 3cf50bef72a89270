/** A server that reads small requests itself gives the same bytes as one that leaves all to Node: for any requests, cut anywhere. */

import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Answer, sentAtOnce, writeAnswer } from '../../../src/doors/rest/http/answer.ts'
import { SecurityHeaders } from '../../../src/doors/rest/http/security-headers.ts'
import { type HttpExchange, NodeExchange } from '../../../src/gateway/http/http-exchange.ts'
import { type HttpServer, openHttpServer } from '../../../src/gateway/http/http-server.ts'
import { breakOff } from '../../../src/gateway/http/pipelined-answers.ts'
import { TrustedProxies } from '../../../src/gateway/identity/proxies/trusted-proxies.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { DoorCounters } from '../../../src/gateway/observing/metrics.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { connection } from './any-requests.ts'

const ADDRESS = { host: '127.0.0.1', port: 0 }
const LIMITS = { ...DEFAULT_LIMITS, headerBytesMax: 2048 }
const FIXED = new SecurityHeaders()
/** More than a socket and the system hold together. */
const LARGE_BYTES = 8 * 1024 * 1024

/** Requests that were answered without Node's server. */
let small = 0
let servers: HttpServer[] = []
/** Resolves the answers to `/held`. */
let release: () => void = () => undefined
let released: Promise<void> = Promise.resolve()

async function bodyOf(stream: IncomingMessage | undefined, body: Buffer | undefined): Promise<Buffer> {
  if (stream === undefined) return body!
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function* chunksOf(text: string): AsyncGenerator<Buffer> {
  for (const half of [text, text]) {
    await turn()
    yield Buffer.from(half)
  }
}

/** Says what the request is, in the form that its path asks for. */
async function answerTo({ request, body, stream }: HttpExchange): Promise<Answer> {
  const { method, url = '', headers } = request
  const sorted = Object.entries(headers).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const text = JSON.stringify([method, url, sorted, (await bodyOf(stream, body)).toString('latin1')])
  if (url.startsWith('/held')) await released
  if (url.startsWith('/late')) for (let i = 0; i < 3; i++) await turn()
  if (url.startsWith('/stream')) return { status: 200, body: chunksOf(text) }
  if (url.startsWith('/large')) return { status: 200, body: Buffer.alloc(LARGE_BYTES, text) }
  if (url.startsWith('/pages')) return { status: 200, body: chunksOf('p'.repeat(LARGE_BYTES)) }
  if (url.startsWith('/close'))
    return { status: 200, headers: { Connection: 'close' }, body: Buffer.from(text) }
  if (url.startsWith('/none')) return { status: 404 }
  return { status: 200, contentType: 'text/plain', body: Buffer.from(text) }
}

async function answer(exchange: HttpExchange): Promise<void> {
  try {
    const made = await answerTo(exchange)
    const fixed = FIXED.forRequest(exchange.request)
    if (!sentAtOnce(exchange, made, fixed)) await writeAnswer(exchange, made, fixed)
  } catch {
    breakOff(exchange.outgoing)
  }
}

async function open(isSmall: boolean, limits: Partial<typeof LIMITS> = {}): Promise<HttpServer> {
  const server = await openHttpServer(
    (incoming, outgoing) => void answer(new NodeExchange(incoming, outgoing)),
    {
      door: 'test',
      limits: { ...LIMITS, ...limits },
      counters: new DoorCounters(),
      logger: pino({ level: 'silent' }),
      trustedProxies: new TrustedProxies(['127.0.0.1']),
      ...(isSmall && {
        answerSmall: (exchange: HttpExchange) => {
          small++
          void answer(exchange)
        },
      }),
    },
    ADDRESS,
  )
  servers.push(server)
  return server
}

beforeEach(() => {
  small = 0
})

afterEach(async () => {
  for (const server of servers) await server.close()
  servers = []
})

/** Sends each piece once the one before has arrived or was answered, ends, and returns what the server has sent. */
async function exchanged(asked: HttpServer, pieces: readonly string[], ends = true): Promise<string> {
  return (await received(asked, pieces, ends)).text
}

interface Received {
  readonly text: string
  /** The server has closed the connection before it has read all. The system may drop what it has sent last. */
  readonly isReset: boolean
}

async function received({ port }: HttpServer, pieces: readonly string[], ends: boolean): Promise<Received> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.setNoDelay(true)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('end', () => socket.end())
  let isReset = false
  socket.on('error', () => {
    isReset = true
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const piece of pieces) {
    socket.write(piece, 'latin1')
    for (let i = 0; i < 3; i++) await turn()
  }
  for (let i = 0; i < 10; i++) await turn()
  if (ends) socket.end()
  await closed
  return { text: Buffer.concat(chunks).toString('latin1'), isReset }
}

/** Without the headers that depend on the second, and on whether the client has ended its side when the answer leaves. */
function lasting(answers: string): string {
  return answers.replaceAll(/^(?:Date|Connection): .*\r\n/gm, '')
}

test('any requests get the same answers', { timeout: 120_000 }, async () => {
  const [ours, nodes] = [await open(true), await open(false)]
  const numRuns = testRuns(400)
  await fc.assert(
    fc.asyncProperty(connection, async (pieces) => {
      const [answered, expected] = await Promise.all([
        received(ours, pieces, true),
        received(nodes, pieces, true),
      ])
      const [text, other] = [lasting(answered.text), lasting(expected.text)]
      const isReset = answered.isReset || expected.isReset
      const length = isReset ? Math.min(text.length, other.length) : undefined
      expect(text.slice(0, length)).toBe(other.slice(0, length))
    }),
    { numRuns },
  )
  expect(small).toBeGreaterThan(numRuns / 4)
})

const GET_WHOLE = 'GET /whole HTTP/1.1\r\nHost: a\r\n\r\n'
const PUT_HEAD = 'PUT /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\n\r\n'

test('a head and its body in two packets are a small request', async () => {
  const server = await open(true)
  const text = await exchanged(server, [
    PUT_HEAD,
    'abcdef',
    GET_WHOLE,
    `${PUT_HEAD}abc`,
    `def${PUT_HEAD}`,
    'ABCDEF',
  ])
  expect(text.match(/"abcdef"|""|"ABCDEF"/g)).toEqual(['"abcdef"', '""', '"abcdef"', '"ABCDEF"'])
  expect(small).toBe(4)
})

test('a body in three packets goes to the server of Node, and so does a large one', async () => {
  const server = await open(true)
  expect(await exchanged(server, [PUT_HEAD, 'ab', 'cdef', GET_WHOLE])).toMatch(/"abcdef"[^]*"GET"/)
  const large = `PUT /none HTTP/1.1\r\nHost: a\r\nContent-Length: ${64 * 1024}\r\n\r\n`
  expect(await exchanged(server, [large, 'a'.repeat(64 * 1024), GET_WHOLE])).toMatch(/ 404 [^]*"GET"/)
  expect(small).toBe(0)
})

describe.each([
  ['ours', true],
  ['of Node', false],
])('a server %s', (_, isSmall) => {
  test.each(['/large', '/pages'])(
    'sends %s to a client that reads slowly, then answers again',
    async (path) => {
      const { port } = await open(isSmall)
      const socket = connect(port, '127.0.0.1')
      const chunks: Buffer[] = []
      socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`)
      await once(socket, 'readable')
      for (let i = 0; i < 20; i++) await turn()
      socket.on('data', (chunk: Buffer) => chunks.push(chunk))
      socket.write(`GET /close HTTP/1.1\r\nHost: a\r\n\r\n`)
      await once(socket, 'close')
      const text = Buffer.concat(chunks).toString('latin1')
      expect(text.length).toBeGreaterThan(LARGE_BYTES)
      expect(text).toMatch(/\["GET","\/close",\[\["host","a"\]\],""\]$/)
    },
  )

  test('keeps what arrives behind a request until that has its answer', async () => {
    const server = await open(isSmall)
    released = new Promise((resolve) => {
      release = resolve
    })
    const received = exchanged(server, [
      'GET /held HTTP/1.1\r\nHost: a\r\n\r\n',
      GET_WHOLE,
      GET_WHOLE,
      GET_WHOLE,
    ])
    for (let i = 0; i < 20; i++) await turn()
    release()
    const urls = [...(await received).matchAll(/"GET","(\/\w+)"/g)].map(([, url]) => url)
    expect(urls).toEqual(['/held', '/whole', '/whole', '/whole'])
  })

  test('ends a stream whose client has gone, and forgets the connection', async () => {
    const server = await open(isSmall)
    const socket = connect(server.port, '127.0.0.1')
    socket.write('GET /pages HTTP/1.1\r\nHost: a\r\n\r\n')
    await once(socket, 'readable')
    socket.resetAndDestroy()
    await once(socket, 'close')
    // Would hang where the connection or its answer is still waited for.
    await server.close()
    servers = []
  })

  test('ends behind the answer that is due when it closes, and idle connections at once', async () => {
    const server = await open(isSmall)
    released = new Promise((resolve) => {
      release = resolve
    })
    const idle = exchanged(server, [GET_WHOLE], false)
    const busy = exchanged(server, ['GET /held HTTP/1.1\r\nHost: a\r\n\r\n'], false)
    for (let i = 0; i < 20; i++) await turn()
    servers = []
    const closed = server.close()
    expect(await idle).toMatch(/"\/whole"[^]*\]$/)
    release()
    expect(await busy).toMatch(/"\/held"[^]*\]$/)
    await closed
  })

  test('refuses a client that sends nothing, and ends one that has sent nothing more', async () => {
    const late = await open(isSmall, { headersMs: 50 })
    expect(await exchanged(late, [], false)).toMatch(/^HTTP\/1\.1 408 [^]*the request did not arrive in time/)
    const quiet = await open(isSmall, { connectionIdleMs: 50 })
    expect(await exchanged(quiet, [], false)).toBe('')
    expect(await exchanged(quiet, [GET_WHOLE], false)).toMatch(/^HTTP\/1\.1 200 [^]*"\/whole"/)
  })

  test('takes no bytes of a body for the method of the next request', async () => {
    const put = 'PUT /whole HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n'
    const answers = await exchanged(await open(isSmall), [put, GET_WHOLE])
    expect(answers).toMatch(/"PUT"[^]*HTTP\/1\.1 400 /)
    expect(answers).not.toContain('"GET","/whole"')
  })

  test('refuses a client that ends its side within a body', async () => {
    const text = await exchanged(await open(isSmall), [GET_WHOLE, `${PUT_HEAD}abc`])
    expect(text).toMatch(
      /"GET"[^]*HTTP\/1\.1 400 [^]*\r\n\r\nBad Request: the client ended its side of the connection within the request\r\n$/,
    )
  })

  test('refuses a body that does not come in time, and no later than a body that comes slowly', async () => {
    const quiet = await open(isSmall, { connectionIdleMs: 50 })
    expect(await exchanged(quiet, [`${PUT_HEAD}abc`], false)).toMatch(
      /^HTTP\/1\.1 408 [^]*the body did not arrive/,
    )
  })

  test('takes the rest of a body while it closes', async () => {
    const server = await open(isSmall)
    const socket = connect(server.port, '127.0.0.1')
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.write(`${PUT_HEAD}abc`)
    for (let i = 0; i < 20; i++) await turn()
    servers = []
    const closed = server.close()
    for (let i = 0; i < 20; i++) await turn()
    socket.write('def')
    await once(socket, 'close')
    await closed
    expect(Buffer.concat(chunks).toString('latin1')).toMatch(/"abcdef"/)
  })

  test('refuses the rest of a request that does not come', async () => {
    const late = await open(isSmall, { headersMs: 50, requestMs: 50 })
    const cut = await exchanged(late, [GET_WHOLE, GET_WHOLE.slice(0, 20)], false)
    expect(cut).toMatch(/"\/whole"[^]*HTTP\/1\.1 408 /)
  })
})
