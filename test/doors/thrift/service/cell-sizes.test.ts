/**
 * Sizes of cells, with the limits of a real HBase 2.6.1 at both services. Its client refuses a put whose KeyValue is too large. Its servers refuse
 * any such cell, and count the length before it.
 */

import { afterAll, beforeAll, expect, test } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const LIMIT = 1000
/** Of the KeyValue of row `rrrr` and column `f:v`, without its value. */
const KEY_BYTES = 26
/** A server counts the length before a cell too, and takes no larger one. */
const LARGEST = 'x'.repeat(LIMIT - KEY_BYTES - 4)
/** A cell that a client sends, and a server refuses. */
const REFUSED = `${LARGEST}xxxx`
const LARGER = `${REFUSED}x`
const REFUSED_BY_CLIENT = {
  name: 'IllegalArgument',
  message: 'java.lang.IllegalArgumentException: KeyValue size too large',
}
const refusal = (value: string): string =>
  `org.apache.hadoop.hbase.DoNotRetryIOException: Cell[rrrr/f:v/LATEST_TIMESTAMP/Put/vlen=${value.length}/seqid=0] with size ${KEY_BYTES + value.length + 4} exceeds limit of ${LIMIT} bytes`

let server: ThriftServer
beforeAll(async () => {
  server = await startThriftServer(
    { cellBytesMax: LIMIT },
    undefined,
    openMemoryStore({ clock: Date, cellBytesMax: LIMIT }),
  )
  await server.thrift1()['createTable']!('t', [{ name: 'f' }])
})
afterAll(() => server.close())

const put1 = (value: string) => [{ column: 'f:v', value }]
const put2 = (value: string, fields = {}) => ({
  row: 'rrrr',
  columnValues: [{ family: 'f', qualifier: 'v', value }],
  ...fields,
})

test.each([[{}], [{ some: 'attribute' }]])(
  'Thrift 1 counts the key of a put, attributes %o',
  async (attributes) => {
    const thrift1 = server.thrift1()
    await thrift1['mutateRow']!('t', 'rrrr', put1(LARGEST), attributes)
    await thrift1['mutateRows']!('t', [{ row: 'rrrr', mutations: put1(LARGEST) }], attributes)
    const puts = [
      thrift1['mutateRow']!('t', 'rrrr', put1(LARGER), attributes),
      thrift1['mutateRowTs']!('t', 'rrrr', put1(LARGER), 5, attributes),
      thrift1['mutateRows']!('t', [{ row: 'rrrr', mutations: put1(LARGER) }], attributes),
      thrift1['checkAndPut']!('t', 'rrrr', 'f:none', null, put1(LARGER)[0], attributes),
    ]
    for (const put of puts) await expect(put).rejects.toMatchObject(REFUSED_BY_CLIENT)
    await expect(thrift1['mutateRow']!('t', 'rrrr', put1(REFUSED), attributes)).rejects.toMatchObject({
      name: 'IOError',
      message: expect.stringContaining(refusal(REFUSED)),
    })
  },
)

test.each([[{}], [{ attributes: { some: 'attribute' } }]])(
  'Thrift 2 counts the key of a put, with %o',
  async (fields) => {
    const thrift2 = server.thrift2()
    await thrift2['put']!('t', put2(LARGEST, fields))
    const puts = [
      thrift2['put']!('t', put2(LARGER, fields)),
      thrift2['putMultiple']!('t', [put2(LARGER, fields)]),
      thrift2['checkAndPut']!('t', 'rrrr', 'f', 'none', null, put2(LARGER, fields)),
    ]
    // HBase: TApplicationException of type 6, as put declares no exception for illegal arguments.
    for (const put of puts)
      await expect(put).rejects.toMatchObject({ name: 'TApplicationException', type: 6 })
    await expect(thrift2['put']!('t', put2(REFUSED, fields))).rejects.toMatchObject({
      name: 'TIOError',
      message: expect.stringContaining(refusal(REFUSED)),
    })
  },
)

test('an append, an increment and a change of a row are refused by the server, and not to be repeated', async () => {
  const thrift1 = server.thrift1()
  const thrift2 = server.thrift2()
  const byServer = { canRetry: false, message: refusal(LARGER) }
  await expect(
    thrift1['append']!({ table: 't', row: 'rrrr', columns: ['f:v'], values: [LARGER] }),
  ).rejects.toMatchObject({ name: 'IOError', ...byServer })
  await expect(
    thrift2['append']!('t', { row: 'rrrr', columns: [{ family: 'f', qualifier: 'v', value: LARGER }] }),
  ).rejects.toMatchObject({ name: 'TIOError', ...byServer })
  const long = { row: 'rrrr', columns: [{ family: 'f', qualifier: LARGER, amount: 1 }] }
  await expect(thrift2['increment']!('t', long)).rejects.toMatchObject({
    name: 'TIOError',
    canRetry: false,
    message: expect.stringMatching(
      /^org\.apache\.hadoop\.hbase\.DoNotRetryIOException: Cell\[rrrr\/f:x.{90,200}exceeds limit/,
    ),
  })
  const change = { row: 'rrrr', mutations: [{ put: put2(LARGER) }] }
  const asBatch = {
    name: 'TIOError',
    canRetry: true,
    message: `Failed 1 action: ${refusal(LARGER)}: 1 time, servers with issues: null`,
  }
  await expect(thrift2['mutateRow']!('t', change)).rejects.toMatchObject(asBatch)
  await expect(thrift2['checkAndMutate']!('t', 'rrrr', 'f', 'v', 5, 'no', change)).rejects.toMatchObject(
    asBatch,
  )
})
