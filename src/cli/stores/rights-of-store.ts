/** Permissions and labels that are in the store, though the settings may ignore them. */

import type { AdvertisedStore } from '../../gateway/catalog/advertised.ts'
import { ACL_TABLE } from '../../gateway/policies/access/permissions/acl-rows.ts'
import { AclTable } from '../../gateway/policies/access/permissions/acl-table.ts'
import type { Authorization } from '../../gateway/policies/authorization.ts'
import { LABELS_TABLE } from '../../model/label-rows.ts'
import { namespaceOf, type TableName } from '../../model/table-name.ts'
import { OWN_CALL } from '../../store/call.ts'
import { withFacets, withMethods } from '../../store/decorate.ts'
import type { Store } from '../../store/store.ts'
import { StartError } from '../failures/start-error.ts'

/** Rows of hbase:acl that one warning names. */
const NAMED_MAX = 10

type AskedStore = Pick<Store, 'catalog' | 'rows' | 'handouts'>
type Rights = Pick<Authorization, 'labels' | 'hasPermissions'> | undefined

/** A sentence for each table of rights that the settings leave out. A cluster decides by controllers of its own. */
export async function ignoredRights({ catalog }: AskedStore, rights: Rights): Promise<readonly string[]> {
  if (catalog.hasSystemTables) return []
  const sentences: string[] = []
  if (rights?.hasPermissions !== true && (await catalog.tableExists(ACL_TABLE, OWN_CALL)))
    sentences.push(
      `the store has permissions (${ACL_TABLE}) that this server ignores: any client may do everything; give --authorization, or drop the table`,
    )
  if (rights?.labels === undefined && (await catalog.tableExists(LABELS_TABLE, OWN_CALL)))
    sentences.push(
      `the store has labels of cells (${LABELS_TABLE}) that this server ignores: every user sees every cell; give --visibility-labels, or drop the table`,
    )
  return sentences
}

/** `changed`: called after a table of rights is deleted. */
export function withRightsWatched(store: AdvertisedStore, changed: () => Promise<void>): AdvertisedStore {
  const { catalog } = store
  return withFacets(store, {
    catalog: withMethods(catalog, {
      deleteTable: async (name, call) => {
        await catalog.deleteTable(name, call)
        if (name === ACL_TABLE || name === LABELS_TABLE) await changed()
      },
    }),
  })
}

/**
 * A sentence where permissions are left of tables or namespaces that are no more: those of that name that come next are open to the same
 * users. Tables that are dropped without --authorization leave them, as those of an HBase without its AccessController do.
 */
export async function leftPermissions(store: AskedStore, rights: Rights): Promise<readonly string[]> {
  const { catalog } = store
  if (catalog.hasSystemTables || rights?.hasPermissions !== true) return []
  const tables = new Set<TableName>()
  const namespaces = new Set<string>()
  for (const { permission } of await new AclTable(store).all(OWN_CALL)) {
    const { scope } = permission
    if (scope.kind === 'table') tables.add(scope.table)
    else if (scope.kind === 'namespace') namespaces.add(scope.namespace)
  }
  const present = new Set((await catalog.listNamespaces(OWN_CALL)).map(({ name }) => name))
  const left = [...namespaces].filter((name) => !present.has(name)).map((name) => `@${name}`)
  for (const table of tables)
    if (!present.has(namespaceOf(table)) || !(await catalog.tableExists(table, OWN_CALL))) left.push(table)
  if (left.length === 0) return []
  const named = left.slice(0, NAMED_MAX).map((row) => JSON.stringify(row))
  const more = left.length > NAMED_MAX ? ` and ${left.length - NAMED_MAX} more` : ''
  return [
    `${ACL_TABLE} has permissions of tables or namespaces that are not there, which count again for the next ones of that name: ` +
      `${named.join(', ')}${more}; a superuser removes them in the shell by deleteall '${ACL_TABLE}', ROW`,
  ]
}

/** Throws a StartError: a disabled table of rights cannot be read, nor be enabled by a server that obeys it. */
export async function requireEnabled({ catalog }: AskedStore, table: TableName, flag: string): Promise<void> {
  if (catalog.hasSystemTables || !(await catalog.tableExists(table, OWN_CALL))) return
  if ((await catalog.tableState(table, OWN_CALL)) === 'ENABLED') return
  throw new StartError(
    `${flag}: ${table} is disabled; start once on the loopback without ${flag}, ask for enable '${table}' in the shell (tidegate shell, with the --address, and with users the --user, that clients of this server state), and start again with ${flag}`,
  )
}
