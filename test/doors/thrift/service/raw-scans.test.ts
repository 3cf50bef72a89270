import { afterEach, beforeEach, expect, test } from 'vitest'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const TABLE = Buffer.from('t')
const COLUMN = { family: Buffer.from('f'), qualifier: Buffer.from('q') }
const DELETE_COLUMNS = 1
/** KeyValue.Type of a put and of a DELETE_COLUMNS. */
const PUT = 4
const DELETE_COLUMN = 12

interface Row {
  readonly columnValues: readonly { readonly type: number; readonly value: Buffer }[]
}

let server: ThriftServer
beforeEach(async () => {
  server = await startThriftServer()
  const client = server.thrift2()
  await client['createTable']!({ tableName: { qualifier: TABLE }, columns: [{ name: COLUMN.family }] })
  const row = Buffer.from('r')
  await client['put']!(TABLE, { row, columnValues: [{ ...COLUMN, value: Buffer.from('v') }] })
  await client['deleteSingle']!(TABLE, { row, columns: [COLUMN], deleteType: DELETE_COLUMNS })
})
afterEach(() => server.close())

async function scanned(attributes: Readonly<Record<string, Buffer>>, columns?: unknown): Promise<unknown> {
  const tscan = { attributes, maxVersions: 5, columns }
  const rows = (await server.thrift2()['getScannerResults']!(TABLE, tscan, 10)) as readonly Row[]
  return rows.map(({ columnValues }) => columnValues.map(({ type, value }) => [type, value.toString()]))
}

test("the attribute of Java's Scan.setRaw shows tombstones and what they hide", async () => {
  const all = [
    [
      [DELETE_COLUMN, ''],
      [PUT, 'v'],
    ],
  ]
  expect(await scanned({})).toEqual([])
  expect(await scanned({ _raw_: Buffer.of(0) })).toEqual([])
  expect(await scanned({ _raw_: Buffer.of(1) })).toEqual(all)
  expect(await scanned({ _raw_: Buffer.of(0xff) })).toEqual(all)
})

async function scannedByThrift1(attributes: Readonly<Record<string, Buffer>>): Promise<unknown> {
  const client = server.thrift1()
  const id = await client['scannerOpen']!(TABLE, Buffer.alloc(0), [], attributes)
  const rows = (await client['scannerGetList']!(id, 10)) as readonly unknown[]
  return rows.length
}

test("Thrift 1's attributes of reads count, as HBase hands them on", async () => {
  expect(await scannedByThrift1({})).toBe(0)
  expect(await scannedByThrift1({ _raw_: Buffer.of(1) })).toBe(1)
  const row = Buffer.from('r')
  const client = server.thrift1()
  expect(await client['getRow']!(TABLE, row, {})).toHaveLength(0)
  expect(await client['getRow']!(TABLE, row, { _raw_: Buffer.of(1) })).toHaveLength(1)
  await expect(client['getRow']!(TABLE, row, { _raw_: Buffer.alloc(2) })).rejects.toMatchObject({
    message: expect.stringContaining('Array has wrong size: 2'),
  })
})

async function got(attributes: Readonly<Record<string, Buffer>>, columns?: unknown): Promise<unknown> {
  const tget = { row: Buffer.from('r'), attributes, maxVersions: 5, columns }
  const { columnValues } = (await server.thrift2()['get']!(TABLE, tget)) as Row
  return columnValues.map(({ type, value }) => [type, value.toString()])
}

test('the same attribute makes a get raw, as HBase makes a scan of it', async () => {
  const all = [
    [DELETE_COLUMN, ''],
    [PUT, 'v'],
  ]
  expect(await got({})).toEqual([])
  expect(await got({ _raw_: Buffer.of(0) })).toEqual([])
  expect(await got({ _raw_: Buffer.of(1) })).toEqual(all)
  expect(await got({ _raw_: Buffer.of(0xff) }, [{ family: COLUMN.family }])).toEqual(all)
  await expect(got({ _raw_: Buffer.of(1) }, [COLUMN])).rejects.toMatchObject({
    message: expect.stringContaining('Cannot specify any column for a raw scan'),
  })
  await expect(got({ _raw_: Buffer.of(1, 1) })).rejects.toMatchObject({
    message: expect.stringContaining('Array has wrong size: 2'),
  })
})

test('a raw scan of columns is refused, and so is an attribute of another size', async () => {
  await expect(scanned({ _raw_: Buffer.of(1) }, [COLUMN])).rejects.toMatchObject({
    message: expect.stringContaining('Cannot specify any column for a raw scan'),
  })
  await expect(scanned({ _raw_: Buffer.of(1, 1) })).rejects.toMatchObject({
    message: expect.stringContaining('Array has wrong size: 2'),
  })
})
