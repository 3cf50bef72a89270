import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECTS, startThriftServer, type ThriftServer } from '../doors/thrift/service/thrift-server.ts'
import { bigintOf, type Int64, int64 } from '../harness/thrift-package.ts'
import type { StubClient } from '../harness/thrift-stubs.ts'

interface TCell {
  readonly value: Buffer
  readonly timestamp: Int64
}
interface TRowResult {
  readonly row: Buffer
  readonly columns: Readonly<Record<string, TCell>>
  readonly sortedColumns: readonly { readonly columnName: Buffer; readonly cell: TCell }[] | null
}

const LONG_MAX = 2n ** 63n - 1n

let server: ThriftServer
beforeAll(async () => {
  server = await startThriftServer()
})
afterAll(() => server.close())

/** Sends the calls of happybase's Table methods. Returns plain values. */
class Table {
  readonly #client: StubClient
  readonly #name: string

  constructor(client: StubClient, name: string) {
    this.#client = client
    this.#name = name
  }

  async put(row: string, columns: Readonly<Record<string, string>>, timestamp?: bigint): Promise<void> {
    const mutations = Object.entries(columns).map(([column, value]) => ({ column, value }))
    if (timestamp === undefined) await this.#client['mutateRow']!(this.#name, row, mutations, {})
    else await this.#client['mutateRowTs']!(this.#name, row, mutations, int64(timestamp), {})
  }

  async row(row: string): Promise<Record<string, string>> {
    const [result] = (await this.#client['getRow']!(this.#name, row, {})) as TRowResult[]
    return result === undefined ? {} : textOf(result)
  }

  async cells(row: string, column: string): Promise<[string, bigint][]> {
    const cells = (await this.#client['getVer']!(this.#name, row, column, 100, {})) as TCell[]
    return cells.map(({ value, timestamp }) => [value.toString(), bigintOf(timestamp)])
  }

  async scan(fields: Readonly<Record<string, unknown>>): Promise<[string, Record<string, string>][]> {
    const id = await this.#client['scannerOpenWithScan']!(this.#name, fields, {})
    const found = await this.#all(id)
    await this.#client['scannerClose']!(id)
    return found
  }

  async scanPrefix(prefix: string, columns: readonly string[]): Promise<string[]> {
    const id = await this.#client['scannerOpenWithPrefix']!(this.#name, prefix, columns, {})
    return (await this.#all(id)).map(([row]) => row)
  }

  async #all(id: unknown): Promise<[string, Record<string, string>][]> {
    const found: [string, Record<string, string>][] = []
    for (;;) {
      const page = (await this.#client['scannerGetList']!(id, 2)) as TRowResult[]
      if (page.length === 0) return found
      for (const result of page) found.push([result.row.toString(), textOf(result)])
    }
  }
}

function textOf({ columns }: TRowResult): Record<string, string> {
  return Object.fromEntries(Object.entries(columns).map(([name, { value }]) => [name, value.toString()]))
}

describe.each(DIALECTS)('the thrift package on Thrift 1 over $name', (dialect) => {
  test('a session: a table, puts, gets, a scan by prefix, counters, deletes', async () => {
    const client = server.thrift1(dialect)
    const name = `session_${dialect.name.replace(/\W/g, '_')}`
    await client['createTable']!(name, [{ name: 'cf:', maxVersions: 3 }, { name: 'd' }])
    expect(((await client['getTableNames']!()) as Buffer[]).map(String)).toContain(name)
    const table = new Table(client, name)
    for (const row of ['1', '1,3', '1,3,6', '1,3,7', '1,4', '1,4,8', '10', '10,77', '2', '2,5']) {
      await table.put(row, { 'd:m': `{"id":"${row}"}` })
    }
    expect(await table.scanPrefix('1,', ['d:m'])).toEqual(['1,3', '1,3,6', '1,3,7', '1,4', '1,4,8'])
    expect(await table.scanPrefix('10,', [])).toEqual(['10,77'])
    expect((await table.scan({ startRow: '10', stopRow: '2' })).map(([row]) => row)).toEqual(['10', '10,77'])
    expect((await table.scan({ startRow: '2', stopRow: '10', reversed: true })).map(([row]) => row)).toEqual([
      '2',
      '10,77',
    ])

    await table.put('r', { 'cf:a': '1', 'cf:b': '2', 'cf:': 'no qualifier' })
    expect(await table.row('r')).toEqual({ 'cf:': 'no qualifier', 'cf:a': '1', 'cf:b': '2' })
    expect(await table.row('missing')).toEqual({})

    expect(bigintOf((await client['atomicIncrement']!(name, 'r', 'cf:n', int64(5n))) as Int64)).toBe(5n)
    const sum = (await client['atomicIncrement']!(name, 'r', 'cf:n', int64(LONG_MAX))) as Int64
    expect(bigintOf(sum)).toBe(-(2n ** 63n) + 4n)

    await client['deleteAll']!(name, 'r', 'cf:a', {})
    await client['deleteAllRow']!(name, '1,3', {})
    expect(Object.keys(await table.row('r'))).toEqual(['cf:', 'cf:b', 'cf:n'])
    expect(await table.row('1,3')).toEqual({})

    await client['disableTable']!(name)
    expect(await client['isTableEnabled']!(name)).toBe(false)
    await client['deleteTable']!(name)
  })

  test('every int64 is exact as a timestamp', async () => {
    const client = server.thrift1(dialect)
    const name = `times_${dialect.name.replace(/\W/g, '_')}`
    await client['createTable']!(name, [{ name: 'f', maxVersions: 10 }])
    const table = new Table(client, name)
    const times = [1n, 2n ** 53n + 1n, 1579132800000000000n, LONG_MAX - 1n]
    for (const time of times) await table.put('r', { 'f:q': String(time) }, time)
    expect(await table.cells('r', 'f:q')).toEqual(times.reverse().map((time) => [String(time), time]))
    await expect(table.put('r', { 'f:q': 'x' }, -1n)).rejects.toMatchObject({
      name: 'IllegalArgument',
      message: 'java.lang.IllegalArgumentException: Timestamp cannot be negative. ts=-1',
    })
    await table.put('now', { 'f:q': 'x' }, LONG_MAX)
    const [[, now] = ['', 0n]] = await table.cells('now', 'f:q')
    expect(Math.abs(Number(now) - Date.now())).toBeLessThan(60_000)
  })

  test('the time dimension of a row: a far future is neither lost nor deleted by accident', async () => {
    const client = server.thrift1(dialect)
    const name = `ts_${dialect.name.replace(/\W/g, '_')}`
    await client['createTable']!(name, [{ name: 't', maxVersions: 100 }])
    const table = new Table(client, name)
    const far = 1579141440000000n
    await table.put('e', { 't:v': 'house' }, far)
    await client['deleteAllRow']!(name, 'e', {})
    await client['deleteAll']!(name, 'e', 't:v', {})
    await table.put('e', { 't:v': 'hidden' })
    expect(await table.row('e')).toEqual({ 't:v': 'house' })
    await client['deleteAllTs']!(name, 'e', 't:v', int64(far), {})
    expect(await table.row('e')).toEqual({})
  })
})

test('bytes are bytes: rows, qualifiers and values that are no text', async () => {
  const client = server.thrift1()
  await client['createTable']!('bytes', [{ name: 'f' }])
  const row = Buffer.from([0, 255, 128, 10])
  const column = Buffer.from([0x66, 0x3a, 0x3a, 0, 254])
  const value = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
  await client['mutateRows']!('bytes', [{ row, mutations: [{ column, value }] }], {})
  const [cell] = (await client['get']!('bytes', row, column, {})) as TCell[]
  expect(cell?.value).toEqual(value)
  const id = await client['scannerOpenWithPrefix']!('bytes', Buffer.from([0, 255]), [], {})
  const [found] = (await client['scannerGet']!(id)) as TRowResult[]
  expect(found?.row).toEqual(row)
})

test('sortColumns answers with a list that keeps all cells of a row', async () => {
  const client = server.thrift1()
  await client['createTable']!('sorted', [{ name: 'f', maxVersions: 2 }])
  const table = new Table(client, 'sorted')
  await table.put('r', { 'f:b': '2', 'f:a': '1' })
  const id = await client['scannerOpenWithScan']!('sorted', { sortColumns: true }, {})
  const [result] = (await client['scannerGet']!(id)) as TRowResult[]
  expect(result?.columns).toBeNull()
  expect(result?.sortedColumns?.map(({ columnName }) => columnName.toString())).toEqual(['f:a', 'f:b'])
})
