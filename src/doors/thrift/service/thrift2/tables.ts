/** Thrift 2's methods for tables, which HBase's gateway passes to its master. */

import { addFamily, deleteFamily, modifyFamily } from '../../../../gateway/catalog/family-changes.ts'
import { allTables, namedTables, tablesOfNamespace } from '../../../../gateway/catalog/listed-tables.ts'
import { tablesMatching } from '../../../../gateway/catalog/table-pattern.ts'
import { isHBaseError } from '../../../../model/errors.ts'
import type { Call } from '../../../../store/call.ts'
import type { Listed } from '../../../../store/catalog.ts'
import type { ThriftHandlers } from '../../contract/thrift-service.ts'
import type { ServedStore, ServiceContext } from '../service-context.ts'
import { type TTableName, tableNameFromStruct } from '../table-argument.ts'
import {
  familyOfDescriptor,
  replacementDescriptor,
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
  readonly includeSysTables?: boolean
}
interface NamespaceArguments {
  readonly name: string
}
interface FamilyArguments extends NameArguments {
  readonly column: TColumnFamilyDescriptor
}

type Cataloged = Pick<ServedStore, 'catalog'>

export function thrift2Tables({ store }: ServiceContext<unknown>): ThriftHandlers {
  return { ...listings(store), ...states(store), ...schemas(store) }
}

function listings({ catalog }: Cataloged): ThriftHandlers {
  const matching = async ({ regex, includeSysTables }: PatternArguments, call: Call, only?: Listed) => {
    const isAll = includeSysTables === true
    const tables = await (isAll ? allTables(catalog, call, only) : catalog.listTables(call, only))
    return tablesMatching(tables, regex)
  }
  /** QUIRK thrift2-schema-argument-get-table-names-by-namespace-name-empty: the empty name is that of all namespaces. */
  const within = ({ name }: NamespaceArguments, call: Call, only?: Listed) =>
    name === '' ? allTables(catalog, call, only) : tablesOfNamespace(catalog, name, call, only)

  return {
    getTableDescriptor: async ({ table }: { readonly table: TTableName }, call) =>
      tableStruct(await catalog.table(tableNameFromStruct(table), call)),
    /** Descriptors in the order of the names; missing tables are left out. Without names, the answer has all user tables. */
    getTableDescriptors: async ({ tables }: { readonly tables: readonly TTableName[] }, call) => {
      if (tables.length === 0) return (await catalog.listTables(call)).map(tableStruct)
      const names = tables.map(tableNameFromStruct)
      return (await namedTables(catalog, names, call)).map(tableStruct)
    },
    getTableDescriptorsByPattern: async (args: PatternArguments, call) =>
      (await matching(args, call)).map(tableStruct),
    getTableDescriptorsByNamespace: async (args: NamespaceArguments, call) =>
      (await within(args, call)).map(tableStruct),
    getTableNamesByPattern: async (args: PatternArguments, call) =>
      (await matching(args, call, 'names')).map(({ name }) => tableNameStruct(name)),
    getTableNamesByNamespace: async (args: NamespaceArguments, call) =>
      (await within(args, call, 'names')).map(({ name }) => tableNameStruct(name)),
  }
}

function states({ catalog }: Cataloged): ThriftHandlers {
  const isEnabled = async ({ tableName }: NameArguments, call: Call) =>
    (await catalog.tableState(tableNameFromStruct(tableName), call)) === 'ENABLED'

  /** QUIRK thrift2-table-is-table-available-nope: HBase answers false for a missing table, not an error. */
  const isAvailable = async ({ tableName, splitKeys = [] }: NameArguments & SplitArguments, call: Call) => {
    const table = tableNameFromStruct(tableName)
    try {
      if ((await catalog.tableState(table, call)) !== 'ENABLED') return false
      const regions = await catalog.regions(table, call)
      return areStarts(splitKeys, regions)
    } catch (error) {
      if (isHBaseError(error) && error.code === 'TABLE_NOT_FOUND') return false
      throw error
    }
  }

  return {
    tableExists: ({ tableName }: NameArguments, call) =>
      catalog.tableExists(tableNameFromStruct(tableName), call),
    isTableEnabled: isEnabled,
    isTableDisabled: async (args: NameArguments, call) => !(await isEnabled(args, call)),
    isTableAvailable: isAvailable,
    isTableAvailableWithSplit: isAvailable,
    enableTable: ({ tableName }: NameArguments, call) =>
      catalog.enableTable(tableNameFromStruct(tableName), call),
    disableTable: ({ tableName }: NameArguments, call) =>
      catalog.disableTable(tableNameFromStruct(tableName), call),
  }
}

/**
 * HBase: RawAsyncHBaseAdmin.isTableAvailable counts the regions that begin at one of the keys.
 * QUIRK thrift2-schema-argument-is-table-available-with-split-split-keys-twice: a key that comes twice is not there.
 */
function areStarts(keys: readonly Buffer[], regions: readonly { readonly startKey: Buffer }[]): boolean {
  const wanted = new Set(keys.map((key) => key.toString('latin1')))
  const begun = regions.filter(
    ({ startKey }) => startKey.length > 0 && wanted.has(startKey.toString('latin1')),
  )
  return begun.length === keys.length
}

function schemas({ catalog }: Cataloged): ThriftHandlers {
  return {
    createTable: ({ desc, splitKeys }: { readonly desc: TTableDescriptor } & SplitArguments, call) =>
      catalog.createTable(tableOfDescriptor(desc), splitKeys ?? [], call),
    deleteTable: ({ tableName }: NameArguments, call) =>
      catalog.deleteTable(tableNameFromStruct(tableName), call),
    truncateTable: (
      { tableName, preserveSplits }: NameArguments & { readonly preserveSplits: boolean },
      call,
    ) => catalog.truncateTable(tableNameFromStruct(tableName), preserveSplits, call),
    modifyTable: ({ desc }: { readonly desc: TTableDescriptor }, call) =>
      catalog.modifyTable(replacementDescriptor(desc), call),
    addColumnFamily: ({ tableName, column }: FamilyArguments, call) =>
      addFamily(catalog, tableNameFromStruct(tableName), familyOfDescriptor(column), call),
    modifyColumnFamily: ({ tableName, column }: FamilyArguments, call) =>
      modifyFamily(catalog, tableNameFromStruct(tableName), familyOfDescriptor(column), call),
    deleteColumnFamily: ({ tableName, column }: NameArguments & { readonly column: Buffer }, call) =>
      deleteFamily(catalog, tableNameFromStruct(tableName), column, call),
  }
}
