/** An answer in one write has the bytes, and ends as, an answer by the response's own methods. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Answer, sentAtOnce, writeAnswer } from '../../../src/doors/rest/http/answer.ts'
import { SecurityHeaders } from '../../../src/doors/rest/http/security-headers.ts'
import { NodeExchange } from '../../../src/gateway/http/http-exchange.ts'

const FIXED = new SecurityHeaders()

/** Answers that the server gives, in the order of its requests. */
let answers: readonly Answer[] = []
const answerTo = ({ url = '' }: IncomingMessage): Answer => answers[Number(url.slice(1))] ?? { status: 200 }

/** How many of them left in one write. */
let whole = 0
const servers: Server[] = []
const ports: number[] = []

async function answerPlainly(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  await writeAnswer(new NodeExchange(incoming, outgoing), answerTo(incoming), FIXED.forRequest(incoming))
}

async function answerAtOnce(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const exchange = new NodeExchange(incoming, outgoing)
  if (sentAtOnce(exchange, answerTo(incoming), FIXED.forRequest(incoming))) whole++
  else await answerPlainly(incoming, outgoing)
}

beforeAll(async () => {
  for (const answerWith of [answerAtOnce, answerPlainly]) {
    const server = createServer({ keepAliveTimeout: 0 }, (incoming, outgoing) => {
      answerWith(incoming, outgoing).catch(() => incoming.socket.destroy())
    })
    Object.assign(server, { httpAllowHalfOpen: true })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    servers.push(server)
    ports.push((server.address() as AddressInfo).port)
  }
})

afterAll(() => {
  for (const server of servers) server.close()
})

/** Bytes that the server sends to the requests until it closes the connection. */
async function received(port: number, pieces: readonly string[]): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  await once(socket, 'connect')
  for (const piece of pieces) {
    if (socket.closed) break
    const answered = pieces.length > 1 && once(socket, 'data').catch(() => undefined)
    socket.write(piece)
    if (answered !== false) await Promise.race([answered, closed])
  }
  await closed
  return Buffer.concat(chunks).toString('latin1')
}

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 12 }) },
  // Node refuses the last three.
  { weight: 1, arbitrary: fc.constantFrom('\u00e9', '\u20ac', 'a\r\nX-B: c', '\0') },
)
/** Answers, with the length of their bodies. */
const answer = fc.record({
  status: fc.constantFrom(200, 201, 204, 304, 400, 404, 406, 500, 503),
  contentType: fc.constantFrom(undefined, 'application/json', 'text/plain;charset=utf-8'),
  headers: fc.oneof(
    fc.constant({}),
    fc.constant({ Connection: 'close' }),
    fc.dictionary(fc.constantFrom('X-A', 'X-Timestamp'), text),
  ),
  body: fc.oneof(fc.constant(undefined), fc.nat({ max: 300 }), fc.constantFrom(16 * 1024, 16 * 1024 + 1)),
})

/** All bytes in turn. */
function bodyOf(length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, at) => at & 0xff))
}

const head = fc.record({
  method: fc.constantFrom('GET', 'GET', 'GET', 'PUT', 'HEAD'),
  version: fc.constantFrom('1.1', '1.1', '1.1', '1.0'),
  headers: fc.constantFrom(
    [],
    [],
    [],
    ['Accept-Encoding: gzip'],
    ['Connection: keep-alive'],
    ['Connection: close'],
  ),
})

function requestOf(
  { method, version, headers }: { method: string; version: string; headers: readonly string[] },
  at: number,
): string {
  const body = method === 'PUT' ? 'abc' : ''
  const lines = [
    `${method} /${at} HTTP/${version}`,
    'Host: a',
    ...headers,
    ...(body === '' ? [] : ['Content-Length: 3']),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

const LAST = 'GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'

test('an answer has the same bytes in one write and in several', async () => {
  const one = fc.tuple(head, answer)
  await fc.assert(
    fc.asyncProperty(
      fc.array(one, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      async (asked, isPipelined) => {
        answers = asked.map(([, { body, ...each }]) => ({
          ...each,
          ...(body !== undefined && { body: bodyOf(body) }),
        }))
        const requests = [...asked.map(([each], at) => requestOf(each, at)), LAST]
        const pieces = isPipelined ? [requests.join('')] : requests
        const [atOnce, plain] = await Promise.all(ports.map((port) => received(port, pieces)))
        expect(atOnce).toBe(plain)
      },
    ),
    { numRuns: 250 },
  )
  // Newer ones write one piece themselves.
  const isOlderNode = Number(process.versions.node.split('.')[0]) < 24
  if (isOlderNode) expect(whole).toBeGreaterThan(40)
  else expect(whole).toBe(0)
})
