/** Permissions for clients of HBase 1, and for deprecated calls of HBase 2. Clients call a region of hbase:acl for them. HBase: AccessController. */

import { create, type DescMessage, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { HBaseError } from '../../../model/errors.ts'
import type { TableName } from '../../../model/table-name.ts'
import type { Permissions } from '../../../store/permissions.ts'
import type { RegionRef } from '../../../store/target.ts'
import {
  CheckPermissionsRequestSchema,
  CheckPermissionsResponseSchema,
  GetUserPermissionsRequestSchema,
  GetUserPermissionsResponseSchema,
  GrantRequestSchema,
  GrantResponseSchema,
  HasPermissionRequestSchema,
  HasPermissionResponseSchema,
  Permission_Type,
  RevokeRequestSchema,
  RevokeResponseSchema,
} from '../../../wire/rpc/gen/access-control_pb.ts'
import {
  permissionFromMessage,
  questionFromMessage,
  userPermissionFromMessage,
  userPermissionMessage,
} from '../../../wire/rpc/permission-messages.ts'
import { readClientMessage } from '../messages/read-message.ts'
import type { Endpoint, EndpointRequest } from './endpoint.ts'

const ACL_TABLE = 'hbase:acl' as TableName
const ANSWER_PACKAGE = 'org.apache.hadoop.hbase.protobuf.generated.AccessControlProtos$'

export function accessControlEndpoint(permissions: Permissions): Endpoint {
  return {
    answerClassOf: (method) => `${ANSWER_PACKAGE}${method}Response`,
    methods: new Map([
      ['Grant', (request) => grant(permissions, request)],
      ['Revoke', (request) => revoke(permissions, request)],
      ['GetUserPermissions', (request) => userPermissions(permissions, request)],
      ['CheckPermissions', (request) => checkPermissions(permissions, request)],
      ['HasPermission', (request) => hasPermission(permissions, request)],
    ]),
  }
}

async function grant(
  permissions: Permissions,
  { region, message, call }: EndpointRequest,
): Promise<Uint8Array> {
  checkRegion(region)
  const { userPermission, mergeExistingPermissions } = readClientMessage(GrantRequestSchema, message)
  await permissions.grant(userPermissionFromMessage(userPermission!), mergeExistingPermissions, call)
  return bytesOf(GrantResponseSchema, {})
}

async function revoke(
  permissions: Permissions,
  { region, message, call }: EndpointRequest,
): Promise<Uint8Array> {
  checkRegion(region)
  const { userPermission } = readClientMessage(RevokeRequestSchema, message)
  await permissions.revoke(userPermissionFromMessage(userPermission!), call)
  return bytesOf(RevokeResponseSchema, {})
}

async function userPermissions(
  permissions: Permissions,
  { region, message, call }: EndpointRequest,
): Promise<Uint8Array> {
  checkRegion(region)
  const question = questionFromMessage(readClientMessage(GetUserPermissionsRequestSchema, message))
  const found = await permissions.userPermissions(question, call)
  return bytesOf(GetUserPermissionsResponseSchema, { userPermission: found.map(userPermissionMessage) })
}

/** Checks the caller's permissions. A region of any table answers this, but only for that table. */
async function checkPermissions(
  permissions: Permissions,
  { region, message, call }: EndpointRequest,
): Promise<Uint8Array> {
  const { permission } = readClientMessage(CheckPermissionsRequestSchema, message)
  const wanted = permission.map(permissionFromMessage)
  for (const { scope } of wanted) {
    if (scope.kind !== 'table' || scope.table === region.table) continue
    throw refused(
      'This method can only execute at the table specified in TablePermission. ' +
        `Table of the region:${region.table} , requested table:${scope.table}`,
    )
  }
  await permissions.checkPermissions(wanted, call)
  return bytesOf(CheckPermissionsResponseSchema, {})
}

async function hasPermission(
  permissions: Permissions,
  { message, call }: EndpointRequest,
): Promise<Uint8Array> {
  const { tablePermission, userName } = readClientMessage(HasPermissionRequestSchema, message)
  const wanted = permissionFromMessage(
    create(CheckPermissionsRequestSchema, {
      permission: [{ type: Permission_Type.Table, tablePermission: tablePermission! }],
    }).permission[0]!,
  )
  const user = Buffer.from(userName).toString()
  const [has] = await permissions.hasPermissions(user, [wanted], call)
  return bytesOf(HasPermissionResponseSchema, { hasPermission: has! })
}

function checkRegion({ table }: RegionRef): void {
  if (table !== ACL_TABLE) throw refused(`This method can only execute at ${ACL_TABLE} table.`)
}

function refused(message: string): HBaseError {
  const javaClass = 'org.apache.hadoop.hbase.coprocessor.CoprocessorException'
  return new HBaseError('DO_NOT_RETRY', message, { javaClass })
}

function bytesOf<Schema extends DescMessage>(schema: Schema, message: MessageInitShape<Schema>): Uint8Array {
  return toBinary(schema, create(schema, message))
}
