/** Tables through the master, by the adapter of clusters and by hand-made messages. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { TableState_State } from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import { GetProcedureResultResponse_State, MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { tableNameMessage } from '../../../../src/wire/rpc/table-name-message.ts'
import { TABLE } from '../rpc-server.ts'
import { type MasterClient, startMasterClient } from './master-client.ts'

const { method } = MasterService
const OTHER = parseTableName('n:other')
const tableName = tableNameMessage(TABLE)

let server: MasterClient

beforeEach(async () => {
  server = await startMasterClient()
})

afterEach(() => server.close())

const names = (messages: readonly { qualifier: Uint8Array }[]): string[] =>
  messages.map(({ qualifier }) => Buffer.from(qualifier).toString())

const family = (name: string) => ({ name: Buffer.from(name), attributes: [], configuration: [] })

test('a table is created, changed, truncated and deleted', async () => {
  const { catalog } = server.remote
  await catalog.createNamespace({ name: 'n', properties: new Map([['a', 'b']]) }, OWN_CALL)
  const described = tableDescriptor(OTHER, [familyDescriptor('f', [['TTL', '60']])], [['OWNER', 'me']])
  await catalog.createTable(described, [Buffer.from('k'), Buffer.from('c')], OWN_CALL)
  expect(await server.store.catalog.table(OTHER, OWN_CALL)).toEqual(described)
  expect(await catalog.table(OTHER, OWN_CALL)).toEqual(described)
  const changed = tableDescriptor(OTHER, [familyDescriptor('g')])
  await catalog.modifyTable(changed, OWN_CALL)
  expect(await catalog.table(OTHER, OWN_CALL)).toEqual(changed)
  await catalog.disableTable(OTHER, OWN_CALL)
  expect(await catalog.tableState(OTHER, OWN_CALL)).toBe('DISABLED')
  await catalog.truncateTable(OTHER, true, OWN_CALL)
  expect(await catalog.regions(OTHER, OWN_CALL)).toHaveLength(3)
  await catalog.disableTable(OTHER, OWN_CALL)
  await catalog.enableTable(OTHER, OWN_CALL)
  expect(await catalog.tableState(OTHER, OWN_CALL)).toBe('ENABLED')
  await catalog.disableTable(OTHER, OWN_CALL)
  await catalog.deleteTable(OTHER, OWN_CALL)
  expect(await catalog.tableExists(OTHER, OWN_CALL)).toBe(false)
})

test('the refusals of the store come back with their classes', async () => {
  const { catalog } = server.remote
  const again = tableDescriptor(TABLE, [familyDescriptor('f')])
  await expect(catalog.createTable(again, [], OWN_CALL)).rejects.toMatchObject({ code: 'TABLE_EXISTS' })
  await expect(catalog.deleteTable(TABLE, OWN_CALL)).rejects.toMatchObject({ code: 'TABLE_NOT_DISABLED' })
  await expect(catalog.disableTable(OTHER, OWN_CALL)).rejects.toMatchObject({ code: 'TABLE_NOT_FOUND' })
  await expect(catalog.namespace('none', OWN_CALL)).rejects.toMatchObject({ code: 'NAMESPACE_NOT_FOUND' })
  await expect(catalog.deleteNamespace('default', OWN_CALL)).rejects.toMatchObject({ code: 'CONSTRAINT' })
})

test('a schema that does not name its table is refused for good', async () => {
  const tableSchema = { columnFamilies: [family('f')] }
  const refused = { javaClass: 'org.apache.hadoop.hbase.DoNotRetryIOException' }
  await expect(server.ask(method.createTable, { tableSchema })).rejects.toMatchObject(refused)
  await expect(server.ask(method.modifyTable, { tableName, tableSchema })).rejects.toMatchObject(refused)
})

test('namespaces are listed and changed', async () => {
  const { catalog } = server.remote
  await catalog.createNamespace({ name: 'n', properties: new Map() }, OWN_CALL)
  await catalog.modifyNamespace({ name: 'n', properties: new Map([['k', 'v']]) }, OWN_CALL)
  expect((await catalog.namespace('n', OWN_CALL)).properties.get('k')).toBe('v')
  const { namespaceName } = await server.ask(method.listNamespaces, {})
  expect(namespaceName).toEqual(['default', 'hbase', 'n'])
  await catalog.deleteNamespace('n', OWN_CALL)
  expect((await catalog.listNamespaces(OWN_CALL)).map(({ name }) => name)).toEqual(['default', 'hbase'])
})

test('tables are listed by name, pattern, namespace and state', async () => {
  const all = await server.ask(method.getTableNames, { includeSysTables: true })
  expect(names(all.tableNames)).toEqual(['t', 'meta', 'namespace'])
  expect(names((await server.ask(method.getTableNames, { regex: 'default:t' })).tableNames)).toEqual(['t'])
  expect(names((await server.ask(method.getTableNames, { regex: 'x' })).tableNames)).toEqual([])
  const ofHBase = await server.ask(method.listTableNamesByNamespace, { namespaceName: 'hbase' })
  expect(names(ofHBase.tableName)).toEqual(['meta', 'namespace'])
  await expect(server.ask(method.getTableNames, { namespace: 'none' })).rejects.toMatchObject({
    javaClass: 'org.apache.hadoop.hbase.NamespaceNotFoundException',
  })
  await server.store.catalog.disableTable(TABLE, OWN_CALL)
  expect(names((await server.ask(method.listTableNamesByState, { isEnabled: false })).tableNames)).toEqual([
    't',
  ])
  const { tableState } = await server.ask(method.getTableState, { tableName })
  expect(tableState?.state).toBe(TableState_State.DISABLED)
})

test('the schema of a table has the attribute IS_META, as in HBase', async () => {
  const { tableSchema } = await server.ask(method.getTableDescriptors, { tableNames: [tableName] })
  const attributes = tableSchema[0]!.attributes.map(({ first, second }) => [
    Buffer.from(first).toString(),
    Buffer.from(second).toString(),
  ])
  expect(attributes).toContainEqual(['IS_META', 'false'])
})

test('column families are added, modified and deleted', async () => {
  await server.ask(method.addColumn, { tableName, columnFamilies: family('h') })
  await expect(server.ask(method.addColumn, { tableName, columnFamilies: family('h') })).rejects.toThrow(
    "Column family 'h' in table 't' already exists so cannot be added",
  )
  const attributes = [{ first: Buffer.from('VERSIONS'), second: Buffer.from('7') }]
  await server.ask(method.modifyColumn, { tableName, columnFamilies: { ...family('h'), attributes } })
  const { families } = await server.store.catalog.table(TABLE, OWN_CALL)
  expect(families.at(-1)?.attributes.get('VERSIONS')).toBe('7')
  await server.ask(method.deleteColumn, { tableName, columnName: Buffer.from('h') })
  await expect(
    server.ask(method.deleteColumn, { tableName, columnName: Buffer.from('h') }),
  ).rejects.toMatchObject({ javaClass: 'org.apache.hadoop.hbase.InvalidFamilyOperationException' })
})

test('a change is finished when it is answered, and a repeated request finds it', async () => {
  const request = { tableName, nonceGroup: 1n, nonce: 2n }
  const { procId } = await server.ask(method.disableTable, request)
  expect(await server.ask(method.disableTable, request)).toMatchObject({ procId })
  const { state } = await server.ask(method.getProcedureResult, { procId })
  expect(state).toBe(GetProcedureResultResponse_State.FINISHED)
  const unknown = await server.ask(method.getProcedureResult, { procId: procId + 1n })
  expect(unknown.state).toBe(GetProcedureResultResponse_State.NOT_FOUND)
})

test('all regions of a changed table have the new schema', async () => {
  const status = await server.ask(method.getSchemaAlterStatus, { tableName })
  expect([status.yetToUpdateRegions, status.totalRegions]).toEqual([0, 2])
})
