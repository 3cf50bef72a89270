/** Thrift 2's tables: what HBase's gateway asks its master. */

import { findFamily, type TableDescriptor, tableDescriptor } from '../../../../model/descriptor.ts'
import { HBaseError, isHBaseError } from '../../../../model/errors.ts'
import { namespaceOf, type TableName } from '../../../../model/table-name.ts'
import type { ThriftHandlers } from '../../thrift-service.ts'
import type { ServiceContext } from '../service-context.ts'
import { type TTableName, tableOfStruct } from '../table-argument.ts'
import { tablesMatching } from '../table-pattern.ts'
import {
  familyOfDescriptor,
  replacementOf,
  type TColumnFamilyDescriptor,
  type TTableDescriptor,
  tableNameStruct,
  tableOfDescriptor,
  tableStruct,
} from './table-descriptors.ts'

interface NameArguments {
  readonly tableName: TTableName
}
interface SplitArguments {
  readonly splitKeys?: readonly Buffer[]
}
interface PatternArguments {
  readonly regex?: string
}
interface NamespaceArguments {
  readonly name: string
}
interface FamilyArguments extends NameArguments {
  readonly column: TColumnFamilyDescriptor
}

export function thrift2Tables(context: ServiceContext<unknown>): ThriftHandlers {
  return { ...listings(context), ...states(context), ...schemas(context) }
}

function listings({ store }: ServiceContext<unknown>): ThriftHandlers {
  const matching = async ({ regex }: PatternArguments) => tablesMatching(await store.listTables(), regex)
  const within = async ({ name }: NamespaceArguments) => {
    await store.namespace(name)
    return (await store.listTables()).filter((table) => namespaceOf(table.name) === name)
  }

  return {
    getTableDescriptor: async ({ table }: { readonly table: TTableName }) =>
      tableStruct(await store.table(tableOfStruct(table))),
    /** Of those tables that are there; of all where none is named. */
    getTableDescriptors: async ({ tables }: { readonly tables: readonly TTableName[] }) => {
      const names = new Set(tables.map(tableOfStruct))
      const wanted = (await store.listTables()).filter(({ name }) => names.size === 0 || names.has(name))
      return wanted.map(tableStruct)
    },
    getTableDescriptorsByPattern: async (args: PatternArguments) => (await matching(args)).map(tableStruct),
    getTableDescriptorsByNamespace: async (args: NamespaceArguments) => (await within(args)).map(tableStruct),
    getTableNamesByPattern: async (args: PatternArguments) => (await matching(args)).map(nameStructOf),
    getTableNamesByNamespace: async (args: NamespaceArguments) => (await within(args)).map(nameStructOf),
  }
}

function nameStructOf({ name }: TableDescriptor): Record<string, unknown> {
  return tableNameStruct(name)
}

function states({ store }: ServiceContext<unknown>): ThriftHandlers {
  const isEnabled = async ({ tableName }: NameArguments) =>
    (await store.tableState(tableOfStruct(tableName))) === 'ENABLED'

  /** HBase has no error here for a table that is not there. */
  const isAvailable = async ({ tableName, splitKeys = [] }: NameArguments & SplitArguments) => {
    const table = tableOfStruct(tableName)
    try {
      if ((await store.tableState(table)) !== 'ENABLED') return false
      const starts = (await store.regions(table)).map(({ startKey }) => startKey)
      return splitKeys.every((key) => starts.some((start) => start.equals(key)))
    } catch (error) {
      if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return false
      throw error
    }
  }

  return {
    tableExists: ({ tableName }: NameArguments) => store.tableExists(tableOfStruct(tableName)),
    isTableEnabled: isEnabled,
    isTableDisabled: async (args: NameArguments) => !(await isEnabled(args)),
    isTableAvailable: isAvailable,
    isTableAvailableWithSplit: isAvailable,
    enableTable: ({ tableName }: NameArguments) => store.enableTable(tableOfStruct(tableName)),
    disableTable: ({ tableName }: NameArguments) => store.disableTable(tableOfStruct(tableName)),
  }
}

function schemas({ store }: ServiceContext<unknown>): ThriftHandlers {
  const tableWithFamily = async (
    table: TableName,
    family: Buffer,
    verb: string,
  ): Promise<TableDescriptor> => {
    const descriptor = await store.table(table)
    if (findFamily(descriptor, family) === undefined) {
      throw new HBaseError(
        'INVALID_FAMILY_OPERATION',
        `Family '${family.toString()}' does not exist, so it cannot be ${verb}`,
      )
    }
    return descriptor
  }

  return {
    createTable: ({ desc, splitKeys }: { readonly desc: TTableDescriptor } & SplitArguments) =>
      store.createTable(tableOfDescriptor(desc), splitKeys ?? []),
    deleteTable: ({ tableName }: NameArguments) => store.deleteTable(tableOfStruct(tableName)),
    truncateTable: ({ tableName, preserveSplits }: NameArguments & { readonly preserveSplits: boolean }) =>
      store.truncateTable(tableOfStruct(tableName), preserveSplits),
    modifyTable: ({ desc }: { readonly desc: TTableDescriptor }) => store.modifyTable(replacementOf(desc)),
    addColumnFamily: async ({ tableName, column }: FamilyArguments) => {
      const table = await store.table(tableOfStruct(tableName))
      const family = familyOfDescriptor(column)
      if (findFamily(table, family.name) !== undefined) {
        throw new HBaseError(
          'INVALID_FAMILY_OPERATION',
          `Column family '${family.name.toString()}' in table '${table.name}' already exists so cannot be added`,
        )
      }
      await store.modifyTable(tableDescriptor(table.name, [...table.families, family], table.attributes))
    },
    modifyColumnFamily: async ({ tableName, column }: FamilyArguments) => {
      const family = familyOfDescriptor(column)
      const table = await tableWithFamily(tableOfStruct(tableName), family.name, 'modified')
      await store.modifyTable(tableDescriptor(table.name, [...table.families, family], table.attributes))
    },
    deleteColumnFamily: async ({ tableName, column }: NameArguments & { readonly column: Buffer }) => {
      const table = await tableWithFamily(tableOfStruct(tableName), column, 'deleted')
      const families = table.families.filter(({ name }) => !name.equals(column))
      await store.modifyTable(tableDescriptor(table.name, families, table.attributes))
    },
  }
}
