/** The unmodified npm package `hbase` against the REST door. */

import { createRequire } from 'node:module'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type RestServer, startRestServer } from '../doors/rest/rest-server.ts'

type Done<T> = (error: Error | null, result: T) => void

interface Cell {
  readonly key?: string
  readonly column: string
  readonly timestamp: number
  readonly $: string
}

interface Row {
  get(done: Done<Cell[]>): void
  get(column: string | string[], options: object, done: Done<Cell[]>): void
  put(columns: string | string[], values: string | string[], done: Done<true>): void
  put(columns: string[], values: string[], timestamps: number[], done: Done<true>): void
  put(cells: readonly object[], done: Done<true>): void
  exists(done: Done<boolean>): void
  exists(column: string, done: Done<boolean>): void
  delete(done: Done<true>): void
  delete(columns: string[], done: Done<true>): void
}

interface Table {
  create(schema: string | object, done: Done<true>): void
  update(schema: object, done: Done<true>): void
  exists(done: Done<boolean>): void
  delete(done: Done<true>): void
  schema(done: Done<{ name: string; ColumnSchema: { name: string; VERSIONS: string }[] }>): void
  regions(done: Done<{ name: string; Region: { startKey: string }[] }>): void
  row(key?: string | null): Row
  scan(options: object, done: Done<Cell[]>): void
}

interface Client {
  version(done: Done<{ Version: string }>): void
  version_cluster(done: Done<{ Version: string } | string>): void
  status_cluster(done: Done<{ regions: number; LiveNodes: unknown[] }>): void
  tables(done: Done<{ name: string }[]>): void
  table(name: string): Table
}

const hbase = createRequire(import.meta.url)('hbase') as (options: object) => Client

/** Calls a method whose last parameter is a callback. */
function call<T>(start: (done: Done<T>) => void): Promise<T> {
  return promisify(start)()
}

let server: RestServer
let client: Client
let table: Table

beforeAll(async () => {
  server = await startRestServer()
  client = hbase({ host: '127.0.0.1', port: server.port })
  table = client.table('cities')
  await call((done) =>
    table.create({ ColumnSchema: [{ name: 'facts' }, { name: 'people', VERSIONS: '5' }] }, done),
  )
})

afterAll(() => server.close())

const row = (key: string): Row => table.row(key)

describe('the hbase client', () => {
  test('knows the server', async () => {
    expect((await call<{ Version: string }>((done) => client.version(done))).Version).toBe('2.6.1')
    expect(await call((done) => client.version_cluster(done))).toEqual({ Version: '2.6.1' })
    expect(
      (await call<{ LiveNodes: unknown[] }>((done) => client.status_cluster(done))).LiveNodes,
    ).toHaveLength(1)
    expect(await call((done) => client.tables(done))).toContainEqual({ name: 'cities' })
  })

  test('creates, reads, extends and drops tables', async () => {
    const other = client.table('other')
    expect(await call((done) => other.create('family', done))).toBe(true)
    expect(await call((done) => other.exists(done))).toBe(true)
    expect(
      await call((done) => other.update({ ColumnSchema: [{ name: 'more', VERSIONS: '9' }] }, done)),
    ).toBe(true)
    const schema = await call<{ ColumnSchema: { name: string; VERSIONS: string }[] }>((done) =>
      other.schema(done),
    )
    expect(schema.ColumnSchema.map(({ name, VERSIONS }) => [name, VERSIONS])).toEqual([
      ['family', '1'],
      ['more', '9'],
    ])
    expect((await call<{ Region: unknown[] }>((done) => other.regions(done))).Region).toHaveLength(1)
    expect(await call((done) => other.delete(done))).toBe(true)
    expect(await call((done) => other.exists(done))).toBe(false)
  })

  test('puts and gets', async () => {
    expect(await call((done) => row('bern').put('facts:name', 'Bern', done))).toBe(true)
    const columns = ['people:count', 'people:year']
    await call((done) => row('bern').put(columns, ['133883', '2020'], [10, 20], done))
    const cells = await call<Cell[]>((done) => row('bern').get(done))
    expect(cells.map(({ column, $ }) => [column, $])).toEqual([
      ['facts:name', 'Bern'],
      ['people:count', '133883'],
      ['people:year', '2020'],
    ])
    await call((done) => row('bern').put(['people:count'], ['121631'], [5], done))
    const counts = await call<Cell[]>((done) => row('bern').get('people:count', { v: 5 }, done))
    expect(counts.map(({ timestamp, $ }) => [timestamp, $])).toEqual([
      [10, '133883'],
      [5, '121631'],
    ])
    const early = await call<Cell[]>((done) => row('bern').get('people:count', { start: 1, end: 10 }, done))
    expect(early.map(({ $ }) => $)).toEqual(['121631'])
  })

  test('puts many rows at once and gets them by prefix', async () => {
    const cells = ['ch/a', 'ch/b', 'de/c'].map((key) => ({ key, column: 'facts:name', $: key, timestamp: 7 }))
    expect(await call((done) => table.row(null).put(cells, done))).toBe(true)
    const found = await call<Cell[]>((done) => row('ch*').get(done))
    expect(found.map(({ key, $ }) => [key, $])).toEqual([
      ['ch/a', 'ch/a'],
      ['ch/b', 'ch/b'],
    ])
    expect((await call<Cell[]>((done) => row('de/c').get(done))).map(({ $ }) => $)).toEqual(['de/c'])
  })

  test('sees what exists, and deletes', async () => {
    await call((done) => row('gone').put(['facts:a', 'facts:b'], ['1', '2'], done))
    expect(await call((done) => row('gone').exists('facts:a', done))).toBe(true)
    expect(await call((done) => row('gone').delete(['facts:a'], done))).toBe(true)
    expect(await call((done) => row('gone').exists('facts:a', done))).toBe(false)
    expect(await call((done) => row('gone').exists(done))).toBe(true)
    expect(await call((done) => row('gone').delete(done))).toBe(true)
    expect(await call((done) => row('gone').exists(done))).toBe(false)
    await expect(call((done) => row('gone').get(done))).rejects.toMatchObject({ code: 404 })
  })

  test('scans to the end', async () => {
    const keys = Array.from({ length: 2500 }, (_, i) => `scan${String(i).padStart(4, '0')}`)
    const cells = keys.map((key) => ({ key, column: 'facts:name', $: key }))
    await call((done) => table.row(null).put(cells, done))
    const options = { startRow: 'scan', endRow: 'scao', column: 'facts', batch: 400 }
    const found = await call<Cell[]>((done) => table.scan(options, done))
    expect(found.map(({ key }) => key)).toEqual(keys)
    const few = await call<Cell[]>((done) => table.scan({ startRow: 'scan1000', endRow: 'scan1003' }, done))
    expect(few.map(({ $ }) => $)).toEqual(['scan1000', 'scan1001', 'scan1002'])
  })
})
