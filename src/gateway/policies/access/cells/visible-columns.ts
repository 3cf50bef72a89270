/** Limits reads to the columns that a user may read. HBase: AccessController.internalPreRead, AccessControlFilter. */

import { META_TABLE } from '../../../../model/meta-table.ts'
import { type Columns, ColumnsBuilder, type FamilyColumns } from '../../../../model/query.ts'
import type { TableName } from '../../../../model/table-name.ts'
import type { Access } from '../access-checker.ts'

/** Whether a read may have all columns. All users must be able to find regions. */
export function mayReadAll({ grants, subject }: Access, table: TableName): boolean {
  return table === META_TABLE || grants.allowsWhole(subject, table, 'READ')
}

/**
 * The requested columns that the user may read; empty: none of them. Other columns are not read at all, so that
 * no filter and no count of versions sees them. `families`: all families of the table.
 */
export function visibleColumns(
  access: Access,
  table: TableName,
  families: readonly Buffer[],
  asked: Columns,
): Columns {
  const wanted: readonly FamilyColumns[] =
    asked.length > 0 ? asked : families.map((family) => ({ family, qualifiers: undefined }))
  const { grants, subject } = access
  const visible = new ColumnsBuilder()
  for (const { family, qualifiers } of wanted) {
    if (grants.allowsTable(subject, table, 'READ', family)) {
      if (qualifiers === undefined) visible.addFamily(family)
      else for (const qualifier of qualifiers) visible.addColumn(family, qualifier)
      continue
    }
    const own = qualifiers ?? grants.columns(subject, table, 'READ', family)
    for (const qualifier of own)
      if (grants.allowsTable(subject, table, 'READ', family, qualifier)) visible.addColumn(family, qualifier)
  }
  return visible.build()
}
