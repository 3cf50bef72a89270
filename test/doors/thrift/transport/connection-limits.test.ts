/** Too many connections, and clients that are slow, in each dialect. */

import { afterEach, describe, expect, test } from 'vitest'
import { callBytes, framed, RawClient, repliesOf } from './raw-client.ts'
import { startToyServer, type ToyOptions, type ToyServer } from './toy-services.ts'

let server: ToyServer
let now: number
const clients: RawClient[] = []

afterEach(async () => {
  for (const client of clients.splice(0)) client.socket.destroy()
  await server.listener.close()
})

async function start(options: ToyOptions = {}): Promise<void> {
  now = 0
  server = await startToyServer({ now: () => now, ...options })
}

async function open(): Promise<RawClient> {
  const client = await RawClient.open(server.port)
  clients.push(client)
  return client
}

const add = callBytes('binary', 'add', { left: 1n, right: 1n })
const echo = callBytes('binary', 'echo', { value: Buffer.alloc(0) })
const post = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`POST / HTTP/1.1\r\nhost: h\r\ncontent-length: ${body.length}\r\n\r\n`), body])

/** Writes a call in each transport. */
const WRAPS: readonly (readonly [string, (message: Buffer) => Buffer])[] = [
  ['unframed', (message) => message],
  ['framed', framed],
  ['HTTP', post],
]

/** Moves the clock on, and sweeps the connections as a timer would. */
function pass(ms: number): void {
  for (const end = now + ms; now < end; ) {
    now += 100
    server.listener.sweep()
  }
}

/** Resolves once the server has read what clients have sent before. */
async function answersStill(): Promise<void> {
  const client = await open()
  client.send(add)
  expect(await client.replies(1)).toHaveLength(1)
  client.socket.destroy()
}

const SHORT = { connectionIdleMs: 10_000, headersMs: 1000, requestMs: 2000, answerMs: 3000 }

describe('a connection beyond connectionsMax', () => {
  const REASON = 'the door takes no more than 2 connections: close some, or raise --connections-max'

  test('has its first call answered so, and ends; the log has one line', async () => {
    await start({ limits: { connectionsMax: 2 } })
    const [first, second] = [await open(), await open()]
    for (const [name, wrap] of WRAPS) {
      const client = await open()
      client.send(wrap(add))
      client.send(wrap(add))
      await client.closed()
      if (name === 'HTTP') {
        expect(client.received.toString()).toMatch(
          /^HTTP\/1\.1 503 Service Unavailable\r\n[^]*retry-after: 1\r\n/i,
        )
        expect(client.received.toString()).toContain(REASON)
      } else {
        const replies = repliesOf('binary', client.received, name === 'framed')
        expect(replies).toMatchObject([{ method: 'add', type: 3 }])
        expect(replies[0]!.fields.get(1)).toContain(REASON)
      }
    }
    expect(server.calls).toEqual([])
    expect(server.logged).toEqual([`refused a connection, and will refuse more: ${REASON}`])
    expect(server.listener.counters.refusedConnections()).toBe(3)
    second.socket.destroy()
    await second.closed()
    while (server.listener.counters.connections() > 1) await new Promise((resolve) => setImmediate(resolve))
    await answersStill()
    first.send(add)
    expect(await first.replies(1)).toHaveLength(1)
  })

  test('ends without a word where many others are refused, or where no call comes', async () => {
    await start({ limits: { connectionsMax: 2 } })
    await open()
    await open()
    const many = await Promise.all(Array.from({ length: 40 }, () => open()))
    await Promise.all(many.map((client) => client.closed()))
    expect(many.every(({ received }) => received.length === 0)).toBe(true)
    expect(server.logged).toHaveLength(1)
  })
})

describe('a client that is late', () => {
  test('connectionIdleMs: with a call', async () => {
    await start({ limits: SHORT })
    const silent = await open()
    const quiet = await Promise.all(WRAPS.map(() => open()))
    for (const [index, client] of quiet.entries()) {
      client.send(WRAPS[index]![1](add))
      await client.until(() => client.received.length > 0)
    }
    pass(9900)
    quiet[0]!.send(add)
    await quiet[0]!.replies(2)
    pass(500)
    await Promise.all([silent, ...quiet.slice(1)].map((client) => client.closed()))
    expect(quiet[0]!.isClosed).toBe(false)
  })

  test.each(WRAPS)(
    'requestMs: with the rest of a message, even if bytes trickle in: %s',
    async (name, wrap) => {
      await start({ limits: SHORT })
      const client = await open()
      client.send(wrap(echo))
      await client.until(() => client.received.length > 0)
      const message = wrap(callBytes('binary', 'echo', { value: Buffer.alloc(5000) }))
      client.send(message.subarray(0, 300))
      const before = client.received.length
      for (let at = 300; at < 320; at++) {
        await answersStill()
        pass(100)
        client.send(message.subarray(at, at + 1))
      }
      pass(300)
      await client.closed()
      const answer = client.received.subarray(before).toString()
      expect(answer).toMatch(name === 'HTTP' ? /^HTTP\/1\.1 408 Request Timeout\r\n/ : /^$/)
    },
  )

  test('headersMs: with the headers of a request, or the bytes that show its dialect', async () => {
    await start({ limits: SHORT })
    const [first, later, started] = [await open(), await open(), await open()]
    later.send(post(add))
    await later.until(() => later.received.length > 0)
    first.send('POST / HTTP/1.1\r\nhost')
    later.send('POST / HTTP/1.1\r\nhost')
    started.send(Buffer.of(0x80))
    await answersStill()
    pass(1200)
    await Promise.all([first, later, started].map((client) => client.closed()))
    expect(first.received.toString()).toMatch(/^HTTP\/1\.1 408 /)
    expect(later.received.toString()).toMatch(/^HTTP\/1\.1 200 [^]*HTTP\/1\.1 408 /)
  })

  test.each(WRAPS)('answerMs: with reading an answer: %s', async (_, wrap) => {
    await start({ limits: SHORT, handlers: { echo: () => Buffer.alloc(50_000_000) } })
    const client = await open()
    client.socket.pause()
    client.send(wrap(echo))
    await answersStill()
    pass(2900)
    expect(server.listener.counters.connections()).toBeGreaterThan(0)
    pass(400)
    while (server.listener.counters.connections() > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  test('none of these ends a connection whose call runs', async () => {
    await start({ limits: SHORT })
    const client = await open()
    client.send(callBytes('binary', 'wait', { turns: 200 }))
    while (server.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
    pass(60_000)
    expect(await client.replies(1)).toHaveLength(1)
  })
})

test('headerBytesMax: the answer names the limit', async () => {
  await start({ limits: { headerBytesMax: 2000 } })
  const client = await open()
  client.send(`POST /${'a'.repeat(3000)} HTTP/1.1\r\nhost: h\r\n\r\n`)
  await client.closed()
  expect(client.received.toString()).toMatch(/^HTTP\/1\.1 431 [^]*2000 bytes, the limit --header-bytes-max/)
})
