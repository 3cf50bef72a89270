import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { exchangeBytes } from '../../gateway/connections/exchange-bytes.ts'
import { cellValues, type RestServer, rowJson, rowKeys, startRestServer } from './rest-server.ts'

const LIMITS = {
  requestBytesMax: 10_000,
  headerBytesMax: 4096,
  cellBytesMax: 5000,
  batchMax: 3,
  depthMax: 10,
  scannersMax: 2,
  responseBytesMax: 6000,
}
/** The time that a closing door waits for answers. */
const CLOSE_GRACE_MS = 4000
let server: RestServer

beforeAll(async () => {
  server = await startRestServer(LIMITS)
})

afterAll(() => server.close())

const JSON_BODY = { 'Content-Type': 'application/json' }

describe('limits', () => {
  test('of a body, with or without Content-Length, zipped or not', async () => {
    const body = rowJson('r', ['f:a', 'v'.repeat(8000)])
    const stated = await server.ask('PUT', '/t/r', { headers: JSON_BODY, body })
    expect([stated.status, stated.headers['connection']]).toEqual([413, 'close'])
    expect(stated.text).toBe('the body exceeds the limit of 10000 bytes\r\n')
    const headers = { ...JSON_BODY, 'Transfer-Encoding': 'chunked' }
    expect((await server.ask('PUT', '/t/r', { headers, body })).status).toBe(413)
    const bomb = gzipSync(Buffer.alloc(1_000_000, 0x20))
    const zipped = { ...JSON_BODY, 'Content-Encoding': 'gzip' }
    expect((await server.ask('PUT', '/t/r', { headers: zipped, body: bomb })).status).toBe(413)
    expect((await server.get('/t/r')).status).toBe(404)
  })

  test('of headers', async () => {
    const answer = await exchangeBytes(
      server.port,
      `GET /t/r HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(8000)}\r\n\r\n`,
    )
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
  })

  test('of cells and batches', async () => {
    const cell = await server.put('/t/r', rowJson('r', ['f:a', 'v'.repeat(5000)]))
    expect([cell.status, cell.text]).toEqual([
      400,
      'Bad request\r\njava.lang.IllegalArgumentException: KeyValue size too large\r\n',
    ])
    const row = rowJson('r', ['f:a', 'v']).slice('{"Row":['.length, -2)
    expect((await server.put('/t/r', `{"Row":[${[row, row, row].join()}]}`)).status).toBe(200)
    expect((await server.put('/t/r', `{"Row":[${[row, row, row, row].join()}]}`)).status).toBe(413)
    expect((await server.get('/t/multiget?row=r&row=r&row=r&row=r')).status).toBe(413)
  })

  test('of the bytes of a scan do not bound several gets', async () => {
    for (const row of ['x', 'y', 'z']) await server.put(`/t/${row}`, rowJson(row, ['f:a', 'v'.repeat(4000)]))
    expect(rowKeys(await server.get('/t/multiget?row=x&row=y&row=z'))).toEqual(['x', 'y', 'z'])
  })

  test('of depth', async () => {
    const deep = `{"ColumnSchema":[{"name":"f","x":${'['.repeat(2000)}${']'.repeat(2000)}}]}`
    expect((await server.put('/deep/schema', deep)).status).toBe(500)
    const headers = { 'Content-Type': 'text/xml' }
    const body = `<CellSet>${'<a>'.repeat(500)}${'</a>'.repeat(500)}</CellSet>`
    expect((await server.ask('PUT', '/t/r', { headers, body })).status).toBe(400)
  })

  test('of scanners', async () => {
    const paths: string[] = []
    for (let i = 0; i < 3; i++) {
      const { headers } = await server.put('/t/scanner', '{}')
      paths.push(new URL(headers['location']!).pathname)
    }
    const statuses = paths.map(async (path) => (await server.ask('DELETE', path)).status)
    expect(await Promise.all(statuses)).toEqual([404, 200, 200])
  })

  test('of scanners of one client; another address has its own', async () => {
    const limited = await startRestServer({ clientScannersMax: 1 })
    const open = (localAddress: string): Promise<string> =>
      new Promise((resolve, reject) => {
        const to = { host: '127.0.0.1', port: limited.port, localAddress }
        request({ ...to, method: 'PUT', path: '/t/scanner', headers: JSON_BODY }, (answer) => {
          answer.resume().on('end', () => resolve(new URL(answer.headers.location!).pathname))
        })
          .on('error', reject)
          .end('{}')
      })
    const other = process.platform === 'linux' ? await open('127.0.0.2') : undefined
    const paths = [await open('127.0.0.1'), await open('127.0.0.1')]
    expect((await limited.ask('DELETE', paths[0]!)).status).toBe(404)
    if (other !== undefined) expect((await limited.ask('DELETE', other)).status).toBe(200)
    expect((await limited.ask('DELETE', paths[1]!)).status).toBe(200)
    await limited.close()
  })
})

describe('hostile XML', () => {
  const laughs = Array.from({ length: 30 }, (_, i) => `<!ENTITY a${i + 1} "&a${i};&a${i};&a${i};">`).join('')
  test.each([
    ['entities that grow', `<!DOCTYPE x [<!ENTITY a0 "ha">${laughs}]><CellSet><Row key="&a30;"/></CellSet>`],
    ['a file', '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><CellSet><Row key="&f;"/></CellSet>'],
    ['an unknown entity', '<CellSet><Row key="&f;"/></CellSet>'],
    ['an outer definition', '<!DOCTYPE CellSet SYSTEM "http://127.0.0.1:1/x.dtd"><CellSet/>'],
  ])('with %s is refused', async (_, body) => {
    const { status } = await server.ask('PUT', '/t/r', { headers: { 'Content-Type': 'text/xml' }, body })
    expect(status).toBe(400)
  })
})

describe('the connection', () => {
  test('answers what is no HTTP with 400, and lives on', async () => {
    for (const bytes of ['\x16\x03\x01\x02\x00\x01', 'GET\r\n\r\n', '\0\0\0\x1d\x80\x01']) {
      expect(await exchangeBytes(server.port, Buffer.from(bytes, 'latin1'))).toMatch(
        /^HTTP\/1\.1 400 Bad Request\r\n/,
      )
    }
    expect((await server.get('/version')).status).toBe(200)
  })

  test('may break off inside a body', async () => {
    const head =
      'PUT /t/broken HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n'
    await exchangeBytes(server.port, `${head}{"Row":[`)
    expect((await server.get('/t/broken')).status).toBe(404)
  })

  test("takes a proxy's form of the path, and HTTP/1.0", async () => {
    await server.put('/t/proxied', rowJson('proxied', ['f:a', 'v']))
    const whole = await exchangeBytes(
      server.port,
      'GET http://host:1/t/proxied/f:a HTTP/1.1\r\nHost: host\r\nConnection: close\r\n\r\n',
    )
    expect(whole).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nv$/)
    expect(await exchangeBytes(server.port, 'GET /version/cluster HTTP/1.0\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\n2\.6\.1$/,
    )
  })

  test('zips answers for clients that accept gzip', async () => {
    const path = '/t/proxied'
    const plain = await server.get(path)
    const headers = { Accept: 'application/json', 'Accept-Encoding': 'gzip' }
    const zipped = await server.ask('GET', path, { headers })
    expect(zipped.headers['content-encoding']).toBe('gzip')
    expect(gunzipSync(zipped.body)).toEqual(plain.body)
    const body = gzipSync(rowJson('zipped', ['f:a', 'z']))
    const put = { headers: { ...JSON_BODY, 'Content-Encoding': 'gzip' }, body }
    expect((await server.ask('PUT', '/t/zipped', put)).status).toBe(200)
    expect(cellValues(await server.get('/t/zipped'))).toEqual(['z'])
  })
})

describe('for any path, query and body', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      't',
      'r1',
      '*',
      ',',
      '%2A',
      '%ff',
      '%',
      '+',
      ';',
      'schema',
      'scanner',
      'multiget',
      'f:a',
      '-1',
    ),
    fc.stringMatching(/^[!$-.0-<>-_a-~]{0,6}$/),
  )
  const path = fc.array(piece, { maxLength: 6 }).map((pieces) => `/${pieces.join('/')}`)
  const query = fc.constantFrom(
    '',
    '?v=x',
    '?check=put',
    '?limit=-5',
    '?e=b64',
    '?startrow=%zz&reversed=true',
  )
  const body = fc.oneof(fc.string({ maxLength: 40 }), fc.json({ maxDepth: 3 }), fc.constant('<CellSet/>'))
  const type = fc.constantFrom('application/json', 'text/xml', 'application/x-protobuf', '*/*', 'text/plain')
  const method = fc.constantFrom('GET', 'PUT', 'POST', 'HEAD', 'PATCH')

  test('there is an answer, and the server lives on', async () => {
    const property = fc.asyncProperty(
      method,
      path,
      query,
      type,
      body,
      async (verb, where, asked, form, sent) => {
        const question = {
          headers: { 'Content-Type': form, Accept: form },
          ...(verb[0] === 'P' && { body: sent }),
        }
        const { status } = await server.ask(verb, where + asked, question)
        expect(status).toBeGreaterThanOrEqual(200)
      },
    )
    await fc.assert(property, { numRuns: 300 })
    expect((await server.get('/version')).status).toBe(200)
  })
})

describe('closing', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('ends idle connections and lets what is under way finish', async () => {
    const other = await startRestServer()
    const waiting = connect(other.port, '127.0.0.1')
    const answered = new Promise<string>((resolve) => {
      waiting.on('data', (chunk) => {
        const text = chunk.toString('latin1')
        if (text.startsWith('HTTP/1.1 200')) resolve(text)
      })
    })
    const body = rowJson('r', ['f:a', 'v'])
    waiting.write(
      `PUT /t/r HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    const seen = once(waiting, 'ready')
    waiting.write(body.slice(0, 5))
    await seen
    await other.get('/version')
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const closed = other.close()
    waiting.write(body.slice(5))
    expect(await answered).toMatch(/^HTTP\/1\.1 200 OK/)
    // The client does not end its connection: the door does, after the grace time.
    vi.advanceTimersByTime(CLOSE_GRACE_MS)
    await closed
    await expect(other.get('/version')).rejects.toThrow(/ECONNREFUSED/)
  })
})
