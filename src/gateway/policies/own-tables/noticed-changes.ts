/**
 * Interceptors that report changes of a table of Tidegate's own, such as hbase:quota, whose content a policy keeps in memory. They report after
 * the change, also after one that has failed: it may have been made all the same.
 */

import type { TableName } from '../../../model/table-name.ts'
import type { Around, Interceptor } from '../../../store/interceptors.ts'
import type { FacetName, MethodName } from '../../../store/operations.ts'
import { type Target, targetTable } from '../../../store/target.ts'

type Named = { readonly name: TableName }

/** The table that an operation changes, by the operation's first argument; undefined where only the store knows the table. */
type ChangedTable = (first: unknown) => TableName | undefined

const BY_NAME: ChangedTable = (table) => table as TableName
const BY_DESCRIPTOR: ChangedTable = (table) => (table as Named).name
const BY_TARGET: ChangedTable = (target) => targetTable(target as Target)
const UNKNOWN: ChangedTable = () => undefined

/** The operations beside requests of rows that change what is in a table. */
const CHANGES: { readonly [Facet in FacetName]?: { readonly [Method in MethodName<Facet>]?: ChangedTable } } =
  {
    catalog: {
      createTable: BY_DESCRIPTOR,
      modifyTable: BY_DESCRIPTOR,
      truncateTable: BY_NAME,
      deleteTable: BY_NAME,
    },
    // The region's name may be a digest.
    regions: { truncateRegion: UNKNOWN },
    snapshots: { restoreSnapshot: UNKNOWN, cloneSnapshot: UNKNOWN },
    bulkLoads: { bulkLoad: BY_TARGET },
  }

/** Calls `changed` after each operation on the catalog or of upkeep that may have changed what is in the table. */
export function noticedChanges(table: TableName, changed: () => void): Interceptor {
  return ({ facet, method }) => {
    const changes: Readonly<Record<string, ChangedTable>> = CHANGES[facet] ?? {}
    const changedTable = changes[method]
    return changedTable && noticed(table, changedTable, changed)
  }
}

/** Calls `changed` after each request that changes rows of the table. */
export function noticedWrites(table: TableName, changed: () => void): Interceptor {
  return ({ facet, changes }) =>
    facet === 'rows' && changes === 'rows' ? noticed(table, BY_TARGET, changed) : undefined
}

function noticed(table: TableName, changedTable: ChangedTable, changed: () => void): Around {
  return (call, args, next) => {
    const outcome = next(call)
    const named = changedTable(args[0])
    return named === undefined || named === table ? (outcome as Promise<unknown>).finally(changed) : outcome
  }
}
