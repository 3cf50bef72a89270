/** Permissions as the master takes and returns them. HBase: AccessControlUtil. */

import { isFieldSet, type MessageInitShape } from '@bufbuild/protobuf'
import { HBaseError } from '../../model/errors.ts'
import {
  type Action,
  orderedActions,
  type Permission,
  type PermissionScope,
  type UserPermission,
} from '../../model/permission.ts'
import { parseTableName } from '../../model/table-name.ts'
import {
  Permission_Action as ActionNumber,
  type GetUserPermissionsRequest,
  GetUserPermissionsRequestSchema,
  Permission_Type as Kind,
  type Permission as PermissionMessage,
  type PermissionSchema,
  TablePermissionSchema,
  type UserPermission as UserPermissionMessage,
  type UserPermissionSchema,
  type UsersAndPermissions,
  type UsersAndPermissionsSchema,
} from './gen/access-control_pb.ts'
import { tableNameFromMessage, tableNameMessage } from './table-name-message.ts'

const ACTION_OF_NUMBER = new Map<number, Action>(
  Object.entries(ActionNumber).map(([name, number]) => [number as number, name as Action]),
)

export function permissionMessage({ scope, actions }: Permission): MessageInitShape<typeof PermissionSchema> {
  const action = actions.map((name) => ActionNumber[name])
  switch (scope.kind) {
    case 'global':
      return { type: Kind.Global, globalPermission: { action } }
    case 'namespace':
      return {
        type: Kind.Namespace,
        namespacePermission: { namespaceName: Buffer.from(scope.namespace), action },
      }
    case 'table': {
      const { table, family, qualifier } = scope
      const columns = { ...(family && { family }), ...(qualifier && { qualifier }) }
      return { type: Kind.Table, tablePermission: { tableName: tableNameMessage(table), ...columns, action } }
    }
  }
}

/** Throws ILLEGAL_ARGUMENT for a scope that names no table or namespace. */
export function permissionFromMessage(message: PermissionMessage): Permission {
  switch (message.type) {
    case Kind.Global:
      return { scope: { kind: 'global' }, actions: actionsOf(message.globalPermission?.action) }
    case Kind.Namespace: {
      const { namespaceName, action } = message.namespacePermission ?? {}
      if (namespaceName === undefined) throw incomplete('Namespace')
      return { scope: { kind: 'namespace', namespace: text(namespaceName) }, actions: actionsOf(action) }
    }
    case Kind.Table: {
      const { tablePermission: of } = message
      if (of?.tableName === undefined) throw incomplete('TableName')
      const { field } = TablePermissionSchema
      const table = parseTableName(tableNameFromMessage(of.tableName))
      const family = isFieldSet(of, field.family) ? Buffer.from(of.family) : undefined
      const qualifier = isFieldSet(of, field.qualifier) ? Buffer.from(of.qualifier) : undefined
      return { scope: { kind: 'table', table, family, qualifier }, actions: actionsOf(of.action) }
    }
    default:
      throw new HBaseError('DO_NOT_RETRY', 'an unknown type of permission')
  }
}

export function userPermissionMessage({
  user,
  permission,
}: UserPermission): MessageInitShape<typeof UserPermissionSchema> {
  return { user: Buffer.from(user), permission: permissionMessage(permission) }
}

/** Throws as permissionFromMessage. */
export function userPermissionFromMessage({ user, permission }: UserPermissionMessage): UserPermission {
  return { user: text(user), permission: permissionFromMessage(permission!) }
}

/** HBase: ShadedAccessControlUtil.toUserTablePermissions. */
export function usersAndPermissionsMessage(
  all: readonly UserPermission[],
): MessageInitShape<typeof UsersAndPermissionsSchema> {
  const ofUser = new Map<string, MessageInitShape<typeof PermissionSchema>[]>()
  for (const { user, permission } of all) {
    const permissions = ofUser.get(user) ?? []
    permissions.push(permissionMessage(permission))
    ofUser.set(user, permissions)
  }
  return {
    userPermissions: [...ofUser].map(([user, permissions]) => ({ user: Buffer.from(user), permissions })),
  }
}

/** Permissions of tables. */
export function tablePermissionsFromMessage({ userPermissions }: UsersAndPermissions): UserPermission[] {
  return userPermissions.flatMap(({ user, permissions }) =>
    permissions
      .filter(({ type, tablePermission }) => type === Kind.Table && tablePermission?.tableName !== undefined)
      .map((permission) => ({ user: text(user), permission: permissionFromMessage(permission) })),
  )
}

/** The question of HBase's Admin: the scope, and the user where it names one. Throws ILLEGAL_ARGUMENT for a table's name that is none. */
export function questionFromMessage(message: GetUserPermissionsRequest): {
  scope: PermissionScope
  user: string | undefined
} {
  const { field } = GetUserPermissionsRequestSchema
  const { type, tableName, namespaceName, columnFamily, columnQualifier } = message
  const user = isFieldSet(message, field.userName) ? text(message.userName) : undefined
  if (type === Kind.Namespace) return { scope: { kind: 'namespace', namespace: text(namespaceName) }, user }
  if (type !== Kind.Table || tableName === undefined) return { scope: { kind: 'global' }, user }
  const family = isFieldSet(message, field.columnFamily) ? Buffer.from(columnFamily) : undefined
  const qualifier = isFieldSet(message, field.columnQualifier) ? Buffer.from(columnQualifier) : undefined
  const table = parseTableName(tableNameFromMessage(tableName))
  return { scope: { kind: 'table', table, family, qualifier }, user }
}

export function questionMessage(
  scope: PermissionScope,
  user: string | undefined,
): MessageInitShape<typeof GetUserPermissionsRequestSchema> {
  const userName = user === undefined ? {} : { userName: Buffer.from(user) }
  switch (scope.kind) {
    case 'global':
      return { type: Kind.Global, ...userName }
    case 'namespace':
      return { type: Kind.Namespace, namespaceName: Buffer.from(scope.namespace), ...userName }
    case 'table': {
      const { table, family, qualifier } = scope
      return {
        type: Kind.Table,
        tableName: tableNameMessage(table),
        ...(family && { columnFamily: family }),
        ...(qualifier && { columnQualifier: qualifier }),
        ...userName,
      }
    }
  }
}

function actionsOf(numbers: readonly number[] = []): Action[] {
  return orderedActions(numbers.flatMap((number) => ACTION_OF_NUMBER.get(number) ?? []))
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString()
}

function incomplete(what: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', `${what} cannot be empty`)
}
