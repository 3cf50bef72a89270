import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DIALECTS, startThriftServer, type ThriftServer } from '../doors/thrift/service/thrift-server.ts'
import { bigintOf, type Int64, int64 } from '../harness/thrift-package.ts'

interface TColumnValue {
  readonly family: Buffer
  readonly qualifier: Buffer
  readonly value: Buffer
  readonly timestamp: Int64
}
interface TResult {
  readonly row: Buffer | null
  readonly columnValues: readonly TColumnValue[]
  readonly partial: boolean
}

const LONG_MAX = 2n ** 63n - 1n

let server: ThriftServer
beforeAll(async () => {
  server = await startThriftServer()
})
afterAll(() => server.close())

const cell = (family: string, qualifier: string, value: string, fields: Record<string, unknown> = {}) => ({
  family,
  qualifier,
  value,
  ...fields,
})
const tableOf = (qualifier: string, ...columns: unknown[]) => ({ tableName: { qualifier }, columns })

function textOf(result: unknown): string[] {
  const { columnValues } = result as TResult
  return columnValues.map(
    ({ family, qualifier, value }) => `${family.toString()}:${qualifier.toString()}=${value.toString()}`,
  )
}
const rowsOf = (results: unknown) => (results as TResult[]).map(({ row }) => row?.toString())

describe.each(DIALECTS)('the thrift package on Thrift 2 over $name', (dialect) => {
  const named = (name: string) => `${name}_${dialect.name.replace(/\W/g, '_')}`

  test('a session: a table, puts, gets, scans, counters, checks, deletes', async () => {
    const client = server.thrift2(dialect)
    const name = named('session2')
    await client['createTable']!(
      tableOf(name, { name: 'f', maxVersions: 3 }, { name: 'g', timeToLive: 86400 }),
      ['m'],
    )
    expect(await client['tableExists']!({ qualifier: name })).toBe(true)
    expect(await client['getAllRegionLocations']!(name)).toHaveLength(2)

    await client['put']!(name, { row: 'a', columnValues: [cell('f', 'x', '1'), cell('g', '', 'e')] })
    await client['putMultiple']!(
      name,
      ['b', 'c', 'n', 'z'].map((row) => ({ row, columnValues: [cell('f', 'x', row)] })),
    )
    expect(textOf(await client['get']!(name, { row: 'a' }))).toEqual(['f:x=1', 'g:=e'])
    expect(((await client['get']!(name, { row: 'missing' })) as TResult).row).toBeNull()
    expect(await client['exists']!(name, { row: 'a' })).toBe(true)
    expect(await client['exists']!(name, { row: 'missing' })).toBe(false)
    expect(rowsOf(await client['getMultiple']!(name, [{ row: 'z' }, { row: 'b' }]))).toEqual(['z', 'b'])

    const id = await client['openScanner']!(name, { startRow: 'b', stopRow: 'z', caching: 1 })
    expect(rowsOf(await client['getScannerRows']!(id, 2))).toEqual(['b', 'c'])
    expect(rowsOf(await client['getScannerRows']!(id, 2))).toEqual(['n'])
    expect(rowsOf(await client['getScannerRows']!(id, 2))).toEqual([])
    await client['closeScanner']!(id)
    await expect(client['getScannerRows']!(id, 1)).rejects.toMatchObject({
      name: 'TIllegalArgument',
      message: 'Invalid scanner Id',
    })
    expect(rowsOf(await client['getScannerResults']!(name, { reversed: true }, 2))).toEqual(['z', 'n'])

    const columns = [{ family: 'f', qualifier: 'n', amount: int64(2n ** 53n + 1n) }]
    const counted = (await client['increment']!(name, { row: 'a', columns })) as TResult
    expect(counted.columnValues[0]?.value.readBigInt64BE()).toBe(2n ** 53n + 1n)
    expect(textOf(await client['append']!(name, { row: 'b', columns: [cell('f', 'x', '!')] }))).toEqual([
      'f:x=b!',
    ])

    const second = { row: 'a', columnValues: [cell('f', 'x', '2')] }
    expect(await client['checkAndPut']!(name, 'a', 'f', 'x', '9', second)).toBe(false)
    expect(await client['checkAndPut']!(name, 'a', 'f', 'x', '1', second)).toBe(true)
    const changes = {
      row: 'a',
      mutations: [
        { put: { row: 'a', columnValues: [cell('f', 'y', '3')] } },
        { deleteSingle: { row: 'a', columns: [{ family: 'f', qualifier: 'n' }] } },
      ],
    }
    expect(await client['checkAndMutate']!(name, 'a', 'f', 'x', 2, '2', changes)).toBe(true)
    expect(textOf(await client['get']!(name, { row: 'a' }))).toEqual(['f:x=2', 'f:y=3', 'g:=e'])

    await client['deleteSingle']!(name, { row: 'a', columns: [{ family: 'g' }], deleteType: 2 })
    expect(await client['deleteMultiple']!(name, [{ row: 'b' }, { row: 'c' }])).toEqual([])
    expect(rowsOf(await client['getScannerResults']!(name, {}, 10))).toEqual(['a', 'n', 'z'])
    await client['disableTable']!({ qualifier: name })
    await client['deleteTable']!({ qualifier: name })
  })

  test('every int64 is exact as a timestamp; one that is negative is refused at once', async () => {
    const client = server.thrift2(dialect)
    const name = named('times2')
    await client['createTable']!(tableOf(name, { name: 'f', maxVersions: 10 }), null)
    const times = [1n, 2n ** 53n + 1n, 1579132800000000000n, LONG_MAX - 1n]
    for (const time of times) {
      const columnValues = [cell('f', 'q', String(time), { timestamp: int64(time) })]
      await client['put']!(name, { row: 'r', columnValues })
    }
    const all = (await client['get']!(name, { row: 'r', maxVersions: 10 })) as TResult
    expect(all.columnValues.map(({ timestamp }) => bigintOf(timestamp))).toEqual(times.reverse())
    const one = await client['get']!(name, { row: 'r', timestamp: int64(2n ** 53n + 1n) })
    expect(textOf(one)).toEqual([`f:q=${2n ** 53n + 1n}`])
    const negative = { row: 'r', columnValues: [cell('f', 'q', 'x', { timestamp: int64(-1n) })] }
    await expect(client['put']!(name, negative)).rejects.toMatchObject({
      name: 'TIOError',
      message: 'org.apache.hadoop.hbase.DoNotRetryIOException: Timestamp cannot be negative. ts=-1',
      canRetry: false,
    })
  })
})

test('a delta: the cells of a time range, its end left out', async () => {
  const client = server.thrift2()
  await client['createTable']!(tableOf('delta', { name: 'd' }), null)
  for (const time of [1000n, 2000n, 3000n, 4000n]) {
    await client['put']!('delta', {
      row: String(time),
      columnValues: [cell('d', 'm', 'x')],
      timestamp: int64(time),
    })
  }
  const timeRange = { minStamp: int64(2000n), maxStamp: int64(4000n) }
  expect(rowsOf(await client['getScannerResults']!('delta', { timeRange }, 10))).toEqual(['2000', '3000'])
})

test('a wide row comes in batches, and says which of them are not its last', async () => {
  const client = server.thrift2()
  await client['createTable']!(tableOf('wide', { name: 'f' }), null)
  const columnValues = Array.from({ length: 5 }, (_, index) => cell('f', `q${index}`, 'v'))
  await client['putMultiple']!('wide', [
    { row: 'a', columnValues },
    { row: 'b', columnValues },
  ])
  const id = await client['openScanner']!('wide', { batchSize: 2 })
  const shape: string[] = []
  for (;;) {
    const results = (await client['getScannerRows']!(id, 2)) as TResult[]
    if (results.length === 0) break
    for (const { row, columnValues: cells, partial } of results) {
      shape.push(`${row?.toString()}${cells.length}${partial ? '+' : ''}`)
    }
  }
  expect(shape).toEqual(['a2+', 'a2+', 'a1', 'b2+', 'b2+', 'b1'])
})
