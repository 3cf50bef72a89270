/** Clients of REST of a server whose connections several threads serve. */

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { startTidegate, type Tidegate, type TidegateOptions } from '../../../../src/library/start-tidegate.ts'
import { rowJson } from '../../../doors/rest/rest-server.ts'
import { Authority, PemFolder } from '../../../harness/certificates.ts'
import { MOVES_CONNECTIONS } from '../../../harness/newest-node.ts'
import { inTemporaryFolder } from '../../../harness/tidegate-process.ts'
import { RestConnection, threadOfScanner } from './rest-client.ts'

let server: Tidegate | undefined
const clients: RestConnection[] = []

afterEach(stop)

async function stop(): Promise<void> {
  for (const client of clients.splice(0)) client.close()
  await server?.stop()
  server = undefined
}

/** So many open connections, the first of the main thread, and the table t. */
async function start(count: number, options: TidegateOptions): Promise<RestConnection[]> {
  server = await startTidegate({ thrift: 'off', ...options })
  const all: RestConnection[] = []
  for (let i = 0; i < count; i++) all.push(await connected())
  await all[0]?.ask('PUT', '/t/schema', { body: '{"ColumnSchema":[{"name":"f"}]}' })
  return all
}

async function connected(): Promise<RestConnection> {
  const client = new RestConnection(server!.ports.rest!)
  clients.push(client)
  await client.ask('GET', '/version')
  return client
}

async function threadsOf(all: readonly RestConnection[]): Promise<number[]> {
  const threads: number[] = []
  for (const client of all) {
    const path = await client.scanner('t', '{}')
    threads.push(threadOfScanner(path))
    expect((await client.ask('DELETE', path)).status).toBe(200)
  }
  return threads
}

/** Everything that the server sends to a connection with these bytes, until it ends. */
async function received(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  socket.write(bytes)
  await once(socket, 'close')
  return Buffer.concat(chunks).toString('latin1')
}

describe.skipIf(!MOVES_CONNECTIONS)('threads', () => {
  test.each(['memory', 'native'])(
    'all serve REST, over a store %s, and each reads what any has written',
    (kind) =>
      inTemporaryFolder(async (folder) => {
        const all = await start(4, {
          threads: 3,
          store: kind === 'native' ? `native:${join(folder, 'data')}` : kind,
        })
        expect(await threadsOf(all)).toEqual([1, 2, 3, 4])
        for (const [i, client] of all.entries()) {
          const body = rowJson(`r${i}`, ['f:q', 'v'.repeat(i * 200_000 + 1), 1])
          expect((await client.ask('PUT', `/t/r${i}`, { body })).status).toBe(200)
          for (const other of all) {
            const accept = { headers: { accept: 'application/octet-stream' } }
            expect((await other.ask('GET', `/t/r${i}/f:q`, accept)).body).toHaveLength(i * 200_000 + 1)
          }
        }
        for (const opener of all) {
          const path = await opener.scanner('t', '{"batch":1}')
          const statuses: number[] = []
          for (let turn = 0; turn < 6; turn++)
            statuses.push((await all[turn % all.length]!.ask('GET', path)).status)
          expect(statuses).toEqual([200, 200, 200, 200, 204, 204])
          expect((await all[2]!.ask('DELETE', path)).status).toBe(200)
          for (const client of all) expect((await client.ask('GET', path)).status).toBe(404)
        }
        await stop()
      }),
  )

  test('count their connections together, and their requests', async () => {
    const all = await start(4, { threads: 2, web: 0, connectionsMax: 4 })
    expect(await threadsOf(all)).toEqual([1, 2, 3, 2])
    const refused = await received(server!.ports.rest!, '')
    expect(refused).toMatch(/^HTTP\/1\.1 503 [^]*no more than 4 connections/)
    for (const client of all) await client.ask('GET', '/t/a')
    const metrics = async (): Promise<string> =>
      await (await fetch(`http://127.0.0.1:${server!.ports.web}/metrics`)).text()
    const text = await metrics()
    expect(text).toContain('tidegate_connections{door="rest"} 4\n')
    expect(text).toContain('tidegate_refused_connections_total{door="rest"} 1\n')
    expect(text).toMatch(
      /^tidegate_requests_total\{door="rest",service="row",method="GET",outcome="ok"\} 4$/m,
    )
    expect(text).toMatch(/^tidegate_request_seconds_count\{door="rest",service="row",method="GET"\} 4$/m)
    all[3]!.close()
    await expect.poll(metrics).toContain('tidegate_connections{door="rest"} 3\n')
    expect((await (await connected()).ask('GET', '/version')).status).toBe(200)
  })

  test('refuse late requests, and end what is no HTTP', async () => {
    await start(1, { threads: 1, headersMs: 100, requestMs: 100 })
    const port = server!.ports.rest!
    const head = ' HTTP/1.1\r\nHost: x\r\n'
    const late = ['', `GET /version${head}`, `PUT /t/a${head}Content-Length: 9\r\n\r\nx`]
    for (const bytes of late) expect(await received(port, bytes)).toMatch(/^HTTP\/1\.1 408 /)
    expect(await received(port, '\x16\x03\x01\x02')).toMatch(/^HTTP\/1\.1 400 /)
  })

  test('have the settings of the door, and name themselves and the client in the access log', () =>
    inTemporaryFolder(async (folder) => {
      const accessLog = join(folder, 'access')
      const options = { corsOrigin: 'https://example.org', trustedProxies: '127.0.0.1' }
      const all = await start(2, { threads: 1, accessLog, ...options })
      const headers = { origin: 'https://example.org', 'x-forwarded-for': '192.0.2.7' }
      const { head } = await all[1]!.ask('GET', '/t/a', { headers })
      expect(head).toContain('https://example.org')
      await stop()
      const lines = readFileSync(accessLog, 'utf8').trim().split('\n')
      const line = lines
        .map((text) => JSON.parse(text) as Record<string, unknown>)
        .find(({ call }) => call === 'row')
      expect(line).toMatchObject({ thread: 1, door: 'rest', table: 't', client: '192.0.2.7', status: 404 })
    }))

  test('leave the timeline to the main thread', async () => {
    await start(1, { threads: 1, timeline: 0 })
    const bytes = 'GET /ws/v1/timeline HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const asked = [1, 2, 3].map(() => received(server!.ports.timeline!, bytes))
    for (const answer of await Promise.all(asked)) expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })

  test('speak TLS, and REST without it where that is allowed', async () => {
    const folder = new PemFolder()
    try {
      const authority = await Authority.make()
      const hosts = ['localhost', '127.0.0.1']
      const { certificate, key } = folder.write('server', await authority.issue({ name: 'localhost', hosts }))
      const all = await start(3, {
        threads: 2,
        tlsCertificate: certificate,
        tlsKey: key,
        tlsPlainToo: 'rest',
      })
      expect(await threadsOf(all)).toEqual([1, 2, 3])
      const asked = Array.from({ length: 4 }, () => encrypted(authority.certificate))
      expect(await Promise.all(asked)).toEqual(
        [1, 2, 3, 4].map(() => [200, 'max-age=63072000;includeSubDomains;preload']),
      )
    } finally {
      await stop()
      folder.remove()
    }
  })

  test('end idle connections when the server stops', async () => {
    await start(1, { threads: 2 })
    const kept = 'GET /version HTTP/1.1\r\nHost: x\r\n\r\n'
    // The last one is read by Node's server.
    const sockets = [kept, kept, kept.replace('Host', 'X: \r\nHost')].map((bytes) => {
      const socket = connect(server!.ports.rest!, '127.0.0.1')
      socket.write(bytes)
      return socket
    })
    for (const socket of sockets) expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    const closed = sockets.map((socket) => once(socket, 'close'))
    await server!.stop()
    await Promise.all(closed)
    server = undefined
  })
})

/** The status of a request over TLS, and its header for encrypted connections alone. */
function encrypted(ca: string): Promise<[number | undefined, string | undefined]> {
  const options = {
    host: '127.0.0.1',
    port: server!.ports.rest!,
    ca,
    path: '/version',
    agent: false as const,
  }
  return new Promise((resolve, reject) => {
    const sent = request(options, (answer) => {
      answer.resume()
      answer.on('end', () => resolve([answer.statusCode, answer.headers['strict-transport-security']]))
    })
    sent.on('error', reject)
    sent.end()
  })
}
