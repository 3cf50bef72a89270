/** Thrift 2's grants and revocations, in a table or a namespace. HBase: ThriftHBaseServiceHandler after 2.6, AccessControlClient. */

import { loadedPermissions } from '../../../../gateway/policies/access/permissions/loaded-permissions.ts'
import { HBaseError, isHBaseError } from '../../../../model/errors.ts'
import {
  ACTION_LETTERS,
  ACTIONS,
  type Action,
  type PermissionScope,
  type UserPermission,
} from '../../../../model/permission.ts'
import { parseTableName } from '../../../../model/table-name.ts'
import type { ThriftHandlers } from '../../contract/thrift-service.ts'
import type { ServiceContext } from '../service-context.ts'

interface AccessControlEntity {
  readonly username: string
  readonly scope: number
  readonly actions: string
  readonly tableName?: string
  readonly nsName?: string
}
interface Arguments {
  readonly info: AccessControlEntity
}

const OF_NAMESPACE = 1
const LETTERS: ReadonlyMap<string, Action> = new Map(
  ACTION_LETTERS.map((letter, index) => [letter, ACTIONS[index]!]),
)

export function thrift2Permissions({ store }: ServiceContext<unknown>): ThriftHandlers {
  const { permissions } = store.upkeep
  return {
    /** Adds to the user's permissions there. */
    grant: async ({ info }: Arguments, call) => {
      await loadedPermissions(permissions).grant(permissionOf(info), true, call)
      return true
    },
    revoke: async ({ info }: Arguments, call) => {
      await loadedPermissions(permissions).revoke(permissionOf(info), call)
      return true
    },
  }
}

/** Reads a permission. Throws DO_NOT_RETRY where the table or the namespace is missing, and for letters that are no actions. */
function permissionOf({ username, scope, actions, tableName, nsName }: AccessControlEntity): UserPermission {
  const wanted = actions.split('').map((letter) => LETTERS.get(letter))
  if (wanted.includes(undefined)) throw refused(`${actions} is not of RWXCA`)
  return {
    user: username,
    permission: {
      scope: scope === OF_NAMESPACE ? namespaceScope(nsName) : tableScope(tableName),
      actions: ACTIONS.filter((action) => wanted.includes(action)),
    },
  }
}

function namespaceScope(namespace = ''): PermissionScope {
  if (namespace === '') throw refused('nsName is missing')
  return { kind: 'namespace', namespace }
}

function tableScope(table = ''): PermissionScope {
  try {
    return { kind: 'table', table: parseTableName(table) }
  } catch (error) {
    throw refused(isHBaseError(error) ? error.message : String(error))
  }
}

function refused(message: string): HBaseError {
  return new HBaseError('DO_NOT_RETRY', message)
}
