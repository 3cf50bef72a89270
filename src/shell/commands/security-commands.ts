import type { MessageInitShape } from '@bufbuild/protobuf'
import { compileJavaRegex } from '../../filter/regex/java-regex.ts'
import { toStringBinary } from '../../model/bytes.ts'
import { isHBaseError } from '../../model/errors.ts'
import {
  ACTION_LETTERS,
  ACTIONS,
  type UserPermission as Granted,
  orderedActions,
  type Permission,
  type PermissionScope,
} from '../../model/permission.ts'
import { compareTableNames, parseTableName } from '../../model/table-name.ts'
import type { Grants } from '../../store/permissions.ts'
import { nameIn } from '../../wire/rpc/enum-names.ts'
import {
  type GetUserPermissionsRequestSchema,
  Permission_Action,
  Permission_Type,
  type UserPermission,
  type UserPermissionSchema,
} from '../../wire/rpc/gen/access-control_pb.ts'
import { MasterService, SecurityCapabilitiesResponse_Capability } from '../../wire/rpc/gen/master_pb.ts'
import { rpcMethod } from '../../wire/rpc/rpc-method.ts'
import { tableNameFromMessage, tableNameMessage } from '../../wire/rpc/table-name-message.ts'
import { serversOf } from '../context/cluster-report.ts'
import type { CommandContext, ShellCommand } from '../context/command.ts'
import { tableMatcher } from '../context/tables-known.ts'
import { refuse } from '../output/shell-error.ts'
import { RubyHash, stringName, textOf, type Value } from '../ruby/values.ts'

export const SECURITY_COMMANDS: readonly ShellCommand[] = [
  { name: 'list_security_capabilities', min: 0, max: 0, run: listCapabilities },
  { name: 'grant', min: 0, max: undefined, run: grant },
  { name: 'revoke', min: 1, max: 4, run: revoke },
  { name: 'user_permission', min: 0, max: 1, run: userPermission },
]

const { method } = MasterService
const CAPABILITIES = rpcMethod(method.getSecurityCapabilities)
const GRANT = rpcMethod(method.grant)
const REVOKE = rpcMethod(method.revoke)
const PERMISSIONS = rpcMethod(method.getUserPermissions)

type UserPermissionShape = MessageInitShape<typeof UserPermissionSchema>

async function listCapabilities(context: CommandContext): Promise<Value> {
  const operation = 'security capabilities'
  const { capabilities } = await serversOf(context).askMaster(operation, CAPABILITIES, {}, context.call)
  const names = capabilities.map((each) => nameIn(SecurityCapabilitiesResponse_Capability, each))
  for (const name of names) context.out.line(name)
  return names.map((name) => Buffer.from(name))
}

/** Throws where the cluster has no AccessController. */
async function checkHasPermissions(context: CommandContext): Promise<void> {
  const operation = 'security capabilities'
  const { capabilities } = await serversOf(context).askMaster(operation, CAPABILITIES, {}, context.call)
  if (!capabilities.includes(SecurityCapabilitiesResponse_Capability.AUTHORIZATION))
    refuse('DISABLED: Security features are not available')
}

async function grant(context: CommandContext, args: readonly Value[]): Promise<void> {
  const [user, stated, ...where] = args
  if (!Buffer.isBuffer(user)) refuse('First argument should be a String')
  if (stated instanceof RubyHash) refuse('permissions of single cells are not known to this shell')
  if (!Buffer.isBuffer(stated)) refuse('Second argument should be a String or Hash')
  const grants = await grantsOf(context)
  if (stated.length === 0) refuse('Invalid permission: no actions associated with user')
  const actions = stated
    .toString()
    .split('')
    .map((letter) => ACTIONS[ACTION_LETTERS.indexOf(letter)] ?? refuse(`Unknown action ${letter}`))
  const permission = { scope: await scopeOf(context, where), actions: orderedActions(actions) }
  await grants.grant({ user: user.toString(), permission }, false, context.call)
}

async function revoke(context: CommandContext, [user, ...where]: readonly Value[]): Promise<void> {
  const grants = await grantsOf(context)
  const permission = { scope: await scopeOf(context, where), actions: [] }
  await grants.revoke({ user: textOf(user!), permission }, context.call)
}

/** The grants of the store. Throws where it has no permissions. */
async function grantsOf(context: CommandContext): Promise<Grants> {
  const { servers, store } = context
  // Over other protocols than native RPC the server itself refuses where it has no permissions.
  if (servers === undefined && store.upkeep.grants !== undefined) return store.upkeep.grants
  await checkHasPermissions(context)
  const master = serversOf(context)
  return {
    grant: async (granted, mergeExistingPermissions, call) => {
      const request = { userPermission: messageOf(granted), mergeExistingPermissions }
      await master.askMaster('grant', GRANT, request, call)
    },
    revoke: async (granted, call) => {
      await master.askMaster('revoke', REVOKE, { userPermission: messageOf(granted) }, call)
    },
  }
}

function messageOf({ user, permission }: Granted): UserPermissionShape {
  return { user: Buffer.from(user), permission: permissionMessage(permission) }
}

function permissionMessage({ scope, actions }: Permission): NonNullable<UserPermissionShape['permission']> {
  const action = actions.map((each) => Permission_Action[each])
  switch (scope.kind) {
    case 'global':
      return { type: Permission_Type.Global, globalPermission: { action } }
    case 'namespace': {
      const namespacePermission = { namespaceName: Buffer.from(scope.namespace), action }
      return { type: Permission_Type.Namespace, namespacePermission }
    }
    case 'table': {
      const { table, family, qualifier } = scope
      const tablePermission = {
        tableName: tableNameMessage(table),
        action,
        ...(family !== undefined && { family }),
        ...(qualifier !== undefined && { qualifier }),
      }
      return { type: Permission_Type.Table, tablePermission }
    }
  }
}

/** The scope of the arguments: everything, a namespace (`@name`), or a table, a family, a column. */
async function scopeOf(context: CommandContext, where: readonly Value[]): Promise<PermissionScope> {
  const [named, family, qualifier] = where.map(stringName)
  if (named === undefined) return { kind: 'global' }
  if (named.startsWith('@')) {
    const namespace = named.slice(1)
    if (!(await hasNamespace(context, namespace))) refuse(`Can't find a namespace: ${namespace}`)
    return { kind: 'namespace', namespace }
  }
  const table = parseTableName(named)
  const { store, call } = context
  if (!(await store.catalog.tableExists(table, call))) refuse(`Can't find a table: ${named}`)
  const { families } = await store.catalog.table(table, call)
  if (family !== undefined && !families.some(({ name }) => name.toString() === family))
    refuse(`Can't find a family: ${family}`)
  return {
    kind: 'table',
    table,
    ...(family !== undefined && { family: Buffer.from(family) }),
    ...(qualifier !== undefined && { qualifier: Buffer.from(qualifier) }),
  }
}

/** True where the namespace exists. The master accepts a permission for any namespace, which would count once a user creates it. */
async function hasNamespace({ store, call }: CommandContext, name: string): Promise<boolean> {
  try {
    await store.catalog.namespace(name, call)
    return true
  } catch (error) {
    if (isHBaseError(error) && error.code === 'NAMESPACE_NOT_FOUND') return false
    throw error
  }
}

async function userPermission(context: CommandContext, [named]: readonly Value[]): Promise<void> {
  const { out, call } = context
  out.header(['User', 'Namespace,Table,Family,Qualifier:Permission'])
  await checkHasPermissions(context)
  let rows = 0
  for (const request of await permissionRequests(context, stringName(named))) {
    const answer = await serversOf(context).askMaster('permissions', PERMISSIONS, request, call)
    for (const each of answer.userPermission)
      out.row([Buffer.from(each.user).toString(), permissionText(each)])
    rows += answer.userPermission.length
  }
  out.footer(rows)
}

/**
 * The requests of `user_permission`: one for everything, or one for each namespace (`@pattern`) or table that the pattern matches and the
 * user may see. HBase: AccessControlClient.getUserPermissions.
 */
async function permissionRequests(
  { store: { catalog }, call }: CommandContext,
  pattern: string | undefined,
): Promise<MessageInitShape<typeof GetUserPermissionsRequestSchema>[]> {
  if (pattern === undefined || pattern === '') return [{ type: Permission_Type.Global }]
  if (pattern.startsWith('@')) {
    const regex = compileJavaRegex(pattern.slice(1), 0)
    const namespaces = await catalog.listNamespaces(call)
    return namespaces
      .filter(({ name }) => regex.matches(name))
      .map(({ name }) => ({ type: Permission_Type.Namespace, namespaceName: Buffer.from(name) }))
  }
  const tables = [...(await catalog.listTables(call)), ...(await catalog.listSystemTables(call))]
  return tables
    .map(({ name }) => name)
    .filter(tableMatcher(pattern))
    .sort(compareTableNames)
    .map((name) => ({ type: Permission_Type.Table, tableName: tableNameMessage(name) }))
}

function permissionText({ permission }: UserPermission): string {
  const { globalPermission, namespacePermission, tablePermission } = permission!
  const action = (globalPermission ?? namespacePermission ?? tablePermission)?.action ?? []
  const actions = `[Permission: actions=${action.map((each) => nameIn(Permission_Action, each)).join(',')}]`
  const namespace = Buffer.from(namespacePermission?.namespaceName ?? []).toString()
  const name = tablePermission?.tableName
  const table = name === undefined ? '' : tableNameFromMessage(name)
  const family = toStringBinary(Buffer.from(tablePermission?.family ?? []))
  const qualifier = toStringBinary(Buffer.from(tablePermission?.qualifier ?? []))
  return `${namespace},${table},${family},${qualifier}: ${actions}`
}
