/** Thrift 1's tables: what HBase's gateway asks its master. */

import { EMPTY } from '../../../../model/bytes.ts'
import { type FamilyDescriptor, tableDescriptor } from '../../../../model/descriptor.ts'
import { HBaseError } from '../../../../model/errors.ts'
import type { ThriftHandlers } from '../../thrift-service.ts'
import { regionsIfAny } from '../regions-if-any.ts'
import { tableOf } from '../table-argument.ts'
import { type ColumnDescriptor, columnDescriptorOf, familyOf } from './column-descriptor.ts'
import { compact } from './compact.ts'
import type { Thrift1Context } from './open-scanner.ts'
import { regionAt, regionInfoOf } from './region-info.ts'

interface TableArguments {
  readonly tableName?: Buffer
}
interface CreateTableArguments extends TableArguments {
  readonly columnFamilies?: readonly ColumnDescriptor[]
}
interface CompactArguments {
  readonly tableNameOrRegionName?: Buffer
}

export function thrift1Tables({ store, clusterId }: Thrift1Context): ThriftHandlers {
  const isTableEnabled = async ({ tableName }: TableArguments) =>
    (await store.tableState(tableOf(tableName))) === 'ENABLED'

  const compacting = (major: boolean) => (args: CompactArguments) =>
    compact(store, args.tableNameOrRegionName ?? EMPTY, major)

  return {
    enableTable: ({ tableName }: TableArguments) => store.enableTable(tableOf(tableName)),
    disableTable: ({ tableName }: TableArguments) => store.disableTable(tableOf(tableName)),
    isTableEnabled,
    compact: compacting(false),
    majorCompact: compacting(true),
    getTableNames: async () => (await store.listTables()).map(({ name }) => Buffer.from(name)),
    getTableNamesWithIsTableEnabled: async () => {
      const tables = await store.listTables()
      return Promise.all(
        tables.map(async ({ name }) => [Buffer.from(name), (await store.tableState(name)) === 'ENABLED']),
      )
    },
    getColumnDescriptors: async ({ tableName }: TableArguments) => {
      const { families } = await store.table(tableOf(tableName))
      return families.map((family) => {
        const column = columnDescriptorOf(family)
        return [column['name'], column]
      })
    },
    /** None of a table that is not there. */
    getTableRegions: async ({ tableName }: TableArguments) =>
      (await regionsIfAny(store, tableOf(tableName))).map(regionInfoOf),
    getRegionInfo: async ({ row }: { readonly row?: Buffer }) =>
      regionInfoOf(await regionAt(store, row ?? EMPTY)),

    createTable: async ({ tableName, columnFamilies = [] }: CreateTableArguments) => {
      const table = tableOf(tableName)
      if (await store.tableExists(table)) throw new HBaseError('TABLE_EXISTS', table)
      await store.createTable(tableDescriptor(table, distinct(columnFamilies.map(familyOf))), [])
    },
    deleteTable: async ({ tableName }: TableArguments) => {
      const table = tableOf(tableName)
      if (!(await store.tableExists(table))) throw new HBaseError('IO', 'table does not exist')
      await store.deleteTable(table)
    },

    getThriftServerType: () => 1,
    getClusterId: async () => (await store.maintenance?.clusterIdentity())?.clusterId ?? clusterId,
  }
}

function distinct(families: readonly FamilyDescriptor[]): readonly FamilyDescriptor[] {
  const names = new Set<string>()
  for (const { name } of families) {
    const text = name.toString('latin1')
    if (names.has(text)) {
      throw new HBaseError('ILLEGAL_ARGUMENT', `Family '${text}' already exists so cannot be added`)
    }
    names.add(text)
  }
  return families
}
