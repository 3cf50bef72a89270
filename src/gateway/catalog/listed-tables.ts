/** Lists of tables: those of users and those of the system. HBase: HMaster.listTableDescriptors. */

import type { TableDescriptor } from '../../model/descriptor.ts'
import { compareTableNames, namespaceOf, SYSTEM_NAMESPACE, type TableName } from '../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../store/call.ts'
import type { Catalog, Listed } from '../../store/catalog.ts'

type ListedCatalog = Pick<Catalog, 'listTables' | 'listSystemTables' | 'namespace'>

/** All tables, ordered by name. */
export async function allTables(
  catalog: Pick<Catalog, 'listTables' | 'listSystemTables'>,
  call: Call,
  only?: Listed,
): Promise<TableDescriptor[]> {
  const tables = await catalog.listTables(call, only)
  const system = await catalog.listSystemTables(call, only)
  return [...tables, ...system].sort((a, b) => compareTableNames(a.name, b.name))
}

/** The named tables in the order of `names`, without missing ones. Throws ACCESS_DENIED for one that the caller may not see. */
export async function namedTables(
  catalog: Pick<Catalog, 'listTables' | 'listSystemTables' | 'tableExists' | 'table'>,
  names: readonly TableName[],
  call: Call,
): Promise<TableDescriptor[]> {
  const tables = new Map((await allTables(catalog, call)).map((table) => [table.name, table]))
  const found: TableDescriptor[] = []
  for (const name of names) {
    const listed = tables.get(name)
    if (listed !== undefined) found.push(listed)
    else if (await catalog.tableExists(name, call)) found.push(await catalog.table(name, call))
  }
  return found
}

/** The tables of a namespace, ordered by name. Those of the namespace hbase are the system's. Throws NAMESPACE_NOT_FOUND. */
export async function tablesOfNamespace(
  catalog: ListedCatalog,
  namespace: string,
  call: Call,
  only?: Listed,
): Promise<TableDescriptor[]> {
  await catalog.namespace(namespace, onOwnBehalf(call))
  if (namespace === SYSTEM_NAMESPACE) return catalog.listSystemTables(call, only)
  return (await catalog.listTables(call, only)).filter(({ name }) => namespaceOf(name) === namespace)
}
