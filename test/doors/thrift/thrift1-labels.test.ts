/** Thrift 1 has no field for the labels of a read: clients name them in the attribute VISIBILITY. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { authorizationsMessage, expressionMessage } from '../../../src/wire/rpc/label-messages.ts'
import { labelledStore, openLabelled } from '../../gateway/policies/labels/labelled-server.ts'
import type { StubClient } from '../../harness/thrift-stubs.ts'
import { startThriftServer, type ThriftServer } from './service/thrift-server.ts'

const TABLE = Buffer.from('t')
const [ROW, COLUMN] = [Buffer.from('r'), Buffer.from('f:q')]
const LABELS = ['secret', 'public'].map((label) => Buffer.from(label))

let server: ThriftServer
let client: StubClient
beforeEach(async () => {
  const own = await openLabelled('memory')
  // A read sees the labels that it names: without a login, no user has any.
  const store = await labelledStore(own, { generators: ['simple'] })
  server = await startThriftServer({}, () => ({}), store)
  client = server.thrift1()
  await client['createTable']!(TABLE, [{ name: Buffer.from('f:') }])
  const { labels } = store.upkeep
  await labels!.addLabels(LABELS, OWN_CALL)
  for (const label of ['secret', 'public']) {
    const mutations = [{ column: Buffer.from(`f:${label}`), value: Buffer.from(label) }]
    await client['mutateRow']!(TABLE, ROW, mutations, { VISIBILITY: expressionMessage(label) })
  }
  const plain = new MutationBatch().put(ROW, Buffer.from('f'), Buffer.from('q'), Buffer.from('plain'))
  plain.endMutation()
  await store.rows.mutate(parseTableName('t'), plain, OWN_CALL)
})
afterEach(() => server.close())

interface Row {
  readonly columns: Readonly<Record<string, unknown>>
}

function named(labels: readonly string[]): Readonly<Record<string, Buffer>> {
  return { VISIBILITY: authorizationsMessage([...labels]) }
}

function columnsOf(rows: unknown): string[] {
  return (rows as readonly Row[]).flatMap(({ columns }) => Object.keys(columns)).sort()
}

async function scanned(
  open: (attributes: unknown) => Promise<unknown>,
  labels: readonly string[],
): Promise<string[]> {
  return columnsOf(await client['scannerGetList']!(await open(named(labels)), 10))
}

const SEEN: readonly (readonly [readonly string[], readonly string[]])[] = [
  [[], ['f:q']],
  [['secret'], ['f:q', 'f:secret']],
  [
    ['secret', 'public'],
    ['f:public', 'f:q', 'f:secret'],
  ],
]

test.each(SEEN)('a get with the labels %j sees %j', async (labels, seen) => {
  expect(columnsOf(await client['getRow']!(TABLE, ROW, named(labels)))).toEqual(seen)
  expect(
    columnsOf(await client['getRowsWithColumns']!(TABLE, [ROW], [Buffer.from('f')], named(labels))),
  ).toEqual(seen)
  const cells = (await client['getVer']!(
    TABLE,
    ROW,
    Buffer.from('f'),
    9,
    named(labels),
  )) as readonly unknown[]
  expect(cells).toHaveLength(seen.length)
})

test.each(SEEN)('a scanner with the labels %j sees %j', async (labels, seen) => {
  const none = Buffer.alloc(0)
  const opens: ((attributes: unknown) => Promise<unknown>)[] = [
    (attributes) => client['scannerOpen']!(TABLE, none, [], attributes),
    (attributes) => client['scannerOpenWithStop']!(TABLE, none, none, [], attributes),
    (attributes) => client['scannerOpenWithPrefix']!(TABLE, ROW, [], attributes),
    (attributes) => client['scannerOpenWithScan']!(TABLE, { columns: [Buffer.from('f')] }, attributes),
  ]
  for (const open of opens) expect(await scanned(open, labels)).toEqual(seen)
})

test('bytes that are no labels are refused for good', async () => {
  const attributes = { VISIBILITY: Buffer.of(0xff, 0xff) }
  await expect(client['get']!(TABLE, ROW, COLUMN, attributes)).rejects.toMatchObject({
    canRetry: false,
    message: expect.stringContaining('DeserializationException'),
  })
})
