/** Grants and revocations over Thrift 2, on whole tables and namespaces. Thrift 2 has no request that lists permissions. */

import { HBaseError, isHBaseError } from '../../../src/model/errors.ts'
import {
  ACTION_LETTERS,
  ACTIONS,
  type Permission,
  type PermissionScope,
  type UserPermission,
} from '../../../src/model/permission.ts'
import type { Call } from '../../../src/store/call.ts'
import type { Grants } from '../../../src/store/permissions.ts'
import { beyondProtocol } from '../reach/beyond-protocol.ts'
import { THRIFT_REACH, type ThriftServer } from './thrift-server.ts'

/** TPermissionScope. PERSISTED: never renumber. */
const OF_TABLE = 0
const OF_NAMESPACE = 1

const UNKNOWN_METHOD = /invalid method name/i

export class ThriftGrants implements Grants {
  readonly #server: ThriftServer

  constructor(server: ThriftServer) {
    this.#server = server
  }

  /** Grants the actions. Thrift's grant adds, so other actions are revoked afterwards: a user never lacks an action in between that he keeps. */
  async grant(permission: UserPermission, merge: boolean, call: Call): Promise<void> {
    await this.#change('grant', permission, call)
    const { actions } = permission.permission
    const others = ACTIONS.filter((action) => !actions.includes(action))
    // A revocation without actions would revoke all.
    if (merge || others.length === 0) return
    await this.#change(
      'revoke',
      { ...permission, permission: { ...permission.permission, actions: others } },
      call,
    )
  }

  async revoke(permission: UserPermission, call: Call): Promise<void> {
    await this.#change('revoke', permission, call)
  }

  async #change(method: 'grant' | 'revoke', { user, permission }: UserPermission, call: Call): Promise<void> {
    const info = { username: user, ...placeOf(permission.scope), actions: lettersOf(permission) }
    try {
      await this.#server.ask({ operation: `${method} of ${user}`, method, args: { info } }, call)
    } catch (error) {
      if (!isHBaseError(error) || !UNKNOWN_METHOD.test(error.message)) throw error
      const reason = `this server of Thrift has no ${method}, as that of HBase 2.6: name the server's native RPC, rpc:HOST:PORT`
      throw new HBaseError('UNSUPPORTED', reason, { cause: error })
    }
  }
}

function lettersOf({ actions }: Permission): string {
  return actions.map((action) => ACTION_LETTERS[ACTIONS.indexOf(action)]!).join('')
}

function placeOf(scope: PermissionScope): Readonly<Record<string, unknown>> {
  if (scope.kind === 'global') throw beyondProtocol(THRIFT_REACH, 'a permission of everything')
  if (scope.kind === 'namespace') return { scope: OF_NAMESPACE, nsName: scope.namespace }
  if (scope.family !== undefined) throw beyondProtocol(THRIFT_REACH, 'a permission of a family or a column')
  return { scope: OF_TABLE, tableName: scope.table }
}
