import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import { readOnly } from '../../../src/gateway/policies/read-only.ts'
import { DEFAULT_MUTATION_OPTIONS, MutationBatch } from '../../../src/model/mutation.ts'
import { get } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { withFacets } from '../../../src/store/decorate.ts'
import type { Store } from '../../../src/store/store.ts'
import type { Upkeep } from '../../../src/store/upkeep.ts'
import { type RestServer, rowJson, startRestServer } from '../../doors/rest/rest-server.ts'
import { startThriftServer, type ThriftServer } from '../../doors/thrift/service/thrift-server.ts'

const TABLE = parseTableName('t')
const ROW = Buffer.from('r')

/** A part of upkeep whose every method answers its own name. */
function naming(...methods: string[]): object {
  return Object.fromEntries(methods.map((name) => [name, () => Promise.resolve(name)]))
}

const UPKEEP = {
  flushes: naming('flushTable', 'flushRegion'),
  fileTrackers: naming('setTracker'),
  peers: naming('changePeer', 'peerChanges', 'listPeers', 'sourceLoads'),
  chores: naming('balance', 'normalize', 'scanCatalog', 'clean'),
  compactions: naming('compactTable', 'compactRegion', 'compactionState'),
  regions: naming(
    'splitTable',
    'splitRegion',
    'mergeRegions',
    'moveRegion',
    'assignRegion',
    'unassignRegion',
    'truncateRegion',
  ),
  snapshots: naming('listSnapshots', 'createSnapshot', 'deleteSnapshot', 'restoreSnapshot', 'cloneSnapshot'),
  loads: naming('regionLoads', 'requestFigures'),
  cluster: naming('hbaseVersion', 'status', 'regionLoads', 'procedures'),
}

async function tableOfOneRow(): Promise<Store> {
  const store = openMemoryStore({ clock: { now: () => 1 } })
  const server = await startRestServer({}, {}, store)
  expect((await server.put('/t/r', rowJson('r', ['f:q', 'v', 1]))).status).toBe(200)
  return store
}

type Called = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>

describe('a store that can only be read', () => {
  let store: Store
  beforeAll(async () => {
    store = readOnly(withFacets(await tableOfOneRow(), { upkeep: UPKEEP as Upkeep }))
  })

  const CHANGES = [
    ['catalog', ['createNamespace', 'modifyNamespace', 'deleteNamespace', 'createTable', 'modifyTable']],
    ['catalog', ['deleteTable', 'truncateTable', 'enableTable', 'disableTable']],
    ['rows', ['mutate', 'mutateRow', 'mutateRows']],
  ] as const
  test.each(CHANGES.flatMap(([facet, methods]) => methods.map((method) => [facet, method] as const)))(
    'refuses %s.%s',
    async (facet, method) => {
      const { [method]: change } = store[facet] as unknown as Called
      await expect(change!(TABLE, [], OWN_CALL)).rejects.toMatchObject({ code: 'READ_ONLY', mayRetry: false })
    },
  )

  const READS = new Set([
    'compactionState',
    'listSnapshots',
    'regionLoads',
    'requestFigures',
    'hbaseVersion',
    'status',
    'listPeers',
    'sourceLoads',
    'procedures',
    'peerChanges',
  ])
  const upkeepMethods = Object.entries(UPKEEP).flatMap(([part, methods]) =>
    Object.keys(methods).map((method) => [part, method] as const),
  )
  test.each(upkeepMethods)('refuses %s.%s unless it reads', async (part, method) => {
    const { [method]: called } = store.upkeep[part as keyof Upkeep] as unknown as Called
    if (READS.has(method)) expect(await called!()).toBe(method)
    else await expect(called!()).rejects.toMatchObject({ code: 'READ_ONLY' })
  })

  test('is read as before, and keeps what it has', async () => {
    const batch = new MutationBatch().put(ROW, Buffer.from('f'), Buffer.from('q'), Buffer.from('w'))
    batch.endMutation()
    await expect(store.rows.mutate(TABLE, batch, OWN_CALL)).rejects.toThrow()
    const mutation = { row: ROW, operations: [], options: DEFAULT_MUTATION_OPTIONS }
    await expect(store.rows.mutateRow(TABLE, mutation, OWN_CALL)).rejects.toThrow()
    const { counts, cells } = await store.rows.get(TABLE, [get(ROW)], { bytes: 1000 }, OWN_CALL)
    expect(counts).toEqual([1])
    expect(cells.buffer.toString('latin1', cells.start, cells.end)).toMatch(/v$/)
    expect(await store.catalog.tableExists(TABLE, OWN_CALL)).toBe(true)
    expect(readOnly(withFacets(store, { upkeep: {} })).upkeep).toEqual({})
  })
})

describe('REST', () => {
  let server: RestServer
  beforeAll(async () => {
    server = await startRestServer({}, {}, readOnly(await tableOfOneRow()))
  })
  afterAll(() => server.close())

  const JSON_BODY = { 'Content-Type': 'application/json' }
  test.each([
    ['PUT', '/t/r', rowJson('r', ['f:q', 'w'])],
    ['POST', '/t/r', rowJson('r', ['f:q', 'w'])],
    ['PUT', '/t/r?check=put', rowJson('r', ['f:q', 'w'], ['f:q', 'v'])],
    ['PUT', '/t/r?check=increment', rowJson('r', ['f:i', '1'])],
    ['DELETE', '/t/r', undefined],
    ['PUT', '/t/schema', '{"ColumnSchema":[{"name":"g"}]}'],
    ['POST', '/t/schema', '{"ColumnSchema":[{"name":"h"}]}'],
    ['PUT', '/new/schema', '{"ColumnSchema":[{"name":"g"}]}'],
    ['DELETE', '/t/schema', undefined],
    ['POST', '/namespaces/ns', undefined],
    ['PUT', '/namespaces/default', undefined],
    ['DELETE', '/namespaces/default', undefined],
  ])('%s %s is HBase’s 403', async (method, path, body) => {
    const question = body === undefined ? {} : { headers: JSON_BODY, body }
    const reply = await server.ask(method, path, question)
    expect([reply.status, reply.text]).toEqual([
      403,
      'Forbidden\r\nthis server takes no changes (--read-only)\r\n',
    ])
    expect(reply.headers['content-type']).toBe('text/plain')
  })

  test('reads, and holds scanners', async () => {
    expect((await server.get('/t/r')).status).toBe(200)
    const { status, headers } = await server.put('/t/scanner', '{}')
    expect(status).toBe(201)
    expect((await server.ask('DELETE', new URL(headers['location']!).pathname)).status).toBe(200)
  })
})

describe('Thrift', () => {
  let server: ThriftServer
  beforeAll(async () => {
    const { rows, catalog } = readOnly(await tableOfOneRow())
    server = await startThriftServer({}, () => ({ rows, catalog }))
  })
  afterAll(() => server.close())

  const put = { row: 'r', columnValues: [{ family: 'f', qualifier: 'q', value: 'w' }] }

  test.each([
    ['mutateRow', ['t', 'r', [{ column: 'f:q', value: 'w' }], {}]],
    ['mutateRows', ['t', [{ row: 'r', mutations: [{ column: 'f:q', value: 'w' }] }], {}]],
    ['deleteAllRow', ['t', 'r', {}]],
    ['createTable', ['u', [{ name: 'f' }]]],
    ['disableTable', ['t']],
  ])('1 refuses %s with an IOError', async (method, args) => {
    await expect(server.thrift1()[method]!(...args)).rejects.toMatchObject({
      name: 'IOError',
      canRetry: false,
      message: 'org.apache.hadoop.hbase.DoNotRetryIOException: this server takes no changes (--read-only)',
    })
  })

  test.each([
    ['put', ['t', put]],
    ['putMultiple', ['t', [put]]],
    ['deleteSingle', ['t', { row: 'r' }]],
    ['increment', ['t', { row: 'r', columns: [{ family: 'f', qualifier: 'i' }] }]],
    ['disableTable', [{ ns: 'default', qualifier: 't' }]],
  ])('2 refuses %s with HBase’s TIOError', async (method, args) => {
    await expect(server.thrift2()[method]!(...args)).rejects.toMatchObject({
      name: 'TIOError',
      canRetry: false,
      message: 'Thrift Server is in Read-only mode. this server takes no changes (--read-only)',
    })
  })
})
