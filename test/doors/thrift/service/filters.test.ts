import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeFilter } from '../../../../src/filter/protobuf/encode-filter.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

let server: ThriftServer
beforeAll(async () => {
  server = await startThriftServer()
  const thrift1 = server.thrift1()
  await thrift1['createTable']!('t', [{ name: 'f' }])
  for (const row of ['a', 'b', 'c']) {
    await thrift1['mutateRow']!('t', row, [{ column: 'f:q', value: row }], {})
  }
})
afterAll(() => server.close())

const filterBytes = Buffer.from(encodeFilter({ kind: 'PrefixFilter', prefix: Buffer.from('b') }))

test('Thrift 1 scans take the filter language', async () => {
  const thrift1 = server.thrift1()
  const id = await thrift1['scannerOpenWithScan']!('t', { filterString: "PrefixFilter('b')" }, {})
  expect(await thrift1['scannerGetList']!(id, 9)).toMatchObject([{ row: Buffer.from('b') }])
})

test('Thrift 2 takes both forms in gets and scans; of both the bytes count', async () => {
  const thrift2 = server.thrift2()
  const scanned = (fields: object) => thrift2['getScannerResults']!('t', fields, 9)
  expect(await scanned({ filterString: "PrefixFilter('c')" })).toMatchObject([{ row: Buffer.from('c') }])
  expect(await scanned({ filterBytes })).toMatchObject([{ row: Buffer.from('b') }])
  expect(await scanned({ filterBytes, filterString: "PrefixFilter('c')" })).toHaveLength(1)
  expect(await thrift2['exists']!('t', { row: 'b', filterBytes })).toBe(true)
  expect(await thrift2['exists']!('t', { row: 'c', filterBytes })).toBe(false)
  expect(
    await thrift2['existsAll']!('t', [
      { row: 'b', filterBytes },
      { row: 'c', filterBytes },
    ]),
  ).toEqual([true, false])
})

test('a string that is no filter is an internal error, as in HBase, with the reason behind it', async () => {
  const reason = expect.stringMatching(/^Internal error processing \w+: .*at character 1/) as string
  const filterString = 'Nope()'
  const refused = { type: 6, message: reason }
  await expect(server.thrift1()['scannerOpenWithScan']!('t', { filterString }, {})).rejects.toMatchObject(
    refused,
  )
  await expect(server.thrift2()['get']!('t', { row: 'a', filterString })).rejects.toMatchObject(refused)
  await expect(server.thrift2()['openScanner']!('t', { filterString, filterBytes })).rejects.toMatchObject(
    refused,
  )
})

test('bytes that are no filter are a TIOError', async () => {
  const thrift2 = server.thrift2()
  const unknown = Buffer.from('\x0a\x04Nope', 'latin1')
  await expect(thrift2['get']!('t', { row: 'a', filterBytes: unknown })).rejects.toMatchObject({
    canRetry: false,
    message: 'java.lang.ClassNotFoundException: Nope',
  })
  await expect(thrift2['get']!('t', { row: 'a', filterBytes: Buffer.of(0xff) })).rejects.toMatchObject({
    canRetry: true,
  })
})
