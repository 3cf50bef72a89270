/** Sound and odd requests in any order on one connection, in one packet or several: the server answers the next connection. */

import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HttpServer, openHttpServer } from '../../../src/gateway/http/http-server.ts'
import { DEFAULT_LIMITS } from '../../../src/gateway/limits/limits.ts'
import { DoorCounters } from '../../../src/gateway/observing/metrics.ts'
import { testRuns } from '../../harness/test-runs.ts'

const REQUESTS = [
  'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\n\r\n',
  'GET / HTTP/1.0\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nExpect: 200-ok\r\n\r\n',
  'PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nhi',
  'PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhi',
  'PUT / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n',
  'FOO / HTTP/1.1\r\n\r\n',
  'FOO / HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT a:80 HTTP/1.1\r\n\r\n',
  'CONNECT a:80 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
  'GET / HTTP/1.2\r\nHost: x\r\n\r\n',
  'junk\r\n\r\n',
]

let server: HttpServer

beforeAll(async () => {
  const parts = {
    door: 'test',
    limits: DEFAULT_LIMITS,
    counters: new DoorCounters(),
    logger: pino({ level: 'silent' }),
  }
  server = await openHttpServer((incoming, outgoing) => void outgoing.end(`${incoming.method};`), parts, {
    host: '127.0.0.1',
    port: 0,
  })
})

afterAll(() => server.close())

/** The answers of the server until it or the client ends the connection. */
async function exchange(requests: readonly string[], inOnePacket: boolean): Promise<string> {
  const socket = connect(server.port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.on('error', () => undefined)
  // Not by `once` of node:events, which rejects where the server has closed before it has read all.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  for (const packet of inOnePacket ? [requests.join('')] : requests) {
    socket.write(packet)
    await pause(1)
  }
  socket.end()
  await closed
  return Buffer.concat(chunks).toString('latin1')
}

test('end no server', { timeout: 60_000 }, async () => {
  const sequence = fc.array(fc.constantFrom(...REQUESTS), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(sequence, fc.boolean(), async (requests, inOnePacket) => {
      expect(await exchange(requests, inOnePacket)).toMatch(/^(?:HTTP\/1\.1 \d{3} |$)/)
      expect(await exchange([REQUESTS[0]!], true)).toMatch(/^HTTP\/1\.1 200 [^]*GET;$/)
    }),
    { numRuns: testRuns(150) },
  )
})
