/** The users of the matrix, each with one permission, and what the permissions are of. */

import {
  ACTIONS,
  type Action,
  type PermissionScope,
  type UserPermission,
} from '../../../src/model/permission.ts'
import type { TableName } from '../../../src/model/table-name.ts'

export const NAMESPACE = 'acl'
export const TABLE: TableName = 'acl:t' as TableName
/** Disabled, with the same permissions. */
export const DISABLED: TableName = 'acl:d' as TableName
export const FAMILY: Buffer = Buffer.from('f')
export const NEIGHBOUR: Buffer = Buffer.from('g')
export const QUALIFIER: Buffer = Buffer.from('q')

/** Superuser by the servers' settings. */
export const SUPERUSER = 'super'
export const GROUP = 'readers'
/** In the group. */
export const MEMBER = 'member'

type Level = 'global' | 'namespace' | 'table' | 'family' | 'column'
const LEVELS: readonly Level[] = ['global', 'namespace', 'table', 'family', 'column']

function scopeOf(level: Level, table: TableName): PermissionScope {
  switch (level) {
    case 'global':
      return { kind: 'global' }
    case 'namespace':
      return { kind: 'namespace', namespace: NAMESPACE }
    case 'table':
      return { kind: 'table', table }
    case 'family':
      return { kind: 'table', table, family: FAMILY }
    case 'column':
      return { kind: 'table', table, family: FAMILY, qualifier: QUALIFIER }
  }
}

function nameOf(level: Level, action: Action): string {
  return `${level}-${action.toLowerCase()}`
}

/** Everybody who asks. */
export const PEOPLE: readonly string[] = [
  SUPERUSER,
  'nobody',
  MEMBER,
  ...LEVELS.flatMap((level) => ACTIONS.map((action) => nameOf(level, action))),
]

/** What is granted before the matrix is asked. */
export const PERMISSIONS: readonly UserPermission[] = [
  ...LEVELS.flatMap((level) =>
    ACTIONS.flatMap((action) => {
      const tables = level === 'global' || level === 'namespace' ? [TABLE] : [TABLE, DISABLED]
      return tables.map((table) => ({
        user: nameOf(level, action),
        permission: { scope: scopeOf(level, table), actions: [action] },
      }))
    }),
  ),
  { user: `@${GROUP}`, permission: { scope: { kind: 'table', table: TABLE }, actions: ['READ'] } },
]
