/** Metrics and the log have each error and the side at fault, independent of its HTTP status. */

import { connect } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { doorMetrics } from '../../../src/gateway/observing/metrics.ts'
import { type ErrorCode, HBaseError } from '../../../src/model/errors.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { StoreUnderTest } from '../../adapters/native/store-under-test.ts'
import { valuesOf } from '../../gateway/observing/metric-values.ts'
import { type RestServer, rowJson, startRestServer } from './rest-server.ts'

let server: RestServer
let before: Record<string, number>

beforeEach(async () => {
  server = await startRestServer()
  await server.put('/t/a', rowJson('a', ['f:q', 'v']))
  before = counts()
})

afterEach(() => server.close())

function counts(): Record<string, number> {
  return valuesOf(doorMetrics(new Map([['rest', server]])))
}

/** The requests and errors counted since the test began. */
function counted(): Record<string, number> {
  const since: Record<string, number> = {}
  for (const [name, value] of Object.entries(counts())) {
    const difference = value - (before[name] ?? 0)
    if (difference !== 0 && !name.startsWith('tidegate_connections')) since[name] = difference
  }
  return since
}

function failed(resource: string, code: string, method = 'GET'): Record<string, number> {
  return {
    [`tidegate_requests_total{rest,${resource},${method},failed}`]: 1,
    [`tidegate_errors_total{rest,${code}}`]: 1,
  }
}

function refused(resource: string, code: ErrorCode, method = 'GET'): Record<string, number> {
  return {
    [`tidegate_requests_total{rest,${resource},${method},refused}`]: 1,
    [`tidegate_errors_total{rest,${code}}`]: 1,
  }
}

describe.each(['UNAVAILABLE', 'IO', 'CORRUPTION'] as const)('a store that fails with %s', (code) => {
  const error = new HBaseError(code, 'the disk is gone')

  test('has failed a scan, which is answered with 500', async () => {
    vi.spyOn(server.store.rows, 'openScanner').mockRejectedValue(error)
    const { status, text } = await server.get('/t/*')
    expect([status, text]).toEqual([500, `${error.javaClass}: the disk is gone\r\n`])
    expect(counted()).toEqual(failed('scan', code))
    expect(server.logged).toEqual([
      expect.stringMatching(new RegExp(`^warn: REST: requests fail with ${code}: the disk is gone; `)),
    ])
  })

  test('has failed a scan of which a part has gone out', async () => {
    const value = 'v'.repeat(1_000_000)
    for (const key of ['b', 'c']) await server.put(`/t/${key}`, rowJson(key, ['f:q', value]))
    before = counts()
    const { handouts } = server.store
    const next = handouts.next.bind(handouts)
    const reading = vi.spyOn(handouts, 'next').mockRejectedValue(error)
    reading.mockImplementationOnce((...asked) => next(...asked))
    await expect(server.get('/t/*')).rejects.toThrow('aborted')
    await vi.waitFor(() => expect(counted()).toEqual(failed('scan', code)))
    expect(server.logged).toEqual([
      expect.stringMatching(new RegExp(`^warn: REST: requests fail with ${code}: the disk is gone; `)),
    ])
  })

  test.each([
    ['/t/a', 'row'],
    ['/t/a,c', 'row'],
    ['/t/multiget?row=a', 'multiget'],
  ])('has failed %s, which is answered with 503', async (path, resource) => {
    vi.spyOn(server.store.rows, 'get').mockRejectedValue(error)
    vi.spyOn(server.store.rows, 'openScanner').mockRejectedValue(error)
    expect((await server.get(path)).status).toBe(503)
    expect(counted()).toEqual(failed(resource, code))
    expect(server.logged).toEqual([
      expect.stringMatching(new RegExp(`^warn: REST: requests fail with ${code}: the disk is gone; `)),
    ])
  })

  test('has failed a change of a schema, which is answered without a reason', async () => {
    vi.spyOn(server.store.catalog, 'modifyTable').mockRejectedValue(error)
    const headers = { 'Content-Type': 'application/json' }
    const reply = await server.ask('POST', '/t/schema', { headers, body: '{"ColumnSchema":[{"name":"h"}]}' })
    expect([reply.status, reply.text]).toEqual([503, 'Unavailable\r\n'])
    expect(counted()).toEqual(failed('schema', code, 'POST'))
  })
})

describe('what is the fault of the client', () => {
  test.each([
    ['/none/*', 500, 'scan', 'TABLE_NOT_FOUND'],
    ['/t/*?column=nosuch:q', 500, 'scan', 'NO_SUCH_COLUMN_FAMILY'],
    ['/t/*?starttime=9&endtime=5', 500, 'scan', 'ILLEGAL_ARGUMENT'],
    ['/t/*?filter=Nonsense', 500, 'scan', 'ILLEGAL_ARGUMENT'],
    ['/.bad/*', 500, 'scan', 'ILLEGAL_ARGUMENT'],
    ['/disabled/*', 500, 'scan', 'TABLE_NOT_ENABLED'],
    ['/none/a', 404, 'row', 'TABLE_NOT_FOUND'],
    ['/t/a/nosuch:q', 404, 'row', 'NO_SUCH_COLUMN_FAMILY'],
    ['/disabled/a', 404, 'row', 'TABLE_NOT_ENABLED'],
    ['/none/multiget?row=a', 500, 'multiget', 'TABLE_NOT_FOUND'],
    ['/none/schema', 404, 'schema', 'TABLE_NOT_FOUND'],
    ['/none/regions', 404, 'regions', 'TABLE_NOT_FOUND'],
    ['/namespaces/none', 500, 'namespaces', 'NAMESPACE_NOT_FOUND'],
  ] as const)('%s is %d, and refused', async (path, status, resource, code) => {
    await server.put('/disabled/schema', '{"ColumnSchema":[{"name":"f"}]}')
    await server.store.catalog.disableTable(parseTableName('disabled'), OWN_CALL)
    before = counts()
    expect((await server.get(path)).status).toBe(status)
    expect(counted()).toEqual(refused(resource, code))
    expect(server.logged).toEqual([])
  })

  test('a scanner that cannot be opened', async () => {
    expect((await server.put('/t/scanner', '{"startTime":9,"endTime":5}')).status).toBe(400)
    expect(counted()).toEqual(refused('scanner', 'ILLEGAL_ARGUMENT', 'PUT'))
  })

  test.each([
    ['which is short', 99, { 'tidegate_errors_total{rest,PROTOCOL}': 1 }],
    ['which is long', 99_999, refused('row', 'CALLER_GONE', 'PUT')],
  ])('a body that ends early, %s', async (_, bodyBytes, expected) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.on('error', () => undefined)
    const head = `PUT /t/a HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${bodyBytes}\r\n\r\n`
    socket.write(head, () => socket.destroy())
    await vi.waitFor(() => expect(counted()).toMatchObject(expected))
    expect(counted()).not.toHaveProperty(['tidegate_errors_total{rest,INTERNAL}'])
    expect(server.logged).toEqual([])
  })
})

test('a read that finds nothing is answered, and no refusal', async () => {
  for (const path of ['/t/nothing', '/t/a/f:nothing', '/t/multiget?row=nothing']) {
    expect((await server.get(path)).status, path).toBe(404)
    const problem = await server.get(path, 'application/problem+json, application/json')
    expect(problem.status, path).toBe(404)
  }
  expect(counted()).toEqual({
    'tidegate_requests_total{rest,row,GET,ok}': 4,
    'tidegate_requests_total{rest,multiget,GET,ok}': 2,
  })
})

test('a bug in the store is the fault of Tidegate, and logged as one', async () => {
  vi.spyOn(server.store.rows, 'openScanner').mockRejectedValue(new TypeError('x is not a function'))
  const { status, text } = await server.get('/t/*')
  expect([status, text]).toEqual([500, 'Server error\r\n'])
  expect(counted()).toEqual(failed('scan', 'INTERNAL'))
  expect(server.logged).toEqual([
    'error: REST: a bug in Tidegate: x is not a function; please report it with its stack',
  ])
})

test('a full disk is one line of the door and one of the store, however many writes it refuses', async () => {
  const session = await StoreUnderTest.open()
  const full = await startRestServer({}, {}, session.store)
  try {
    session.fileSystem.failAppends({ after: 0, writtenBytes: 0 })
    const puts = Array.from({ length: 300 }, (_, i) => full.put(`/t/r${i}`, rowJson(`r${i}`, ['f:q', 'v'])))
    const statuses = new Set((await Promise.all(puts)).map(({ status }) => status))
    expect([...statuses]).toEqual([503])
    expect(full.logged).toEqual([
      expect.stringMatching(
        /^warn: REST: requests fail with UNAVAILABLE: .*no space left on device.*; \/health/,
      ),
    ])
    const logged = session.logged.filter((line) => line.includes('write-ahead log cannot'))
    expect(logged).toEqual([expect.stringContaining('no space left on device')])
  } finally {
    session.fileSystem.repair()
    await full.close()
  }
})
