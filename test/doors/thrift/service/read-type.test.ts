/** The read type of Thrift 2's scans is passed on to the store, which may be a cluster. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ReadType } from '../../../../src/model/query.ts'
import { withMethods } from '../../../../src/store/decorate.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const TABLE = Buffer.from('t')

let server: ThriftServer
let asked: (ReadType | undefined)[]

beforeEach(async () => {
  asked = []
  server = await startThriftServer({}, ({ rows }) => ({
    rows: withMethods(rows, {
      openScanner: (target, scan, call) => {
        asked.push(scan.readType)
        return rows.openScanner(target, scan, call)
      },
    }),
  }))
  const columns = [{ name: Buffer.from('f') }]
  await server.thrift2()['createTable']!({ tableName: { qualifier: TABLE }, columns })
})
afterEach(() => server.close())

test('each TReadType, and none', async () => {
  for (const readType of [undefined, 1, 2, 3]) {
    const scan = readType === undefined ? {} : { readType }
    expect(await server.thrift2()['getScannerResults']!(TABLE, scan, 9)).toEqual([])
  }
  expect(asked).toEqual([undefined, undefined, 'stream', 'pread'])
})
