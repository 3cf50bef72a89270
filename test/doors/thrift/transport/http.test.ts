import { request } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { callBytes, RawClient, repliesOf } from './raw-client.ts'
import { startToyServer, type ToyServer } from './toy-services.ts'

let server: ToyServer

beforeEach(async () => {
  server = await startToyServer({ limits: { requestBytesMax: 1000, headerBytesMax: 2000 } })
})

afterEach(() => server.listener.close())

interface Answer {
  readonly status: number
  readonly type: string | undefined
  readonly body: Buffer
}

function send(
  method: string,
  body: Buffer | Buffer[],
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { host: '127.0.0.1', port: server.port, method, path: '/any', headers },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            type: response.headers['content-type'],
            body: Buffer.concat(chunks),
          }),
        )
      },
    )
    asked.on('error', reject)
    if (headers['expect'] !== undefined) {
      asked.on('continue', () => asked.end(body))
      asked.flushHeaders()
      return
    }
    for (const chunk of Array.isArray(body) ? body : [body]) asked.write(chunk)
    asked.end()
  })
}

const add = callBytes('binary', 'add', { left: 1n, right: 2n }, 5)

describe('a call in the body of a POST', () => {
  test.each(['binary', 'compact'] as const)('%s', async (protocol) => {
    const answer = await send('POST', callBytes(protocol, 'add', { left: 1n, right: 2n }, 5))
    expect(answer).toMatchObject({ status: 200, type: 'application/x-thrift' })
    expect(repliesOf(protocol, answer.body)).toMatchObject([{ sequenceId: 5, fields: new Map([[0, 3n]]) }])
  })

  test('in chunks, after 100 Continue, and without a reply', async () => {
    const chunked = await send('POST', [add.subarray(0, 10), add.subarray(10)])
    expect(repliesOf('binary', chunked.body)).toHaveLength(1)
    const continued = await send('POST', add, {
      expect: '100-continue',
      'content-length': String(add.length),
    })
    expect(repliesOf('binary', continued.body)).toHaveLength(1)
    const oneway = await send('POST', callBytes('binary', 'note', { text: 'a' }))
    expect(oneway).toMatchObject({ status: 200, body: Buffer.alloc(0) })
    expect(server.notes).toEqual(['a'])
  })

  test('several on one connection, even byte by byte', async () => {
    const client = await RawClient.open(server.port)
    const head = `POST / HTTP/1.1\r\nhost: h\r\ncontent-length: ${add.length}\r\n\r\n`
    const twice = Buffer.concat([Buffer.from(head), add, Buffer.from(head), add])
    for (const byte of twice) {
      client.send(Buffer.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await client.until(() => client.received.toString('latin1').split('HTTP/1.1 200 OK').length === 3)
    client.socket.destroy()
  })
})

test('a call that offers another protocol is answered, and so is the one right behind it', async () => {
  const client = await RawClient.open(server.port)
  const upgrade = 'connection: Upgrade, HTTP2-Settings\r\nupgrade: h2c\r\nhttp2-settings: AAMAAABk\r\n'
  const head = `POST / HTTP/1.1\r\nhost: h\r\n${upgrade}content-length: ${add.length}\r\n\r\n`
  client.send(Buffer.concat([Buffer.from(head), add, Buffer.from(head), add]))
  await client.until(() => client.received.toString('latin1').split('HTTP/1.1 200 OK').length === 3)
  client.socket.destroy()
})

describe('what is refused', () => {
  test.each([
    ['another method', 'GET', Buffer.alloc(0), 405],
    ['no Thrift', 'POST', Buffer.from('{"method":"add"}'), 400],
    ['an empty body', 'POST', Buffer.alloc(0), 400],
    ['a frame', 'POST', Buffer.concat([Buffer.from([0, 0, 0, add.length]), add]), 400],
    ['a message that ends early', 'POST', add.subarray(0, -4), 400],
  ])('%s', async (_, method, body, status) => {
    expect(await send(method, body)).toMatchObject({ status, type: 'text/plain' })
  })

  test('more than requestBytesMax, announced or not', async () => {
    const big = callBytes('binary', 'echo', { value: Buffer.alloc(1000) })
    const compact = callBytes('compact', 'echo', { value: Buffer.alloc(1000) })
    for (const message of [big, compact]) {
      const stated = { 'content-length': String(message.length) }
      for (const answer of [
        await send('POST', message, stated),
        await send('POST', [message.subarray(0, 500), message.subarray(500)]),
      ]) {
        expect(answer).toMatchObject({ status: 200, type: 'application/x-thrift' })
        expect(answer.body.toString('latin1')).toContain('a body of more than 1000 bytes')
      }
    }
    expect(await send('POST', Buffer.alloc(1001, 'x'))).toMatchObject({ status: 413 })
    expect(server.logged).toEqual([expect.stringMatching(/^refused: a body of more than/)])
  })

  test('more than headerBytesMax', async () => {
    expect(await send('POST', add, { 'x-long': 'x'.repeat(3000) })).toMatchObject({ status: 431 })
  })
})

test('the end of the listener: the call under way is answered', async () => {
  const client = await RawClient.open(server.port)
  const wait = callBytes('binary', 'wait', { turns: 20 })
  client.send(`POST / HTTP/1.1\r\nhost: h\r\ncontent-length: ${wait.length}\r\n\r\n`)
  client.send(wait)
  while (server.calls.length === 0) await new Promise((resolve) => setImmediate(resolve))
  await server.listener.close()
  await client.closed()
  expect(client.received.toString('latin1')).toContain('HTTP/1.1 200 OK')
})
