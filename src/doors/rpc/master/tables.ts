/** Changes of tables and their column families. */

import { addFamily, deleteFamily, modifyFamily } from '../../../gateway/catalog/family-changes.ts'
import { isOpen, replicasOf } from '../../../gateway/catalog/replicas.ts'
import { tableDescriptor } from '../../../model/descriptor.ts'
import { mapInTurns } from '../../../model/many-a-turn.ts'
import type { Call } from '../../../store/call.ts'
import { tableFromMessage } from '../../../wire/rpc/descriptor-messages.ts'
import { familyFromMessage } from '../../../wire/rpc/family-from-message.ts'
import type { TableSchema } from '../../../wire/rpc/gen/hbase_pb.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'
import { requestedTable } from './table-messages.ts'

const { method } = MasterService

export function tables(context: MasterContext): (readonly [string, RpcHandler])[] {
  return [...tableChanges(context), ...familyChanges(context)]
}

function tableChanges({ store, procedures }: MasterContext): (readonly [string, RpcHandler])[] {
  const { catalog } = store
  return [
    generated(method.createTable, async (message, { call }) => {
      const table = checkedTable(message.tableSchema!)
      const splitKeys = await mapInTurns(message.splitKeys, (key) => Buffer.from(key))
      return procedures.run(message, call, (own) => catalog.createTable(table, splitKeys, own))
    }),
    generated(method.modifyTable, (message, { call }) => {
      const name = requestedTable(message.tableName)
      const table = { ...tableFromMessage(message.tableSchema!), name }
      return procedures.run(message, call, (own) => catalog.modifyTable(table, own))
    }),
    generated(method.deleteTable, (message, { call }) => {
      const name = requestedTable(message.tableName)
      return procedures.run(message, call, (own) => catalog.deleteTable(name, own))
    }),
    generated(method.truncateTable, (message, { call }) => {
      const name = requestedTable(message.tableName)
      return procedures.run(message, call, (own) => catalog.truncateTable(name, message.preserveSplits, own))
    }),
    generated(method.enableTable, (message, { call, release }) => {
      const name = requestedTable(message.tableName)
      const enable = (own: Call): Promise<void> => catalog.enableTable(name, own)
      return procedures.submit(message, call, enable, release.asksForResults)
    }),
    generated(method.disableTable, (message, { call }) => {
      const name = requestedTable(message.tableName)
      return procedures.run(message, call, (own) => catalog.disableTable(name, own))
    }),
    generated(method.getProcedureResult, async ({ procId }) => procedures.result(procId)),
    generated(method.getSchemaAlterStatus, async ({ tableName }, { call }) => {
      const name = requestedTable(tableName)
      // HBase counts the regions that are open in hbase:meta, for a disabled table too.
      const isEnabled =
        (await catalog.tableExists(name, call)) && (await catalog.tableState(name, call)) === 'ENABLED'
      const replicas = isEnabled ? await replicasOf(catalog, name, call) : []
      const open = replicas.filter(isOpen).length
      return { yetToUpdateRegions: replicas.length - open, totalRegions: replicas.length }
    }),
  ]
}

function familyChanges({ store, procedures }: MasterContext): (readonly [string, RpcHandler])[] {
  const { catalog } = store
  return [
    generated(method.addColumn, (message, { call }) => {
      const name = requestedTable(message.tableName)
      const family = familyFromMessage(message.columnFamilies!)
      return procedures.run(message, call, (own) => addFamily(catalog, name, family, own))
    }),
    generated(method.modifyColumn, (message, { call }) => {
      const name = requestedTable(message.tableName)
      const family = familyFromMessage(message.columnFamilies!)
      return procedures.run(message, call, (own) => modifyFamily(catalog, name, family, own))
    }),
    generated(method.deleteColumn, (message, { call }) => {
      const name = requestedTable(message.tableName)
      const family = Buffer.from(message.columnName)
      return procedures.run(message, call, (own) => deleteFamily(catalog, name, family, own))
    }),
  ]
}

/** The descriptor of a new table, with HBase's defaults. Throws ILLEGAL_ARGUMENT for an illegal name. */
function checkedTable(schema: TableSchema): ReturnType<typeof tableDescriptor> {
  const { families, attributes } = tableFromMessage(schema)
  return tableDescriptor(requestedTable(schema.tableName), families, attributes)
}
