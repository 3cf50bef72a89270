/** Grants and revocations of permissions. HBase's Admin and shell call them since 2.2. HBase: MasterRpcServices.grant and the like. */

import { isFieldSet } from '@bufbuild/protobuf'
import { loadedPermissions } from '../../../gateway/policies/access/permissions/loaded-permissions.ts'
import { HasUserPermissionsRequestSchema } from '../../../wire/rpc/gen/access-control_pb.ts'
import { MasterService } from '../../../wire/rpc/gen/master_pb.ts'
import {
  permissionFromMessage,
  questionFromMessage,
  userPermissionFromMessage,
  userPermissionMessage,
} from '../../../wire/rpc/permission-messages.ts'
import { generated, type RpcHandler } from '../contract/rpc-service.ts'
import type { MasterContext } from './master-context.ts'

const { method } = MasterService

export function permissionMethods({ store }: MasterContext): (readonly [string, RpcHandler])[] {
  const { permissions } = store.upkeep
  return [
    generated(method.grant, async ({ userPermission, mergeExistingPermissions }, { call }) => {
      const permission = userPermissionFromMessage(userPermission!)
      await loadedPermissions(permissions).grant(permission, mergeExistingPermissions, call)
      return {}
    }),
    generated(method.revoke, async ({ userPermission }, { call }) => {
      await loadedPermissions(permissions).revoke(userPermissionFromMessage(userPermission!), call)
      return {}
    }),
    generated(method.getUserPermissions, async (message, { call }) => {
      const found = await loadedPermissions(permissions).userPermissions(questionFromMessage(message), call)
      return { userPermission: found.map(userPermissionMessage) }
    }),
    generated(method.hasUserPermissions, async (message, { call }) => {
      const isOfUser = isFieldSet(message, HasUserPermissionsRequestSchema.field.userName)
      const user = isOfUser ? Buffer.from(message.userName).toString() : undefined
      const wanted = message.permission.map(permissionFromMessage)
      return { hasUserPermission: await loadedPermissions(permissions).hasPermissions(user, wanted, call) }
    }),
  ]
}
