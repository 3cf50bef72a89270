/** The format of rows of hbase:acl. HBase: PermissionStorage. PERSISTED: clusters have the same rows. */

import { familyDescriptor, type TableDescriptor, tableDescriptor } from '../../../../model/descriptor.ts'
import {
  ACTIONS,
  type Action,
  type PermissionScope,
  type TableScope,
  type UserPermission,
} from '../../../../model/permission.ts'
import type { TableName } from '../../../../model/table-name.ts'

export const ACL_TABLE: TableName = 'hbase:acl' as TableName
export const ACL_FAMILY: Buffer = Buffer.from('l')

/** HBase: AccessController.createACLTable. */
export const ACL_DESCRIPTOR: TableDescriptor = tableDescriptor(ACL_TABLE, [
  familyDescriptor(ACL_FAMILY.toString(), [
    ['IN_MEMORY', 'true'],
    ['BLOCKSIZE', '8192'],
    ['BLOOMFILTER', 'NONE'],
  ]),
])

const NAMESPACE_PREFIX = '@'
const DELIMITER = ','
const LETTERS: Readonly<Record<Action, string>> = {
  READ: 'R',
  WRITE: 'W',
  EXEC: 'X',
  CREATE: 'C',
  ADMIN: 'A',
}

/** The row for permissions of a scope. The row with the name of hbase:acl holds the global permissions. */
export function aclRow(scope: PermissionScope): Buffer {
  switch (scope.kind) {
    case 'global':
      return Buffer.from(ACL_TABLE)
    case 'namespace':
      return Buffer.from(NAMESPACE_PREFIX + scope.namespace)
    case 'table':
      return Buffer.from(scope.table)
  }
}

/** `user[,family[,qualifier]]`. An empty qualifier stands for the whole family, as no qualifier does. */
export function aclQualifier(user: string, scope: PermissionScope): Buffer {
  const { family, qualifier }: Pick<TableScope, 'family' | 'qualifier'> = scope.kind === 'table' ? scope : {}
  const parts = [Buffer.from(user), ...[family, qualifier].filter((part) => part && part.length > 0)]
  return Buffer.concat(
    parts.flatMap((part, index) => (index === 0 ? [part!] : [Buffer.from(DELIMITER), part!])),
  )
}

export function aclValue(actions: readonly Action[]): Buffer {
  return Buffer.from(actions.map((action) => LETTERS[action]).join(''))
}

export interface AclCell {
  readonly row: Buffer
  readonly qualifier: Buffer
  readonly value: Buffer
}

/** The permission in a cell. Letters that stand for no action are ignored. */
export function permissionOfCell({ row, qualifier, value }: AclCell): UserPermission {
  const letters = value.toString('latin1')
  const actions = ACTIONS.filter((action) => letters.includes(LETTERS[action]))
  const name = row.toString()
  if (name === ACL_TABLE)
    return { user: qualifier.toString(), permission: { scope: { kind: 'global' }, actions } }
  if (name.startsWith(NAMESPACE_PREFIX)) {
    const namespace = name.slice(NAMESPACE_PREFIX.length)
    return { user: qualifier.toString(), permission: { scope: { kind: 'namespace', namespace }, actions } }
  }
  const [user, columns] = parted(qualifier)
  const [family, column] = columns === undefined ? [undefined, undefined] : parted(columns)
  const scope: TableScope = { kind: 'table', table: name as TableName, family, qualifier: column }
  return { user: user.toString(), permission: { scope, actions } }
}

/** The bytes before the first delimiter, and those behind it; undefined without one. */
function parted(bytes: Buffer): [Buffer, Buffer | undefined] {
  const at = bytes.indexOf(DELIMITER)
  return at < 0 ? [bytes, undefined] : [bytes.subarray(0, at), bytes.subarray(at + 1)]
}
