import { HBaseError } from '../../../src/model/errors.ts'
import type { Action, Permission, UserPermission } from '../../../src/model/permission.ts'
import type { Call } from '../../../src/store/call.ts'
import type { PermissionQuestion, Permissions } from '../../../src/store/permissions.ts'
import {
  MasterService,
  SecurityCapabilitiesResponse_Capability,
} from '../../../src/wire/rpc/gen/master_pb.ts'
import {
  permissionMessage,
  questionMessage,
  userPermissionFromMessage,
  userPermissionMessage,
} from '../../../src/wire/rpc/permission-messages.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import type { Master } from '../admin/master.ts'

const GRANT = rpcMethod(MasterService.method.grant)
const REVOKE = rpcMethod(MasterService.method.revoke)
const GET = rpcMethod(MasterService.method.getUserPermissions)
const CAPABILITIES = rpcMethod(MasterService.method.getSecurityCapabilities)
const HAS = rpcMethod(MasterService.method.hasUserPermissions)

const { AUTHORIZATION, CELL_AUTHORIZATION } = SecurityCapabilitiesResponse_Capability

/** The permissions of the cluster's own AccessController. A master without one refuses. The user is the one whose name the cluster gets. */
export class ClusterPermissions implements Permissions {
  readonly #master: Master
  readonly #knowsUsers: boolean

  /** `knowsUsers`: the cluster gets the user names of calls. */
  constructor(master: Master, knowsUsers: boolean) {
    this.#master = master
    this.#knowsUsers = knowsUsers
  }

  areEnforced(call: Call): Promise<boolean> {
    return this.#isCapable(AUTHORIZATION, call)
  }

  areOfCells(call: Call): Promise<boolean> {
    return this.#isCapable(CELL_AUTHORIZATION, call)
  }

  async #isCapable(capability: SecurityCapabilitiesResponse_Capability, call: Call): Promise<boolean> {
    const { capabilities } = await this.#master.ask('security capabilities', CAPABILITIES, {}, call)
    return capabilities.includes(capability)
  }

  async grant(permission: UserPermission, merge: boolean, call: Call): Promise<void> {
    const userPermission = userPermissionMessage(permission)
    await this.#master.ask('grant', GRANT, { userPermission, mergeExistingPermissions: merge }, call)
  }

  async revoke(permission: UserPermission, call: Call): Promise<void> {
    await this.#master.ask('revoke', REVOKE, { userPermission: userPermissionMessage(permission) }, call)
  }

  async userPermissions({ scope, user }: PermissionQuestion, call: Call): Promise<UserPermission[]> {
    const answer = await this.#master.ask('permissions', GET, questionMessage(scope, user), call)
    return answer.userPermission.map(userPermissionFromMessage)
  }

  async hasPermissions(
    user: string | undefined,
    permissions: readonly Permission[],
    call: Call,
  ): Promise<boolean[]> {
    const userName = user === undefined ? {} : { userName: Buffer.from(user) }
    const request = { ...userName, permission: permissions.map(permissionMessage) }
    const { hasUserPermission } = await this.#master.ask('permissions', HAS, request, call)
    return hasUserPermission
  }

  async checkPermissions(permissions: readonly Permission[], call: Call): Promise<void> {
    const has = await this.hasPermissions(undefined, permissions, call)
    if (has.includes(false)) throw new HBaseError('ACCESS_DENIED', 'Insufficient permissions')
  }

  /** Throws ACCESS_DENIED for a user without ADMIN. Every user passes where the cluster gets no user names or has no permissions. */
  requireAdmin(call: Call): Promise<void> {
    return this.#requireGlobal('ADMIN', call)
  }

  /** As requireAdmin, for WRITE. */
  replicateLogEntries(call: Call): Promise<void> {
    return this.#requireGlobal('WRITE', call)
  }

  async #requireGlobal(action: Action, call: Call): Promise<void> {
    if (!this.#knowsUsers || !(await this.areEnforced(call))) return
    const permission: Permission = { scope: { kind: 'global' }, actions: [action] }
    const [isAllowed] = await this.hasPermissions(undefined, [permission], call)
    if (isAllowed === true) return
    const user = call.principal?.user ?? 'null'
    // HBase: AccessChecker.requireGlobalPermission.
    throw new HBaseError(
      'ACCESS_DENIED',
      `Insufficient permissions for user '${user}' (global, action=${action})`,
    )
  }
}
