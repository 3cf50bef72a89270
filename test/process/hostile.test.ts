import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChildServer } from '../harness/child-server.ts'
import { askOnce, isWholeFrame } from '../harness/closed-loop.ts'
import { checkAnswer, createTable, getRow } from '../harness/thrift-frames.ts'
import { startTidegate } from '../harness/tidegate-process.ts'

const ROUNDS = 300
const GROWTH_BYTES_MAX = 64 * 1024 * 1024

let server: ChildServer
beforeAll(async () => {
  server = await startTidegate('memory')
  checkAnswer(await askOnce(server.port('thrift'), createTable('t', 'f'), isWholeFrame))
})
afterAll(() => server.stop())

/** Sends the bytes and the connection's end; resolves when the server has closed its side. */
function throwAt(port: number, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => socket.end(bytes))
    socket.once('error', () => resolve())
    socket.once('close', () => resolve())
    socket.resume()
  })
}

function frame(length: number, body: Buffer): Buffer {
  const head = Buffer.alloc(4)
  head.writeInt32BE(length)
  return Buffer.concat([head, body])
}

/** A getRow whose table name claims to be this long. */
function claimedString(length: number): Buffer {
  const call = getRow('t', 'r')
  call.writeInt32BE(length, 4 + 4 + 4 + 'getRow'.length + 4 + 3)
  return call
}

const noise = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 7919 + 13) & 0xff))

const THRIFT = {
  'a frame that ends early': frame(1000, Buffer.alloc(10, 1)),
  'a frame of 2 GB': frame(0x7fffffff, Buffer.alloc(100)),
  'a negative frame': frame(-5, Buffer.alloc(100)),
  'a string of 2 GB in a frame': claimedString(0x7fffffff),
  'a negative string': claimedString(-1),
  noise: noise,
  zeros: Buffer.alloc(4096),
  'a buffered message that ends early': getRow('t', 'r').subarray(4, 20),
  'compact noise': Buffer.concat([Buffer.from([0x82, 0x21]), noise]),
  'an HTTP request that ends early': Buffer.from('POST / HTTP/1.1\r\nContent-Length: 100\r\n\r\nabc'),
}

const REST = {
  noise,
  'no HTTP': Buffer.from('hello\r\n\r\n'),
  'an endless header': Buffer.from(`GET / HTTP/1.1\r\nX: ${'x'.repeat(1 << 20)}`),
  'a body that ends early': Buffer.from('PUT /t/r/f:q HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc'),
  'a bad escape': Buffer.from('GET /t/%zz HTTP/1.1\r\nHost: x\r\n\r\n'),
  'a body of 2^62': Buffer.from(
    'PUT /t/r/f:q HTTP/1.1\r\nHost: x\r\nContent-Length: 4611686018427387904\r\n\r\n',
  ),
}

describe('hostile bytes close their connection and nothing else', () => {
  test.each(Object.entries(THRIFT))('Thrift: %s', async (_, bytes) => {
    await throwAt(server.port('thrift'), bytes)
    checkAnswer(await askOnce(server.port('thrift'), getRow('t', 'r'), isWholeFrame))
  })

  test.each(Object.entries(REST))('REST: %s', async (_, bytes) => {
    await throwAt(server.port('rest'), bytes)
    expect((await fetch(`http://127.0.0.1:${server.port('rest')}/version`)).status).toBe(200)
  })

  test('memory stays flat under all of them, again and again', { timeout: 60_000 }, async () => {
    const everything = async (): Promise<void> => {
      await Promise.all(Object.values(THRIFT).map((bytes) => throwAt(server.port('thrift'), bytes)))
      await Promise.all(Object.values(REST).map((bytes) => throwAt(server.port('rest'), bytes)))
    }
    for (let round = 0; round < 30; round++) await everything()
    const before = server.residentBytes()
    for (let round = 0; round < ROUNDS; round++) await everything()
    const growth = server.residentBytes() - before
    if (!Number.isNaN(growth)) expect(growth).toBeLessThan(GROWTH_BYTES_MAX)
  })
})
