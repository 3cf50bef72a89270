/** Permissions of users and groups, as HBase grants them. HBase: Permission, UserPermission. */

import type { TableName } from './table-name.ts'

export type Action = 'READ' | 'WRITE' | 'EXEC' | 'CREATE' | 'ADMIN'

/** The letters of ACTIONS. HBase: Permission.Action. */
export const ACTION_LETTERS: readonly string[] = ['R', 'W', 'X', 'C', 'A']
/** In the order of their letters. */
export const ACTIONS: readonly Action[] = ['READ', 'WRITE', 'EXEC', 'CREATE', 'ADMIN']

/** The namespace's tables count with it, the table's families with the table, the family's columns with the family. */
export type PermissionScope =
  | { readonly kind: 'global' }
  | { readonly kind: 'namespace'; readonly namespace: string }
  | TableScope

export interface TableScope {
  readonly kind: 'table'
  readonly table: TableName
  /** Undefined: the whole table. */
  readonly family?: Buffer | undefined
  /** Undefined: the whole family. */
  readonly qualifier?: Buffer | undefined
}

export interface Permission {
  readonly scope: PermissionScope
  /** In the order of ACTIONS, each once. */
  readonly actions: readonly Action[]
}

export interface UserPermission {
  /** A user's name, or `@` and a group's. */
  readonly user: string
  readonly permission: Permission
}

export const GROUP_PREFIX = '@'

/** In the order of ACTIONS, each once. */
export function orderedActions(actions: Iterable<Action>): Action[] {
  const wanted = new Set(actions)
  return ACTIONS.filter((action) => wanted.has(action))
}
