import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { HBaseError } from '../../../src/model/errors.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { cellValues, type Reply, type RestServer, rowJson, rowKeys, startRestServer } from './rest-server.ts'

let server: RestServer
const KEYS = ['a', 'b1', 'b2', 'b3', 'c']

beforeAll(async () => {
  server = await startRestServer()
  for (const key of KEYS) await server.put('/t/x', rowJson(key, ['f:p', `${key}p`, 5], ['f:q', `${key}q`, 6]))
})

afterAll(() => server.close())

describe('a scan in one answer', () => {
  test.each([
    ['/t/*', KEYS],
    ['/t/b*', ['b1', 'b2', 'b3']],
    ['/t/b*?startrow=b2', ['b2', 'b3']],
    ['/t/b*?startrow=a', ['b1', 'b2', 'b3']],
    ['/t/b*?endrow=b2', ['b1']],
    ['/t/b*?endrow=z', ['b1', 'b2', 'b3']],
    ['/t/*?startrow=b2&endrow=c', ['b2', 'b3']],
    ['/t/*?startrow=b2&endrow=b2', ['b2']],
    ['/t/*?limit=2', ['a', 'b1']],
    ['/t/*?limit=0', []],
    ['/t/*?reversed=true', [...KEYS].reverse()],
    ['/t/*?reversed=true&startrow=b2&endrow=a', ['b2', 'b1']],
    ['/t/b*?reversed=true&startrow=z', ['b3', 'b2', 'b1']],
    ['/t/b*?reversed=true&startrow=b2', ['b2', 'b1']],
    ['/t/b*?reversed=true', []],
    ['/t/none*', []],
    ['/t/*?column=f:q&starttime=6&endtime=7&limit=1', ['a']],
    ['/t/*?starttime=7', []],
  ])('%s', async (path, keys) => {
    expect(rowKeys(await server.get(path))).toEqual(keys)
  })

  test('parts of rows count for the limit', async () => {
    const reply = await server.get('/t/*?batchsize=1&limit=3')
    expect(rowKeys(reply)).toEqual(['a', 'a', 'b1'])
    expect(cellValues(reply)).toEqual(['ap', 'aq', 'b1p'])
  })

  test('is in frames as protobuf', async () => {
    const { body } = await server.get('/t/b*?column=f:p', 'application/x-protobuf')
    expect(body.readUInt16BE(0)).toBe(body.length - 2)
    const none = await server.get('/t/*?limit=0', 'application/protobuf')
    expect(none.body).toEqual(Buffer.of(0, 0))
  })

  test('goes out page by page where it is long, well-formed in every form', async () => {
    await server.put('/big/schema', '{"ColumnSchema":[{"name":"f"}]}')
    const value = 'v'.repeat(30_000)
    for (let i = 0; i < 100; i++) {
      const key = `row${String(i).padStart(3, '0')}`
      await server.put('/big/x', rowJson(key, ['f:a', value, 1]))
    }
    const json = await server.get('/big/*')
    expect(json.headers['transfer-encoding']).toBe('chunked')
    expect(rowKeys(json)).toHaveLength(100)
    expect(cellValues(json).every((found) => found === value)).toBe(true)
    const xml = await server.get('/big/row*', 'text/xml')
    expect(xml.text.match(/<Row key="[^"]+"><Cell [^>]+>[^<]+<\/Cell><\/Row>/g)).toHaveLength(100)
    expect(xml.text.endsWith('</Row></CellSet>')).toBe(true)
    const range = await server.get('/big/row,rox', 'application/x-protobuf')
    const put = { headers: { 'Content-Type': 'application/x-protobuf' }, body: range.body }
    await server.put('/copy/schema', '{"ColumnSchema":[{"name":"f"}]}')
    expect((await server.ask('PUT', '/copy/x', put)).status).toBe(200)
    expect((await server.get('/copy/*')).text).toBe(json.text)
  })

  test('of what cannot be asked answers at once', async () => {
    expect((await server.get('/t/*?limit=x')).status).toBe(404)
    expect((await server.get('/t/*?starttime=9&endtime=5')).status).toBe(500)
    expect((await server.get('/none/*')).status).toBe(500)
  })
})

async function scannerOf(json: string): Promise<string> {
  const { status, headers } = await server.put('/t/scanner', json)
  expect(status).toBe(201)
  const { origin, pathname } = new URL(headers['location']!)
  expect(origin).toBe(`http://127.0.0.1:${server.port}`)
  expect(pathname).toMatch(/^\/t\/scanner\/\w+$/)
  return pathname
}

async function readAll(path: string): Promise<Reply[]> {
  const replies: Reply[] = []
  for (;;) {
    const reply = await server.get(path)
    if (reply.status === 204) return replies
    expect(reply.status).toBe(200)
    expect(reply.headers['cache-control']).toBe('no-cache')
    replies.push(reply)
  }
}

describe('a scanner', () => {
  test('gives batches of cells until it ends, and is gone when it is deleted', async () => {
    const path = await scannerOf('{"batch":3}')
    const batches = await readAll(path)
    expect(batches.map(cellValues)).toEqual([
      ['ap', 'aq', 'b1p'],
      ['b1q', 'b2p', 'b2q'],
      ['b3p', 'b3q', 'cp'],
      ['cq'],
    ])
    expect((await server.get(path)).status).toBe(204)
    expect((await server.ask('DELETE', path)).status).toBe(200)
    expect((await server.get(path)).status).toBe(404)
    expect((await server.ask('DELETE', path)).status).toBe(404)
  })

  test('takes rows, columns, times', async () => {
    const path = await scannerOf(
      '{"startRow":"YjE=","endRow":"YjM=","column":["ZjpxXw==","Zjpx"],"startTime":6,"endTime":7}',
    )
    expect((await readAll(path)).flatMap(cellValues)).toEqual(['b1q', 'b2q'])
  })

  test('reads a number of rows or cells, or one value with its coordinates', async () => {
    const path = await scannerOf('{"batch":100}')
    expect(rowKeys(await server.get(`${path}?n=2`))).toEqual(['a', 'b1'])
    expect(cellValues(await server.get(`${path}?c=1`))).toEqual(['b2p'])
    const { headers, text } = await server.get(path, 'application/octet-stream')
    expect([headers['x-row'], headers['x-column'], headers['x-timestamp'], text]).toEqual([
      'YjI=',
      'Zjpx',
      '6',
      'b2q',
    ])
  })

  test('serves one read at a time', async () => {
    const { handouts } = server.store
    const next = handouts.next.bind(handouts)
    let overlaps = 0
    let running = 0
    const reading = vi.spyOn(handouts, 'next').mockImplementation(async (scanner, limits, call) => {
      if (running++ > 0) overlaps++
      // Long enough for all requests to arrive.
      for (let turn = 0; turn < 50; turn++) await new Promise((resolve) => setImmediate(resolve))
      const batch = await next(scanner, { ...limits, rows: 1 }, call)
      running--
      return batch
    })
    const path = await scannerOf('{"batch":1}')
    const reads = await Promise.all(Array.from({ length: 10 }, () => server.get(path)))
    expect(reads.flatMap(cellValues).sort()).toEqual(KEYS.flatMap((key) => [`${key}p`, `${key}q`]))
    expect(overlaps).toBe(0)
    reading.mockRestore()
  })

  test('loses nothing where the store fails now and then', async () => {
    const { rows, handouts } = server.store
    const open = rows.openScanner.bind(rows)
    const next = handouts.next.bind(handouts)
    let calls = 0
    const failNowAndThen = (): void => {
      if (++calls % 2 === 1) throw new HBaseError('UNAVAILABLE', 'the cluster is away')
    }
    const opening = vi.spyOn(rows, 'openScanner').mockImplementation(async (target, query, call) => {
      failNowAndThen()
      return await open(target, query, call)
    })
    const reading = vi.spyOn(handouts, 'next').mockImplementation(async (scanner, limits, call) => {
      failNowAndThen()
      return await next(scanner, { ...limits, rows: 1 }, call)
    })
    const path = await scannerOf('{"batch":3}')
    const values: string[] = []
    const statuses = new Set<number>()
    for (let reply = await server.get(path); reply.status !== 204; reply = await server.get(path)) {
      statuses.add(reply.status)
      if (reply.status === 200) values.push(...cellValues(reply))
    }
    expect(values).toEqual(KEYS.flatMap((key) => [`${key}p`, `${key}q`]))
    expect([...statuses].sort((a, b) => a - b)).toEqual([200, 503])
    opening.mockRestore()
    reading.mockRestore()
  })

  test('of a table that is missing is opened, and not found when it is read', async () => {
    const { headers } = await server.put('/none/scanner', '{}')
    expect((await server.get(new URL(headers['location']!).pathname)).status).toBe(404)
  })

  test('of a table that was disabled is gone', async () => {
    await server.put('/gone/schema', '{"ColumnSchema":[{"name":"f"}]}')
    await server.put('/gone/x', rowJson('r', ['f:a', 'v']))
    const { headers } = await server.put('/gone/scanner', '{}')
    await server.store.catalog.disableTable(parseTableName('gone'), OWN_CALL)
    const { status, text } = await server.get(new URL(headers['location']!).pathname)
    expect([status, text]).toEqual([410, 'Gone\r\n'])
  })
})
