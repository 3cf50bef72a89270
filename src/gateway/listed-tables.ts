/** Lists of tables, of users and of the system. HBase: HMaster.listTableDescriptors. */

import type { TableDescriptor } from '../model/descriptor.ts'
import { compareTableNames, namespaceOf, SYSTEM_NAMESPACE } from '../model/table-name.ts'
import type { Call } from '../store/call.ts'
import type { Catalog } from '../store/catalog.ts'

type ListedCatalog = Pick<Catalog, 'listTables' | 'listSystemTables' | 'namespace'>

/** In order of their names. */
export async function allTables(catalog: ListedCatalog, call: Call): Promise<TableDescriptor[]> {
  const [tables, system] = [await catalog.listTables(call), await catalog.listSystemTables(call)]
  return [...tables, ...system].sort((a, b) => compareTableNames(a.name, b.name))
}

/** In order of their names. The tables of the namespace hbase are the system's. Throws NAMESPACE_NOT_FOUND. */
export async function tablesOfNamespace(
  catalog: ListedCatalog,
  namespace: string,
  call: Call,
): Promise<TableDescriptor[]> {
  await catalog.namespace(namespace, call)
  if (namespace === SYSTEM_NAMESPACE) return catalog.listSystemTables(call)
  return (await catalog.listTables(call)).filter(({ name }) => namespaceOf(name) === namespace)
}
