/** Adds hbase:meta and hbase:namespace to a catalog. Clients cannot change these two tables. */

import type { TableDescriptor } from '../../model/descriptor.ts'
import { HBaseError } from '../../model/errors.ts'
import { META_TABLE } from '../../model/meta-table.ts'
import type { ServerName } from '../../model/server-name.ts'
import { tableExists } from '../../model/table-checks.ts'
import { compareTableNames, type TableName } from '../../model/table-name.ts'
import type { Catalog } from '../../store/catalog.ts'
import { withMethods } from '../../store/decorate.ts'
import { changedDescriptor } from '../../store/table-alteration.ts'
import type { AdvertisedCatalog } from '../advertised.ts'
import { META_DESCRIPTOR, NAMESPACE_DESCRIPTOR, NAMESPACE_TABLE } from './system-descriptors.ts'
import { systemRegion } from './system-rows.ts'

const DESCRIPTORS: ReadonlyMap<TableName, TableDescriptor> = new Map([
  [META_TABLE, META_DESCRIPTOR],
  [NAMESPACE_TABLE, NAMESPACE_DESCRIPTOR],
])

export const SHOWN_TABLES: readonly TableName[] = [...DESCRIPTORS.keys()]

/** True for the tables that the gateway shows, since the store has none. */
export function isShown(table: TableName): boolean {
  return DESCRIPTORS.has(table)
}

export function withSystemCatalog(catalog: AdvertisedCatalog, server: ServerName): AdvertisedCatalog {
  const replaced: Partial<Catalog> & Pick<AdvertisedCatalog, 'regions'> = {
    listSystemTables: async (call, only) => {
      const own = await catalog.listSystemTables(call, only)
      return [...own, ...DESCRIPTORS.values()].sort((a, b) => compareTableNames(a.name, b.name))
    },
    table: async (name, call) => DESCRIPTORS.get(name) ?? catalog.table(name, call),
    tableExists: async (name, call) => isShown(name) || catalog.tableExists(name, call),
    tableState: async (name, call) => (isShown(name) ? 'ENABLED' : catalog.tableState(name, call)),
    regions: async (name, call) =>
      isShown(name) ? [systemRegion(name, server)] : catalog.regions(name, call),
    createTable: (table, splitKeys, call) =>
      guarded(table.name, tableExists, () => catalog.createTable(table, splitKeys, call)),
    modifyTable: async (change, call) => {
      const shown = DESCRIPTORS.get(change.name)
      if (shown === undefined) return catalog.modifyTable(change, call)
      // Refusals of the alteration itself come first, as for other tables.
      changedDescriptor(change, shown)
      throw notModified()
    },
    deleteTable: (name, call) => guarded(name, notDeleted, () => catalog.deleteTable(name, call)),
    truncateTable: (name, preserveSplits, call) =>
      guarded(name, notDisabled, () => catalog.truncateTable(name, preserveSplits, call)),
    enableTable: (name, call) => guarded(name, isEnabled, () => catalog.enableTable(name, call)),
    disableTable: (name, call) => guarded(name, notToBeDisabled, () => catalog.disableTable(name, call)),
  }
  return withMethods(catalog, replaced)
}

/** Makes a change, unless it is of a system table. */
async function guarded(
  name: TableName,
  refusal: (name: TableName) => HBaseError,
  change: () => Promise<void>,
): Promise<void> {
  if (isShown(name)) throw refusal(name)
  return change()
}

/** HBase: ModifyTableProcedure and DeleteTableProcedure refuse a catalog table so. */
function notModified(): HBaseError {
  return new HBaseError('REFUSED', "Can't modify catalog tables")
}

function notDeleted(name: TableName): HBaseError {
  if (name === META_TABLE) return notModified()
  return new HBaseError('TABLE_NOT_DISABLED', `Not DISABLED; tableName=${name}, state=ENABLED`)
}

function notDisabled(name: TableName): HBaseError {
  return new HBaseError('TABLE_NOT_DISABLED', name)
}

function isEnabled(name: TableName): HBaseError {
  return new HBaseError('TABLE_NOT_DISABLED', `tableName=${name}, state=ENABLED`)
}

/** HBase: DisableTableProcedure refuses hbase:meta so. It disables hbase:namespace, and every later start fails. */
function notToBeDisabled(name: TableName): HBaseError {
  return new HBaseError('CONSTRAINT', `Cannot disable ${name}`)
}
