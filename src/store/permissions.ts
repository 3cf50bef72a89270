import type { Permission, PermissionScope, UserPermission } from '../model/permission.ts'
import type { Call } from './call.ts'

/** The users and groups whose permissions are asked for. */
export interface PermissionQuestion {
  readonly scope: PermissionScope
  /** Undefined: of everybody. */
  readonly user: string | undefined
}

/** Permissions that are given and taken away. Some protocols have words for these alone. */
export interface Grants {
  /** `merge`: the actions are added to those that the user has there, else they replace them. Throws ACCESS_DENIED. */
  grant(permission: UserPermission, merge: boolean, call: Call): Promise<void>
  /** Takes the actions away, all of them where the permission has none. Throws ACCESS_DENIED. */
  revoke(permission: UserPermission, call: Call): Promise<void>
}

/**
 * Permissions of users, as HBase's AccessController keeps them, in hbase:acl. Grants and revocations count for each request that begins after
 * them. A store that lacks this part lets everybody do everything.
 */
export interface Permissions extends Grants {
  /** Whether requests are checked by them. */
  areEnforced(call: Call): Promise<boolean>
  /** Whether single cells can have permissions of their own, too. */
  areOfCells(call: Call): Promise<boolean>
  /** Throws ACCESS_DENIED. */
  userPermissions(question: PermissionQuestion, call: Call): Promise<UserPermission[]>
  /** For each permission, true if the user has it. User undefined: the caller. Throws ACCESS_DENIED for another user. */
  hasPermissions(user: string | undefined, permissions: readonly Permission[], call: Call): Promise<boolean[]>
  /** Resolves where he who asks may do all of it. Throws ACCESS_DENIED. */
  checkPermissions(permissions: readonly Permission[], call: Call): Promise<void>
  /** Resolves where he who asks may administer everything. Throws ACCESS_DENIED. */
  requireAdmin(call: Call): Promise<void>
  /** Resolves where he who asks may bring in the changes of another cluster: WRITE of everything. Throws ACCESS_DENIED. */
  replicateLogEntries(call: Call): Promise<void>
}
