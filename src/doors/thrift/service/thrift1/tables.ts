/** Thrift 1's methods for tables, which HBase's gateway passes to its master. */

import { checkFamiliesDiffer, tableDescriptor } from '../../../../model/descriptor.ts'
import { HBaseError } from '../../../../model/errors.ts'
import type { TableName } from '../../../../model/table-name.ts'
import type { Call } from '../../../../store/call.ts'
import type { ThriftHandlers } from '../../contract/thrift-service.ts'
import { regionsIfAny } from '../regions-if-any.ts'
import { required } from '../required.ts'
import { tableNameFromBytes } from '../table-argument.ts'
import {
  type ColumnDescriptor,
  columnDescriptorStruct,
  familyFromColumnDescriptor,
} from './column-descriptor.ts'
import { compact } from './compact.ts'
import { regionAt, regionInfoStruct } from './region-info.ts'
import type { Thrift1Context } from './thrift1-context.ts'

interface TableArguments {
  readonly tableName?: Buffer
}
interface CreateTableArguments extends TableArguments {
  readonly columnFamilies?: readonly ColumnDescriptor[]
}
interface CompactArguments {
  readonly tableNameOrRegionName?: Buffer
}

export function thrift1Tables({ store }: Thrift1Context): ThriftHandlers {
  const { catalog } = store
  const isEnabled = async (table: TableName, call: Call) =>
    (await catalog.tableState(table, call)) === 'ENABLED'

  return {
    enableTable: ({ tableName }: TableArguments, call) =>
      catalog.enableTable(tableNameFromBytes(tableName), call),
    disableTable: ({ tableName }: TableArguments, call) =>
      catalog.disableTable(tableNameFromBytes(tableName), call),
    isTableEnabled: async ({ tableName }: TableArguments, call) =>
      isEnabled(tableNameFromBytes(tableName), call),
    compact: ({ tableNameOrRegionName }: CompactArguments, call) =>
      compact(store, required(tableNameOrRegionName, 'the name'), false, call),
    majorCompact: ({ tableNameOrRegionName }: CompactArguments, call) =>
      compact(store, required(tableNameOrRegionName, 'the name'), true, call),
    getTableNames: async (_, call) =>
      (await catalog.listTables(call, 'names')).map(({ name }) => Buffer.from(name)),
    getTableNamesWithIsTableEnabled: async (_, call) => {
      const tables = await catalog.listTables(call, 'names')
      return Promise.all(tables.map(async ({ name }) => [Buffer.from(name), await isEnabled(name, call)]))
    },
    getColumnDescriptors: async ({ tableName }: TableArguments, call) => {
      const { families } = await catalog.table(tableNameFromBytes(tableName), call)
      return families.map((family) => {
        const column = columnDescriptorStruct(family)
        return [column['name'], column]
      })
    },
    /** QUIRK thrift1-table-get-table-regions-nope: HBase answers no regions for a missing table, not an error. */
    getTableRegions: async ({ tableName }: TableArguments, call) =>
      (await regionsIfAny(catalog, tableNameFromBytes(tableName), call)).map(regionInfoStruct),
    getRegionInfo: async ({ row }: { readonly row?: Buffer }, call) =>
      regionInfoStruct(await regionAt(catalog, required(row, 'the row'), call)),

    createTable: async ({ tableName, columnFamilies }: CreateTableArguments, call) => {
      const table = tableNameFromBytes(tableName)
      if (await catalog.tableExists(table, call)) throw new HBaseError('TABLE_EXISTS', table)
      const families = required(columnFamilies, 'the list of families').map(familyFromColumnDescriptor)
      checkFamiliesDiffer(families)
      await catalog.createTable(tableDescriptor(table, families), [], call)
    },
    deleteTable: async ({ tableName }: TableArguments, call) => {
      const table = tableNameFromBytes(tableName)
      if (!(await catalog.tableExists(table, call))) throw new HBaseError('REFUSED', 'table does not exist')
      await catalog.deleteTable(table, call)
    },

    getThriftServerType: () => 1,
    getClusterId: () => store.clusterId(),
  }
}
