import { EventEmitter, once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type HttpServer, openHttpServer } from '../../../src/gateway/http/http-server.ts'
import { encodedRequestLine } from '../../../src/gateway/http/raw-request-line.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { DoorCounters } from '../../../src/gateway/observing/metrics.ts'
import { testRuns } from '../../harness/test-runs.ts'
import { exchangeBytes } from '../connections/exchange-bytes.ts'

type Answer = (incoming: IncomingMessage, outgoing: ServerResponse) => void

let server: HttpServer
let counters: DoorCounters
let answer: Answer
let sockets: Socket[]
beforeEach(async () => {
  sockets = []
  answer = (incoming, outgoing) => {
    let length = 0
    incoming.on('data', (chunk: Buffer) => (length += chunk.length))
    incoming.on('end', () => outgoing.end(`${incoming.method} ${incoming.url} ${length};`))
  }
  counters = new DoorCounters()
  const limits = { ...DEFAULT_LIMITS, headerBytesMax: 4096 }
  const address = { host: '127.0.0.1', port: 0 }
  const parts = { door: 'test', limits, counters, logger: pino({ level: 'silent' }) }
  server = await openHttpServer((incoming, outgoing) => answer(incoming, outgoing), parts, address)
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await server.close()
})

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

class Client {
  readonly socket: Socket = connect({
    port: server.port,
    host: '127.0.0.1',
    allowHalfOpen: true,
    noDelay: true,
  })
  #received = ''

  constructor() {
    sockets.push(this.socket)
    this.socket.on('data', (chunk) => (this.#received += chunk.toString('latin1')))
  }

  get received(): string {
    return this.#received
  }

  /** Writes the parts as packets of their own, as far as a client can. */
  async write(...parts: readonly (string | Buffer)[]): Promise<void> {
    for (const part of parts) {
      await new Promise<void>((resolve) => this.socket.write(part, () => resolve()))
      await turn()
    }
  }

  async until(part: string): Promise<void> {
    while (!this.#received.includes(part)) await once(this.socket, 'data')
  }
}

/** Method, target and length of the body of each request that was answered. */
function answered(received: string): string[] {
  return Array.from(received.matchAll(/[A-Z]+ \/\S* \d+(?=;)/g), String)
}

const HOST = 'HTTP/1.1\r\nHost: h\r\n'

test('raw lines are answered, and the connection goes on', async () => {
  const client = new Client()
  for (const target of ['/é', '/a', '/ü?x=€', '/😀', '/b']) {
    await client.write(`GET ${target} ${HOST}\r\n`)
    await client.until(`${encodeURI(target)} 0;`)
  }
  const expected = ['/%C3%A9', '/a', '/%C3%BC?x=%E2%82%AC', '/%F0%9F%98%80', '/b']
  expect(answered(client.received)).toEqual(expected.map((target) => `GET ${target} 0`))
  expect(counters.connections()).toBe(1)
})

test('many raw lines on one connection leave no listeners behind, and the connection is counted once', async () => {
  const warned: Error[] = []
  const onWarning = (warning: Error): number => warned.push(warning)
  process.on('warning', onWarning)
  const used = new Set<Socket>()
  const echo = answer
  answer = (incoming, outgoing) => {
    used.add(incoming.socket)
    echo(incoming, outgoing)
  }
  const client = new Client()
  for (let i = 0; i < 50; i++) {
    await client.write(`GET /é${i} ${HOST}\r\n`)
    await client.until(`%C3%A9${i} 0;`)
  }
  await turn()
  process.off('warning', onWarning)
  expect(warned).toEqual([])
  expect(Array.from(used).filter(({ destroyed }) => !destroyed)).toHaveLength(1)
  expect(counters.connections()).toBe(1)
  client.socket.destroy()
  while (counters.connections() > 0) await turn()
  expect(Array.from(used).every(({ destroyed }) => destroyed)).toBe(true)
})

test('the packets of a request may be cut anywhere behind the first raw byte', async () => {
  const bytes = Buffer.from(`PUT /t/ä-€ ${HOST}Content-Length: 9\r\n\r\né\r\nGET /`)
  const first = bytes.indexOf(0xc3) + 1
  const cuts = fc.uniqueArray(fc.integer({ min: first, max: bytes.length - 1 }), { maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const ends = [...places.sort((a, b) => a - b), bytes.length]
      const client = new Client()
      await client.write(...ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end)))
      await client.until(' 9;')
      expect(answered(client.received)).toEqual(['PUT /t/%C3%A4-%E2%82%AC 9'])
      client.socket.destroy()
    }),
    { numRuns: testRuns(15) },
  )
})

test.each<[string, (client: Client) => Promise<unknown>]>([
  ['more of the request', (client) => client.write('Host: h\r\n\r\n', 'GET /b HTTP/1.1\r\n')],
  ['the end of the client', async (client) => client.socket.end('Host: h\r\n\r\n')],
  ['more than is held', (client) => client.write('Host: h\r\n\r\n', `PUT /b ${HOST}\r\n${'x'.repeat(9000)}`)],
])('a raw line behind a running answer goes on waiting when there comes %s', async (_, goOn) => {
  let end: (() => void) | undefined
  const echo = answer
  answer = (incoming, outgoing) => {
    if (incoming.url !== '/slow') return echo(incoming, outgoing)
    outgoing.write('begun ')
    end = () => outgoing.end('whole')
  }
  const client = new Client()
  await client.write(`GET /slow ${HOST}\r\n`)
  await client.until('begun ')
  await client.write(`GET /é HTTP/1.1\r\n`)
  await goOn(client)
  for (let turns = 0; turns < 20; turns++) await turn()
  expect(client.received.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  end!()
  await client.until('/%C3%A9 0;')
  expect(client.received).toMatch(/begun \r\n5\r\nwhole\r\n0\r\n\r\nHTTP/)
})

test('a raw line waits for the answer to the request before it', async () => {
  const slow = new EventEmitter<{ arrived: [release: () => void] }>()
  const arrived = once(slow, 'arrived')
  const echo = answer
  answer = (incoming, outgoing) => {
    if (incoming.url === '/slow') slow.emit('arrived', () => echo(incoming, outgoing))
    else echo(incoming, outgoing)
  }
  const client = new Client()
  await client.write(`GET /slow ${HOST}\r\n`)
  const [release] = (await arrived) as [() => void]
  await client.write(`GET /é ${HOST}\r\n`)
  await turn()
  expect(client.received).toBe('')
  release()
  await client.until('%C3%A9 0;')
  expect(answered(client.received)).toEqual(['GET /slow 0', 'GET /%C3%A9 0'])
})

test('a client may end its side behind a raw line', async () => {
  const client = new Client()
  client.socket.end(`GET /é ${HOST}\r\n`)
  await once(client.socket, 'end')
  expect(answered(client.received)).toEqual(['GET /%C3%A9 0'])
})

test('a body is never taken for a line', async () => {
  const client = new Client()
  const body = Buffer.from('GET /é HTTP/1.1\r\n\r\n')
  await client.write(`PUT /é ${HOST}Content-Length: ${body.length}\r\n\r\n`, body)
  await client.until(` ${body.length};`)
  expect(answered(client.received)).toEqual([`PUT /%C3%A9 ${body.length}`])
})

test('a raw line behind other requests in one packet is answered after them', async () => {
  const client = new Client()
  const put = `PUT /b ${HOST}Content-Length: 4\r\n\r\nx\r\n\n`
  await client.write(`GET /a ${HOST}\r\n${put}GET /é ${HOST}\r\nGET /c ${HOST}\r\n`)
  await client.until('/c 0;')
  expect(answered(client.received)).toEqual(['GET /a 0', 'PUT /b 4', 'GET /%C3%A9 0', 'GET /c 0'])
})

test('a method in two packets before a raw target is never read as another method', async () => {
  for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'UNLOCK']) {
    for (let cut = 1; cut <= method.length; cut++) {
      const client = new Client()
      await client.write(method.slice(0, cut), `${method.slice(cut)} /é ${HOST}\r\n`)
      await client.until('\r\n\r\n')
      client.socket.destroy()
      // Both parts may still arrive as one packet.
      for (const line of answered(client.received)) expect(line).toBe(`${method} /%C3%A9 0`)
    }
  }
})

test('a body that ends in what a line may begin with is no part of one', async () => {
  for (const body of ['\nP', '\nGET /', '\nGET', '\r\n\r\nDELETE ']) {
    const client = new Client()
    await client.write(`PUT /b ${HOST}Content-Length: ${body.length}\r\n\r\n${body}GET /é ${HOST}\r\n`)
    await once(client.socket, 'end')
    expect(answered(client.received)).toEqual([`PUT /b ${body.length}`])
  }
})

test.each([
  ['no UTF-8', Buffer.from(`GET /\xe9 ${HOST}\r\n`, 'latin1')],
  ['a surrogate', Buffer.from(`GET /\xed\xa0\x80 ${HOST}\r\n`, 'latin1')],
  ['a control', Buffer.from(`GET /é\x01 ${HOST}\r\n`)],
  ['a space too many', Buffer.from(`GET /é x ${HOST}\r\n`)],
  ['another protocol', Buffer.from('GET /é RTSP/1.0\r\n\r\n')],
  ['no protocol', Buffer.from('GET /é\r\n\r\n')],
  ['no method', Buffer.from(`N@NE /é ${HOST}\r\n`)],
  ['a length twice', Buffer.from(`PUT /é ${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`)],
  [
    'a length and chunks',
    Buffer.from(`PUT /é ${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`),
  ],
  ['a raw byte in the name of a header', Buffer.from(`GET /é ${HOST}é: x\r\n\r\n`)],
  ['no end', Buffer.from(`GET /é${'x'.repeat(5000)}`)],
  ['an end in a host', Buffer.from('GET /é HTTP/1.1\r\n\r\n')],
])('%s is refused as ever', async (_, bytes) => {
  const client = new Client()
  await client.write(bytes)
  await once(client.socket, 'end')
  expect(client.received).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect(answered(client.received)).toEqual([])
})

test('a line is encoded byte by byte', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const line = Buffer.from(`GET /${text.replace(/[\0-\x20]/g, '')} HTTP/1.1\r\n`)
      const encoded = encodedRequestLine(line)!.toString('latin1')
      expect(encoded).toMatch(/^GET \/[!-~]* HTTP\/1\.1\r\n$/)
      const decoded = encoded.replace(/%([89A-F][\dA-F]|7F)/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
      // A line that has such an escape itself says the same with it.
      if (!/%(?:[89A-F][\dA-F]|7F)/.test(text)) expect(decoded).toBe(line.toString('latin1'))
    }),
  )
})

test.each(['GET "/t HTTP/1.1', 'GET t HTTP/1.1', 'GET "/t/\xc3\xa9 HTTP/1.1'])(
  '%s, which stays illegal however it is encoded, is refused once',
  async (line) => {
    const bytes = Buffer.from(`${line}\r\nHost: x\r\n\r\n`, 'latin1')
    expect(await exchangeBytes(server.port, bytes)).toMatch(/^HTTP\/1\.1 400 /)
  },
)
