import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Get } from '../../../../src/model/query.ts'
import { withMethods } from '../../../../src/store/decorate.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const TABLE = Buffer.from('t')
const COLUMN = { family: Buffer.from('f'), qualifier: Buffer.from('q') }
const [STRONG, TIMELINE] = [1, 2]

interface Answered {
  readonly stale: boolean
}

let server: ThriftServer
/** The copies that the store was asked to read, in the order of the reads. */
let asked: Get['replica'][]
/** For each get, its staleness in the store's answer. */
let stale: readonly boolean[] | undefined

beforeEach(async () => {
  asked = []
  stale = undefined
  server = await startThriftServer({}, ({ rows }) => ({
    rows: withMethods(rows, {
      get: async (target, gets, ...others) => {
        asked.push(...gets.map(({ replica }) => replica))
        return { ...(await rows.get(target, gets, ...others)), stale }
      },
      openScanner: (target, scan, call) => {
        asked.push(scan.replica)
        return rows.openScanner(target, scan, call)
      },
    }),
  }))
  const client = server.thrift2()
  await client['createTable']!({ tableName: { qualifier: TABLE }, columns: [{ name: COLUMN.family }] })
  await client['put']!(TABLE, {
    row: Buffer.from('r'),
    columnValues: [{ ...COLUMN, value: Buffer.from('v') }],
  })
})
afterEach(() => server.close())

const ROW = Buffer.from('r')

async function got(fields: object): Promise<boolean> {
  return ((await server.thrift2()['get']!(TABLE, { row: ROW, ...fields })) as Answered).stale
}

test('a get looks at the copy that it names under TIMELINE only, as HBase does', async () => {
  const stale = [
    await got({}),
    await got({ consistency: STRONG, targetReplicaId: 1 }),
    await got({ targetReplicaId: 1 }),
    await got({ consistency: TIMELINE }),
    await got({ consistency: TIMELINE, targetReplicaId: -1 }),
    await got({ consistency: TIMELINE, targetReplicaId: 0 }),
    await got({ consistency: TIMELINE, targetReplicaId: 2 }),
  ]
  expect(asked).toEqual([undefined, undefined, undefined, 'any', 'any', 0, 2])
  expect(stale).toEqual([false, false, false, false, false, false, true])
})

test('a store that knows its copies says for each get whether one answered', async () => {
  stale = [true]
  expect(await got({ consistency: TIMELINE })).toBe(true)
  stale = [false, true, false]
  const tgets = [{ row: ROW }, { row: ROW, consistency: TIMELINE }, { row: ROW }]
  const results = (await server.thrift2()['getMultiple']!(TABLE, tgets)) as Answered[]
  expect(results.map((result) => result.stale)).toEqual(stale)
})

test('a scan reads the copies that it names', async () => {
  const client = server.thrift2()
  const scanned = async (fields: object): Promise<boolean[]> =>
    ((await client['getScannerResults']!(TABLE, fields, 9)) as Answered[]).map((result) => result.stale)
  expect([await scanned({}), await scanned({ targetReplicaId: 1 })]).toEqual([[false], [true]])
  expect(await scanned({ targetReplicaId: -7 })).toEqual([false])
  expect(asked).toEqual([undefined, 1, undefined])
})
