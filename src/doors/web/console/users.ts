/** Users with their logins and groups, and who has which permission, as far as the user may know. */

import { allTables } from '../../../gateway/catalog/listed-tables.ts'
import { ACL_TABLE } from '../../../gateway/policies/access/permissions/acl-rows.ts'
import { toStringBinary } from '../../../model/bytes.ts'
import { isHBaseError } from '../../../model/errors.ts'
import {
  ACTION_LETTERS,
  ACTIONS,
  type PermissionScope,
  type UserPermission,
} from '../../../model/permission.ts'
import type { Permissions } from '../../../store/permissions.ts'
import type { ConsoleRequest } from './console-request.ts'
import { seesAll } from './sees-all.ts'

/** The most tables, and the most namespaces, whose permissions the page shows: each takes a request. */
const SCOPES_MAX = 500
/** The most users of files that the page shows. */
const USERS_MAX = 1000
/** Requests of permissions at once. */
const SIDE_BY_SIDE = 16

interface ShownPermission {
  readonly user: string
  /** `global`, `namespace NAME`, or a table, perhaps with a family and a column. */
  readonly scope: string
  /** Letters of RWXCA. */
  readonly actions: string
}

export async function users(request: ConsoleRequest): Promise<object> {
  const { store, call, facts } = request
  const all = await seesAll(request)
  const { permissions } = store.upkeep
  const isEnforced = permissions !== undefined && (await permissions.areEnforced(call))
  const scopes = isEnforced ? await scopesOf(request) : []
  return {
    user: call.principal?.user,
    deciding: facts.console?.deciding,
    isEnforced,
    ...(all ? { accounts: await accountsOf(request) } : { isPartial: true }),
    own: isEnforced ? await ownPermissions(permissions, scopes, request) : [],
    permissions: isEnforced ? await grantedPermissions(permissions, scopes, request) : [],
    isCut: isCut(scopes),
  }
}

async function accountsOf({ facts }: ConsoleRequest): Promise<object | undefined> {
  const accounts = await facts.console?.accounts?.()
  if (accounts === undefined) return undefined
  const { users: named = [], memberships, ...more } = accounts
  const groups = new Map(memberships.map(({ user, groups: of }) => [user, of]))
  const names = [...new Set([...named, ...groups.keys()])].sort()
  return {
    ...more,
    hasFile: accounts.users !== undefined,
    usersTotal: names.length,
    users: names.slice(0, USERS_MAX).map((name) => ({
      name,
      hasPassword: named.includes(name),
      groups: groups.get(name) ?? [],
    })),
  }
}

/** Everything, and each namespace and table that the user may see. */
async function scopesOf({ store, call }: ConsoleRequest): Promise<PermissionScope[]> {
  const { catalog } = store
  const [namespaces, tables] = await Promise.all([
    catalog.listNamespaces(call),
    allTables(catalog, call, 'names'),
  ])
  return [
    { kind: 'global' },
    ...namespaces.slice(0, SCOPES_MAX).map(({ name }) => ({ kind: 'namespace' as const, namespace: name })),
    ...tables.slice(0, SCOPES_MAX).map(({ name }) => ({ kind: 'table' as const, table: name })),
  ]
}

function isCut(scopes: readonly PermissionScope[]): boolean {
  const of = (kind: PermissionScope['kind']): number => scopes.filter((scope) => scope.kind === kind).length
  return Math.max(of('table'), of('namespace')) >= SCOPES_MAX
}

/** The permissions of the user himself, also by his groups. */
async function ownPermissions(
  permissions: Permissions,
  scopes: readonly PermissionScope[],
  { call }: ConsoleRequest,
): Promise<readonly Omit<ShownPermission, 'user'>[]> {
  const asked = scopes.flatMap((scope) => ACTIONS.map((action) => ({ scope, actions: [action] })))
  const has = await permissions.hasPermissions(undefined, asked, call).catch(noneIfDenied)
  const lettersOf = scopes.map((_, index) =>
    ACTION_LETTERS.filter((_letter, at) => has[index * ACTIONS.length + at] === true),
  )
  const global = new Set(lettersOf[0])
  return scopes.flatMap((scope, index) => {
    const letters = lettersOf[index]!
    // Permissions for everything hold in each namespace and table.
    const isImplied = index > 0 && letters.every((letter) => global.has(letter))
    return letters.length === 0 || isImplied ? [] : [{ scope: scopeText(scope), actions: letters.join('') }]
  })
}

/** The permissions of all users in each scope that the user administers. */
async function grantedPermissions(
  permissions: Permissions,
  scopes: readonly PermissionScope[],
  { call }: ConsoleRequest,
): Promise<readonly ShownPermission[]> {
  const found: UserPermission[] = []
  // The global permissions are the row of hbase:acl in that table.
  const asked = scopes.filter((scope) => scope.kind !== 'table' || scope.table !== ACL_TABLE)
  for (let at = 0; at < asked.length; at += SIDE_BY_SIDE) {
    const some = asked.slice(at, at + SIDE_BY_SIDE)
    const each = some.map((scope) =>
      permissions.userPermissions({ scope, user: undefined }, call).catch(noneIfDenied),
    )
    found.push(...(await Promise.all(each)).flat())
  }
  return found.map(({ user, permission: { scope, actions } }) => ({
    user,
    scope: scopeText(scope),
    actions: ACTION_LETTERS.filter((_, index) => actions.includes(ACTIONS[index]!)).join(''),
  }))
}

function scopeText(scope: PermissionScope): string {
  if (scope.kind === 'global') return 'global'
  if (scope.kind === 'namespace') return `namespace ${scope.namespace}`
  const { table, family, qualifier } = scope
  const column = qualifier === undefined ? '' : `:${toStringBinary(qualifier)}`
  return family === undefined ? table : `${table} ${toStringBinary(family)}${column}`
}

function noneIfDenied(error: unknown): [] {
  if (isHBaseError(error) && error.code === 'ACCESS_DENIED') return []
  throw error
}
