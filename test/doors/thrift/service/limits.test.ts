import { afterEach, beforeEach, expect, test } from 'vitest'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

let server: ThriftServer
beforeEach(async () => {
  server = await startThriftServer({
    batchMax: 3,
    scannersMax: 2,
    responseBytesMax: 250,
  })
  await server.thrift1()['createTable']!('t', [{ name: 'f' }])
})
afterEach(() => server.close())

const TOO_LARGE = { canRetry: false, message: expect.stringContaining('of at most') as string }
const batches = (count: number, value = 'v', isDelete = false) =>
  Array.from({ length: count }, (_, i) => ({
    row: `r${i}`,
    mutations: [{ column: 'f:q', value, isDelete }],
  }))
const puts = (count: number, value = 'v', fields = {}) =>
  Array.from({ length: count }, (_, i) => ({
    row: `r${i}`,
    columnValues: [{ family: 'f', qualifier: 'q', value }],
    ...fields,
  }))

test('actions in one request', async () => {
  const thrift1 = server.thrift1()
  const thrift2 = server.thrift2()
  const rows = ['a', 'b', 'c', 'd']
  await thrift1['mutateRows']!('t', batches(3), {})
  await thrift2['putMultiple']!('t', puts(3))
  await expect(thrift1['mutateRows']!('t', batches(4), {})).rejects.toMatchObject(TOO_LARGE)
  await expect(thrift1['mutateRows']!('t', batches(4, 'v', true), { a: 'b' })).rejects.toMatchObject(
    TOO_LARGE,
  )
  await expect(thrift1['getRows']!('t', rows, {})).rejects.toMatchObject(TOO_LARGE)
  await expect(
    thrift1['incrementRows']!(rows.map((row) => ({ table: 't', row, column: 'f:n', ammount: 1 }))),
  ).rejects.toMatchObject(TOO_LARGE)
  const gets = rows.map((row) => ({ row }))
  await expect(thrift2['putMultiple']!('t', puts(4))).rejects.toMatchObject(TOO_LARGE)
  await expect(thrift2['getMultiple']!('t', gets)).rejects.toMatchObject(TOO_LARGE)
  await expect(thrift2['existsAll']!('t', gets)).rejects.toMatchObject(TOO_LARGE)
  await expect(thrift2['deleteMultiple']!('t', gets)).rejects.toMatchObject(TOO_LARGE)
})

test('open scanners of a service: the one unused for the longest goes', async () => {
  const thrift1 = server.thrift1()
  const ids: number[] = []
  for (let i = 0; i < 3; i++) ids.push((await thrift1['scannerOpen']!('t', '', [], {})) as number)
  await server.thrift2()['openScanner']!('t', {})
  await expect(thrift1['scannerClose']!(ids[0])).rejects.toMatchObject({ name: 'IllegalArgument' })
  for (const id of ids.slice(1)) await thrift1['scannerClose']!(id)
})

test('open scanners of one client, over any connections', async () => {
  const limited = await startThriftServer({ clientScannersMax: 2 })
  await limited.thrift1()['createTable']!('t', [{ name: 'f' }])
  const opens = [
    () => limited.thrift1()['scannerOpen']!('t', '', [], {}),
    () => limited.thrift1()['scannerOpenTs']!('t', '', [], 9, {}),
    () => limited.thrift1()['scannerOpenWithStop']!('t', '', 'z', [], {}),
    () => limited.thrift1()['scannerOpenWithStopTs']!('t', '', 'z', [], 9, {}),
    () => limited.thrift1()['scannerOpenWithPrefix']!('t', 'a', [], {}),
    () => limited.thrift1()['scannerOpenWithScan']!('t', {}, {}),
  ]
  const ids: unknown[] = []
  for (const open of opens) ids.push(await open())
  const closed = ids.map((id) =>
    limited.thrift1()['scannerClose']!(id).then(
      () => 'closed',
      (error: Error) => error.name,
    ),
  )
  const gone = Array.from({ length: opens.length - 2 }, () => 'IllegalArgument')
  expect(await Promise.all(closed)).toEqual([...gone, 'closed', 'closed'])
  await limited.close()
})

test('bytes in one answer of a scan: the rest comes with the next', async () => {
  const thrift1 = server.thrift1()
  for (const row of ['a', 'b', 'c', 'd']) {
    await thrift1['mutateRow']!('t', row, [{ column: 'f:q', value: 'x'.repeat(90) }], {})
  }
  const id = await thrift1['scannerOpenWithScan']!('t', { caching: 1 }, {})
  const sizes: number[] = []
  for (;;) {
    const { length } = (await thrift1['scannerGetList']!(id, 100)) as unknown[]
    if (length === 0) break
    sizes.push(length)
  }
  expect(sizes.reduce((sum, size) => sum + size)).toBe(4)
  expect(sizes.length).toBeGreaterThan(1)
})

test('bytes in one answer of a scan do not bound those of gets', async () => {
  const thrift1 = server.thrift1()
  const rows = ['a', 'b', 'c', 'd']
  for (const row of rows) {
    await thrift1['mutateRow']!('t', row, [{ column: 'f:q', value: 'x'.repeat(100) }], {})
  }
  expect(await thrift1['getRows']!('t', rows.slice(1), {})).toHaveLength(3)
  const gets = rows.slice(1).map((row) => ({ row }))
  expect(await server.thrift2()['getMultiple']!('t', gets)).toHaveLength(3)
})

test('bytes in one answer do not bound a check whether rows exist', async () => {
  const rows = ['a', 'b', 'c']
  for (const row of rows) {
    await server.thrift1()['mutateRow']!('t', row, [{ column: 'f:q', value: 'x'.repeat(100) }], {})
  }
  const gets = [...rows, 'none'].map((row) => ({ row }))
  const thrift2 = server.thrift2()
  expect(await thrift2['existsAll']!('t', gets.slice(0, 3))).toEqual([true, true, true])
  expect(await thrift2['existsAll']!('t', gets.slice(1))).toEqual([true, true, false])
})
