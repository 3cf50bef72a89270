/** Calls that HBase's gateways retry for minutes or for ever, so that no recording has them. Tidegate answers at once. */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { encodeFilter } from '../../../../src/filter/protobuf/encode-filter.ts'
import type { Filter } from '../../../../src/model/filter.ts'
import { int64 } from '../../../harness/thrift-package.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

let server: ThriftServer
beforeAll(async () => {
  server = await startThriftServer()
  const client = server.thrift1()
  for (const table of ['t', 'disabled']) await client['createTable']!(table, [{ name: 'f' }])
  await client['disableTable']!('disabled')
})
afterAll(() => server.close())

const cell = { family: 'f', qualifier: 'q', value: 'v' }
const OF_ROW = { row: 'r', columnValues: [cell] }

test.each([
  ['mutateRows', ['disabled', [{ row: 'r', mutations: [{ column: 'f:q', value: 'v' }] }], {}]],
  ['atomicIncrement', ['disabled', 'r', 'f:n', int64(1n)]],
])('%s of Thrift 1 refuses a disabled table', async (method, args) => {
  const message = expect.stringContaining('disabled is disabled.') as string
  await expect(server.thrift1()[method]!(...args)).rejects.toMatchObject({ canRetry: false, message })
})

test('a scanner of Thrift 1 refuses a disabled table when it is read', async () => {
  const client = server.thrift1()
  const id = await client['scannerOpen']!('disabled', '', [], {})
  const message = expect.stringContaining('disabled is disabled.') as string
  await expect(client['scannerGetList']!(id, 10)).rejects.toMatchObject({ canRetry: false, message })
})

test('Thrift 1 refuses an increment of no row, and of no qualifier', async () => {
  const client = server.thrift1()
  const row = client['atomicIncrement']!('t', '', 'f:n', int64(5n))
  await expect(row).rejects.toMatchObject({ name: 'IllegalArgument' })
  const column = client['increment']!({ table: 't', row: 'r', column: 'f', ammount: int64(3n) })
  await expect(column).rejects.toMatchObject({ name: 'TApplicationException' })
})

test.each([
  ['putMultiple', ['disabled', [OF_ROW]]],
  ['increment', ['disabled', { row: 'r', columns: [{ family: 'f', qualifier: 'n' }] }]],
])('%s of Thrift 2 refuses a disabled table', async (method, args) => {
  const message = expect.stringContaining('disabled is disabled.') as string
  await expect(server.thrift2()[method]!(...args)).rejects.toMatchObject({ canRetry: false, message })
})

test('a scanner of Thrift 2 refuses a disabled table when it is read', async () => {
  const client = server.thrift2()
  const id = await client['openScanner']!('disabled', {})
  const message = expect.stringContaining('disabled is disabled.') as string
  await expect(client['getScannerRows']!(id, 1)).rejects.toMatchObject({ canRetry: false, message })
})

test.each([
  ['deleteNamespace', ['nons']],
  ['modifyNamespace', [{ name: 'nons' }]],
])('%s refuses a namespace that is not there', async (method, args) => {
  const message = expect.stringContaining('nons') as string
  await expect(server.thrift2()[method]!(...args)).rejects.toMatchObject({ canRetry: false, message })
})

test('Thrift 2 refuses negative timestamps of cells', async () => {
  const negative = { row: 'r', columnValues: [{ ...cell, timestamp: int64(-1n) }] }
  const refusal = { canRetry: false, message: expect.stringContaining('ts=-1') as string }
  await expect(server.thrift2()['put']!('t', negative)).rejects.toMatchObject(refusal)
  await expect(server.thrift2()['putMultiple']!('t', [negative])).rejects.toMatchObject(refusal)
})

test('Thrift 2 refuses a check with an operator that does not compare', async () => {
  const mutations = { row: 'r', mutations: [{ put: OF_ROW }] }
  const NO_OP = 6
  const check = server.thrift2()['checkAndMutate']!('t', 'r', 'f', 'q', NO_OP, 'v', mutations)
  await expect(check).rejects.toMatchObject({
    canRetry: false,
    message: expect.stringContaining('operator') as string,
  })
})

test('Thrift 2 refuses an increment of no family', async () => {
  const increment = { row: 'r', columns: [{ family: '', qualifier: 'n' }] }
  await expect(server.thrift2()['increment']!('t', increment)).rejects.toMatchObject({
    name: 'TApplicationException',
  })
})

const ofValue = { kind: 'BinaryComparator', value: Buffer.from('v') } as const
const ofColumn = {
  family: Buffer.from('f'),
  qualifier: Buffer.from('q'),
  filterIfMissing: false,
  latestVersionOnly: true,
}

test.each<[string, Filter, object, RegExp]>([
  [
    'an operator that never holds',
    { kind: 'SingleColumnValueFilter', ...ofColumn, operator: 'NO_OP', comparator: ofValue },
    {},
    /Unknown Compare op NO_OP/,
  ],
  [
    'a value that is no decimal number',
    {
      kind: 'ValueFilter',
      operator: 'EQUAL',
      comparator: { kind: 'BigDecimalComparator', value: Buffer.of(0, 0, 0, 0, 5) },
    },
    {},
    /./,
  ],
  [
    'parts of rows with a filter of whole rows',
    { kind: 'SingleColumnValueFilter', ...ofColumn, operator: 'EQUAL', comparator: ofValue },
    { batchSize: 1 },
    /IncompatibleFilterException/,
  ],
])('a filter is refused: %s', async (_, filter, options, message) => {
  const client = server.thrift2()
  await client['put']!('t', OF_ROW)
  const filterBytes = Buffer.from(encodeFilter(filter))
  await expect(client['getScannerResults']!('t', { filterBytes, ...options }, 9)).rejects.toMatchObject({
    message: expect.stringMatching(message) as string,
  })
})
