/**
 * Adds hbase:meta and hbase:namespace to a catalog. Clients may alter these two tables, whose descriptors the store keeps, but cannot
 * disable or delete them.
 */

import { HBaseError } from '../../../model/errors.ts'
import { META_TABLE } from '../../../model/meta-table.ts'
import type { ServerName } from '../../../model/server-name.ts'
import { isShown, SHOWN_TABLES } from '../../../model/shown-tables.ts'
import { tableExists } from '../../../model/table-checks.ts'
import { compareTableNames, type TableName } from '../../../model/table-name.ts'
import type { Catalog } from '../../../store/catalog.ts'
import { withMethods } from '../../../store/decorate.ts'
import type { AdvertisedCatalog } from '../advertised.ts'
import { systemRegion } from './system-rows.ts'

export function withSystemCatalog(catalog: AdvertisedCatalog, server: ServerName): AdvertisedCatalog {
  const replaced: Partial<Catalog> & Pick<AdvertisedCatalog, 'regions'> = {
    listSystemTables: async (call, only) => {
      const own = await catalog.listSystemTables(call, only)
      const shown = await Promise.all([...SHOWN_TABLES.keys()].map((name) => catalog.table(name, call)))
      return [...own, ...shown].sort((a, b) => compareTableNames(a.name, b.name))
    },
    tableExists: async (name, call) => isShown(name) || catalog.tableExists(name, call),
    tableState: async (name, call) => (isShown(name) ? 'ENABLED' : catalog.tableState(name, call)),
    regions: async (name, call) =>
      isShown(name) ? [systemRegion(name, server)] : catalog.regions(name, call),
    createTable: (table, splitKeys, call) =>
      guarded(table.name, tableExists, () => catalog.createTable(table, splitKeys, call)),
    deleteTable: (name, call) => guarded(name, notDeleted, () => catalog.deleteTable(name, call)),
    truncateTable: (name, preserveSplits, call) =>
      guarded(name, notDisabled, () => catalog.truncateTable(name, preserveSplits, call)),
    enableTable: (name, call) => guarded(name, isEnabled, () => catalog.enableTable(name, call)),
    disableTable: (name, call) => guarded(name, notToBeDisabled, () => catalog.disableTable(name, call)),
  }
  return withMethods(catalog, replaced)
}

/** Makes a change, unless it changes one of the two tables. */
async function guarded(
  name: TableName,
  refusal: (name: TableName) => HBaseError,
  change: () => Promise<void>,
): Promise<void> {
  if (isShown(name)) throw refusal(name)
  return change()
}

/** The refusal to delete a table. HBase: DeleteTableProcedure, which takes hbase:namespace for a table that could be disabled. */
function notDeleted(name: TableName): HBaseError {
  if (name === META_TABLE) return new HBaseError('REFUSED', "Can't modify catalog tables")
  return new HBaseError('TABLE_NOT_DISABLED', `Not DISABLED; tableName=${name}, state=ENABLED`)
}

function notDisabled(name: TableName): HBaseError {
  return new HBaseError('TABLE_NOT_DISABLED', name)
}

function isEnabled(name: TableName): HBaseError {
  return new HBaseError('TABLE_NOT_DISABLED', `tableName=${name}, state=ENABLED`)
}

/** The refusal to disable a table. HBase: DisableTableProcedure for hbase:meta. It disables hbase:namespace, and then no start succeeds. */
function notToBeDisabled(name: TableName): HBaseError {
  return new HBaseError('CONSTRAINT', `Cannot disable ${name}`)
}
