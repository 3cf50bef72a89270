/** Alterations of one table that several clients ask for at the same time: each keeps the others' changes. */

import { describe, expect, it } from 'vitest'
import { openMemoryStore } from '../../adapters/memory/memory-store.ts'
import { addFamily, deleteFamily, modifyFamily } from '../../src/gateway/catalog/family-changes.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { parseTableName, type TableName } from '../../src/model/table-name.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import type { Catalog } from '../../src/store/catalog.ts'
import type { Store } from '../../src/store/store.ts'
import { MasterService } from '../../src/wire/rpc/gen/master_pb.ts'
import { tableNameMessage } from '../../src/wire/rpc/table-name-message.ts'
import { StoreUnderTest } from '../adapters/native/store-under-test.ts'
import { startRestServer } from './rest/rest-server.ts'
import { startMasterClient } from './rpc/master/master-client.ts'

const { method } = MasterService
const TABLE = parseTableName('altered')
const TRACKER = 'hbase.store.file-tracker.impl'

const families = async (catalog: Catalog): Promise<string[]> =>
  (await catalog.table(TABLE, OWN_CALL)).families.map(({ name }) => name.toString())

/**
 * Another client changes the versions of a family, to 11, 12 and so on, after each change of the table is asked for and before it has
 * its turn. Returns how often it did.
 */
function changeBeforeEachTurn(catalog: Catalog, table: TableName, family: string): () => number {
  const modifyTable = catalog.modifyTable.bind(catalog)
  let changes = 0
  catalog.modifyTable = async (change, call) => {
    const changed = familyDescriptor(family, [['VERSIONS', String(10 + ++changes)]])
    await modifyFamily({ modifyTable }, table, changed, call)
    await modifyTable(change, call)
  }
  return () => changes
}

describe.each<[string, () => Promise<Store>]>([
  ['memory', async () => openMemoryStore({ clock: Date })],
  ['native', async () => (await StoreUnderTest.open()).store],
])('in a %s store', (_, open) => {
  it('families are added, changed and deleted', async () => {
    const store = await open()
    const { catalog } = store
    await catalog.createTable(
      tableDescriptor(TABLE, [familyDescriptor('f'), familyDescriptor('gone')]),
      [],
      OWN_CALL,
    )
    await Promise.all([
      addFamily(catalog, TABLE, familyDescriptor('g'), OWN_CALL),
      modifyFamily(catalog, TABLE, familyDescriptor('f', [['VERSIONS', '7']]), OWN_CALL),
      deleteFamily(catalog, TABLE, Buffer.from('gone'), OWN_CALL),
      addFamily(catalog, TABLE, familyDescriptor('h'), OWN_CALL),
    ])
    expect(await families(catalog)).toEqual(['f', 'g', 'h'])
    const {
      families: [f],
    } = await catalog.table(TABLE, OWN_CALL)
    expect(f!.attributes.get('VERSIONS')).toBe('7')
    await store.close()
  })

  it.each([undefined, 'f'])(
    'another family is changed between the steps to a file tracker, of %s',
    async (family) => {
      const store = await open()
      const { catalog } = store
      await catalog.createTable(
        tableDescriptor(TABLE, [familyDescriptor('e'), familyDescriptor('f')]),
        [],
        OWN_CALL,
      )
      const changes = changeBeforeEachTurn(catalog, TABLE, 'e')
      const server = await startMasterClient(store)
      const asked = { tableName: tableNameMessage(TABLE), dstSft: 'FILE' }
      const { procId } =
        family === undefined
          ? await server.ask(method.modifyTableStoreFileTracker, asked)
          : await server.ask(method.modifyColumnStoreFileTracker, { ...asked, family: Buffer.from(family) })
      expect((await server.ask(method.getProcedureResult, { procId })).exception).toBeUndefined()
      const { attributes, families } = await catalog.table(TABLE, OWN_CALL)
      const [e, f] = families
      expect([changes(), e!.attributes.get('VERSIONS')]).toEqual([2, '12'])
      expect((family === undefined ? attributes : f!.configuration!).get(TRACKER)).toBe('FILE')
      await server.close()
    },
  )

  it('another family is changed while REST adds one', async () => {
    const server = await startRestServer({}, {}, await open())
    const { catalog } = server.store
    const changes = changeBeforeEachTurn(catalog, parseTableName('t'), 'g')
    const headers = { 'Content-Type': 'application/json' }
    const added = await server.ask('POST', '/t/schema', { headers, body: '{"ColumnSchema":[{"name":"h"}]}' })
    expect(added.status).toBe(200)
    const { families } = await catalog.table(parseTableName('t'), OWN_CALL)
    expect(families.map(({ name }) => name.toString())).toEqual(['f', 'g', 'h'])
    expect([changes(), families[1]!.attributes.get('VERSIONS')]).toEqual([1, '11'])
    await server.close()
  })
})
