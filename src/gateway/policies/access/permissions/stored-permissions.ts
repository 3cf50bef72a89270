/** The permissions in the store's hbase:acl. HBase: MasterRpcServices, AccessController, PermissionStorage. */

import { HBaseError } from '../../../../model/errors.ts'
import {
  ACTIONS,
  GROUP_PREFIX,
  type Permission,
  type PermissionScope,
  type UserPermission,
} from '../../../../model/permission.ts'
import type { TableName } from '../../../../model/table-name.ts'
import { type Call, OWN_CALL } from '../../../../store/call.ts'
import type { PermissionQuestion, Permissions } from '../../../../store/permissions.ts'
import type { Access, AccessChecker } from '../access-checker.ts'
import { accessDenied, type FamilyMap } from '../denials.ts'
import { ACL_TABLE } from './acl-rows.ts'
import type { AclTable } from './acl-table.ts'
import type { CurrentGrants } from './current-grants.ts'

export class StoredPermissions implements Permissions {
  readonly #table: AclTable
  readonly #checker: AccessChecker
  readonly #current: CurrentGrants
  readonly #keepsTags: boolean

  /** `keepsTags`: true where single cells can have permissions. */
  constructor(table: AclTable, checker: AccessChecker, current: CurrentGrants, keepsTags: boolean) {
    this.#table = table
    this.#checker = checker
    this.#current = current
    this.#keepsTags = keepsTags
  }

  async areEnforced(): Promise<boolean> {
    return true
  }

  async areOfCells(): Promise<boolean> {
    return this.#keepsTags
  }

  async grant(permission: UserPermission, merge: boolean, call: Call): Promise<void> {
    requireAdmin(await this.#checker.accessOf(call), permission.permission.scope)
    const { user } = permission
    if (permission.permission.actions.length === 0)
      throw new HBaseError('REFUSED', `No actions associated with user '${user}'`)
    checkName(user, permission.permission.scope)
    // Its revocation is allowed: HBase accepts such grants, and a cluster's hbase:acl may contain one.
    if (user === GROUP_PREFIX)
      throw new HBaseError('DO_NOT_RETRY', `the permission names no group behind the ${GROUP_PREFIX}`)
    await this.#changing(() => this.#table.grant(permission, merge, OWN_CALL))
  }

  async revoke(permission: UserPermission, call: Call): Promise<void> {
    const { user } = permission
    requireAdmin(await this.#checker.accessOf(call), permission.permission.scope)
    checkName(user, permission.permission.scope)
    await this.#changing(() => this.#table.revoke(permission, OWN_CALL))
  }

  /** Grants the creator of a table all actions on it. HBase: AccessController.postCompletedCreateTableAction. */
  async own(user: string, scope: PermissionScope): Promise<void> {
    if (!isKept(user, scope)) return
    await this.#changing(() =>
      this.#table.grant({ user, permission: { scope, actions: ACTIONS } }, false, OWN_CALL),
    )
  }

  /** The permissions of all users on the table and its columns, for a snapshot. HBase: PermissionStorage.getTablePermissions. */
  ofTable(table: TableName): Promise<UserPermission[]> {
    return this.#table.of({ kind: 'table', table }, OWN_CALL)
  }

  /** Adds the permissions in a snapshot to those of the table. HBase: RestoreSnapshotHelper.restoreSnapshotAcl. */
  async restore(kept: readonly UserPermission[], table: TableName): Promise<void> {
    // The row with this name holds the global permissions.
    if (table === ACL_TABLE) return
    await this.#changing(async () => {
      for (const { user, permission } of kept) {
        const { scope, actions } = permission
        if (scope.kind !== 'table' || actions.length === 0) continue
        await this.#table.grant({ user, permission: { scope: { ...scope, table }, actions } }, true, OWN_CALL)
      }
    })
  }

  /** Removes the permissions of a deleted table or namespace. */
  async forget(scope: PermissionScope): Promise<void> {
    await this.#changing(() => this.#table.forget(scope, OWN_CALL))
  }

  /** Has the permissions read again, also after a failed change, which may have been made. */
  async #changing(change: () => Promise<void>): Promise<void> {
    try {
      await change()
    } finally {
      this.#current.changed()
    }
  }

  async userPermissions({ scope, user }: PermissionQuestion, call: Call): Promise<UserPermission[]> {
    requireAdmin(await this.#checker.accessOf(call), scope, user ?? null)
    const names = user === undefined ? undefined : this.#checker.subjects.of(user).names
    const found = (await this.#table.of(scope, OWN_CALL)).filter(
      (each) => (names === undefined || names.includes(each.user)) && isWithin(each.permission.scope, scope),
    )
    // Superusers are not in the table.
    const superusers = scope.kind === 'global' && user === undefined ? this.#checker.subjects.superusers : []
    return [...found, ...superusers.map((name) => ({ user: name, permission: { scope, actions: ACTIONS } }))]
  }

  async hasPermissions(
    user: string | undefined,
    permissions: readonly Permission[],
    call: Call,
  ): Promise<boolean[]> {
    const access = await this.#checker.accessOf(call)
    if (user === undefined || user === access.subject.user)
      return permissions.map((permission) => isAllowed(access, permission))
    for (const { scope } of permissions) requireAdmin(access, scope, user)
    const other = access.as(this.#checker.subjects.of(user))
    return permissions.map((permission) => isAllowed(other, permission))
  }

  async checkPermissions(permissions: readonly Permission[], call: Call): Promise<void> {
    const access = await this.#checker.accessOf(call)
    for (const { scope, actions } of permissions) {
      const refused = actions.find((action) => !isAllowed(access, { scope, actions: [action] }))
      if (refused === undefined) continue
      throw accessDenied(`Insufficient permissions (${placeText(scope)}action=${refused})`)
    }
  }

  async requireAdmin(call: Call): Promise<void> {
    requireAdmin(await this.#checker.accessOf(call), { kind: 'global' })
  }

  async replicateLogEntries(call: Call): Promise<void> {
    const access = await this.#checker.accessOf(call)
    access.requireGlobal('WRITE')
  }
}

/** `filterUser`: see DeniedContext. */
function requireAdmin(access: Access, scope: PermissionScope, filterUser: string | null = null): void {
  switch (scope.kind) {
    case 'global':
      access.requireGlobal('ADMIN')
      return
    case 'namespace':
      access.requireNamespace(scope.namespace, 'ADMIN', filterUser)
      return
    case 'table': {
      const { table, family, qualifier } = scope
      access.requireTable(table, ['ADMIN'], { family, qualifier, filterUser })
    }
  }
}

function isAllowed(access: Access, { scope, actions }: Permission): boolean {
  const { grants, subject } = access
  return actions.every((action) => {
    switch (scope.kind) {
      case 'global':
        return grants.allowsGlobal(subject, action)
      case 'namespace':
        return grants.allowsNamespace(subject, scope.namespace, action)
      case 'table':
        return access.refusalOf(scope.table, action, familiesOf(scope)) === undefined
    }
  })
}

function familiesOf({ family, qualifier }: Extract<PermissionScope, { kind: 'table' }>): FamilyMap {
  return family === undefined ? [] : [[family, qualifier === undefined ? [] : [qualifier]]]
}

/** Whether the scope of a permission is within the requested columns. HBase: PermissionStorage.validateCFAndCQ. */
function isWithin(scope: PermissionScope, asked: PermissionScope): boolean {
  if (scope.kind !== 'table' || asked.kind !== 'table' || asked.family === undefined) return true
  if (scope.family?.equals(asked.family) !== true) return false
  return asked.qualifier === undefined || scope.qualifier?.equals(asked.qualifier) === true
}

/** Refuses a comma in the name of the user or the family: the key `user,family,qualifier` would belong to another user or family. */
function checkName(user: string, scope: PermissionScope): void {
  if (user === '') throw new HBaseError('DO_NOT_RETRY', 'the permission names no user')
  if (!isKept(user, scope))
    throw new HBaseError(
      'DO_NOT_RETRY',
      `permissions of tables cannot be kept for a name with a comma, nor of a family with one: ${user}`,
    )
}

/** The place in a denial. HBase: AccessController.checkPermissions. */
function placeText(scope: PermissionScope): string {
  if (scope.kind !== 'table') return ''
  const { table, family, qualifier } = scope
  const column = qualifier === undefined ? '' : `:${qualifier.toString()}`
  return `table=${table}, ${family === undefined ? '' : `family: ${family.toString()}${column}, `}`
}

function isKept(user: string, scope: PermissionScope): boolean {
  return scope.kind !== 'table' || (!user.includes(',') && scope.family?.includes(',') !== true)
}
