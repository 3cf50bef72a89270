/** The methods of a catalog with access control. HBase: AccessController, as an observer of the master. */

import type { TableDescriptor } from '../../../model/descriptor.ts'
import { ACTIONS, type Action } from '../../../model/permission.ts'
import { isSystemTable, namespaceOf, type TableName } from '../../../model/table-name.ts'
import { type Call, onOwnBehalf } from '../../../store/call.ts'
import type { Listed } from '../../../store/catalog.ts'
import type { AdvertisedCatalog } from '../../catalog/advertised.ts'
import type { Access, AccessChecker } from './access-checker.ts'
import type { CodedRules } from './coded-rules.ts'
import { accessDenied } from './denials.ts'
import { ACL_TABLE } from './permissions/acl-rows.ts'
import type { StoredPermissions } from './permissions/stored-permissions.ts'

/** A change of a table needs one of these. */
export const ADMIN_OR_CREATE: readonly Action[] = ['ADMIN', 'CREATE']

export function authorizedCatalog(
  catalog: AdvertisedCatalog,
  checker: AccessChecker,
  permissions: StoredPermissions,
): ReturnType<CodedRules['catalog']> {
  const listed = async (tables: TableDescriptor[], only: Listed | undefined, call: Call) => {
    const access = await checker.accessOf(call)
    return tables.filter(({ name }) =>
      only === 'names' ? access.allowsSome(name, ACTIONS) : access.allowsOne(name, ADMIN_OR_CREATE),
    )
  }
  /** Throws TABLE_NOT_FOUND before ACCESS_DENIED: every user may know whether a table exists. */
  const changing = async (name: TableName, call: Call, change: () => Promise<void>): Promise<void> => {
    const access = await checker.accessOf(call)
    if (!access.allowsOne(name, ADMIN_OR_CREATE)) await catalog.table(name, onOwnBehalf(call))
    access.requireTable(name, ADMIN_OR_CREATE)
    requireOfSystemTable(access, name)
    await change()
  }
  return {
    ...namespaceMethods(catalog, checker, permissions),
    listTables: async (call, only) => listed(await catalog.listTables(call, only), only, call),
    listSystemTables: async (call, only) => listed(await catalog.listSystemTables(call, only), only, call),
    table: async (name, call) => {
      const found = await catalog.table(name, call)
      const access = await checker.accessOf(call)
      access.requireTable(name, ADMIN_OR_CREATE)
      return found
    },
    createTable: async (table, splitKeys, call) => {
      const access = await checker.accessOf(call)
      requireNewTable(access, table)
      await catalog.createTable(table, splitKeys, call)
      await owned(permissions, table.name, call)
    },
    modifyTable: async (table, call) => {
      await changing(table.name, call, () => catalog.modifyTable(table, call))
      await owned(permissions, table.name, call)
    },
    deleteTable: async (name, call) => {
      await changing(name, call, () => catalog.deleteTable(name, call))
      await permissions.forget({ kind: 'table', table: name })
    },
    truncateTable: (name, preserveSplits, call) =>
      changing(name, call, () => catalog.truncateTable(name, preserveSplits, call)),
    enableTable: (name, call) => changing(name, call, () => catalog.enableTable(name, call)),
    disableTable: (name, call) => {
      if (name === ACL_TABLE) return Promise.reject(disablesAcl())
      return changing(name, call, () => catalog.disableTable(name, call))
    },
  }
}

type NamespaceMethod =
  | 'listNamespaces'
  | 'namespace'
  | 'createNamespace'
  | 'modifyNamespace'
  | 'deleteNamespace'

function namespaceMethods(
  catalog: AdvertisedCatalog,
  checker: AccessChecker,
  permissions: StoredPermissions,
): Pick<AdvertisedCatalog, NamespaceMethod> {
  const changing = async (call: Call, change: () => Promise<void>): Promise<void> => {
    const access = await checker.accessOf(call)
    access.requireGlobal('ADMIN')
    await change()
  }
  return {
    listNamespaces: async (call, only) => {
      const access = await checker.accessOf(call)
      const { grants, subject } = access
      const namespaces = await catalog.listNamespaces(call, only)
      if (only === 'names') return namespaces
      return namespaces.filter(({ name }) => grants.allowsNamespace(subject, name, 'ADMIN'))
    },
    namespace: async (name, call) => {
      const access = await checker.accessOf(call)
      access.requireNamespace(name, 'ADMIN')
      return catalog.namespace(name, call)
    },
    createNamespace: (namespace, call) => changing(call, () => catalog.createNamespace(namespace, call)),
    modifyNamespace: async (namespace, call) => {
      const access = await checker.accessOf(call)
      // Checked first, as by HBase's clients, which ask for the descriptor before.
      access.requireNamespace(namespace.name, 'ADMIN')
      await changing(call, () => catalog.modifyNamespace(namespace, call))
    },
    deleteNamespace: async (name, call) => {
      await changing(call, () => catalog.deleteNamespace(name, call))
      await permissions.forget({ kind: 'namespace', namespace: name })
    },
  }
}

/**
 * System tables contain the permissions, labels and quotas of all users. A user who may alter them, or replace their files, could take any
 * right, and therefore needs ADMIN. HBase accepts global CREATE, too.
 */
export function requireOfSystemTable(access: Access, table: TableName): void {
  if (isSystemTable(table)) access.requireGlobal('ADMIN')
}

function requireNewTable(access: Access, { name, families }: TableDescriptor): void {
  access.requireNewTable(
    namespaceOf(name),
    name,
    families.map((family) => [family.name, []]),
  )
}

/**
 * Grants all actions on a table to the user who has created or altered it. Tables that Tidegate makes itself have no owner; nor has
 * hbase:acl, since the row with its name holds the global permissions.
 */
export async function owned(permissions: StoredPermissions, table: TableName, call: Call): Promise<void> {
  const { principal, isOwn } = call
  if (table === ACL_TABLE || isOwn || principal === undefined) return
  await permissions.own(principal.user, { kind: 'table', table })
}

function disablesAcl(): Error {
  return accessDenied(`Not allowed to disable ${ACL_TABLE} table with AccessController installed`)
}
