import { afterAll, beforeEach, expect, test } from 'vitest'
import { HBaseError } from '../../../../src/model/errors.ts'
import type { Compactions } from '../../../../src/store/upkeep.ts'
import type { StubClient } from '../../../harness/thrift-stubs.ts'
import { startThriftServer, type ThriftServer } from './thrift-server.ts'

const servers: ThriftServer[] = []
afterAll(async () => {
  for (const server of servers) await server.close()
})

/** The compactions that the store was asked for, and its answer to a region's name. */
let asked: string[]
let region: () => Promise<void>
beforeEach(() => {
  asked = []
  region = () => Promise.resolve()
})

async function clientOf(compactions?: Compactions): Promise<StubClient> {
  const server = await startThriftServer({}, () => ({ upkeep: compactions ? { compactions } : {} }))
  servers.push(server)
  const client = server.thrift1()
  await client['createTable']!('t', [{ name: 'f' }])
  return client
}

const compactions: Compactions = {
  compactRegion: (name, compaction) => {
    asked.push(`region ${name.toString()} ${JSON.stringify(compaction)}`)
    return region()
  },
  compactTable: async (table, compaction) => {
    asked.push(`table ${table} ${JSON.stringify(compaction)}`)
  },
  compactionState: () => Promise.resolve('NONE'),
}

test('a name is that of a region first', async () => {
  const client = await clientOf(compactions)
  await client['compact']!('t,,1.0123.')
  await client['majorCompact']!('t,,1.0123.')
  expect(asked).toEqual(['region t,,1.0123. {"major":false}', 'region t,,1.0123. {"major":true}'])
})

test('a name that is none is that of a table', async () => {
  const client = await clientOf(compactions)
  region = () => Promise.reject(new HBaseError('ILLEGAL_ARGUMENT', 'Invalid region: t'))
  await client['majorCompact']!('t')
  expect(asked).toEqual(['region t {"major":true}', 'table t {"major":true}'])
  await expect(client['compact']!('bad name')).rejects.toThrow('Internal error processing compact')
})

test('a region that cannot be compacted is not taken for a table', async () => {
  const client = await clientOf(compactions)
  region = () => Promise.reject(new HBaseError('NOT_SERVING_REGION', 'elsewhere'))
  await expect(client['compact']!('t')).rejects.toMatchObject({ canRetry: true })
  expect(asked).toHaveLength(1)
})

test('a store that compacts as it sees fit has the name looked at', async () => {
  const client = await clientOf()
  const [{ name }] = (await client['getTableRegions']!('t')) as [{ name: Buffer }]
  await client['compact']!('t')
  await client['majorCompact']!(name)
  await expect(client['compact']!('none')).rejects.toMatchObject({ canRetry: false })
  await expect(client['compact']!('t,')).rejects.toThrow('Internal error processing compact')
})
