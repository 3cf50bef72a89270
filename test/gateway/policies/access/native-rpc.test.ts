/** Permissions as clients of native RPC ask for them. */

import { create, fromBinary, type MessageInitShape, toBinary } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { TagType, tag } from '../../../../src/model/cell-tags.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { get } from '../../../../src/model/query.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import {
  CheckPermissionsRequestSchema,
  GetUserPermissionsRequestSchema,
  GetUserPermissionsResponseSchema,
  GrantRequestSchema,
  HasPermissionRequestSchema,
  HasPermissionResponseSchema,
  Permission_Action,
  Permission_Type,
  RevokeRequestSchema,
  type UserPermissionSchema,
} from '../../../../src/wire/rpc/gen/access-control_pb.ts'
import { ClientService, MutationProto_MutationType } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { RegionSpecifier_RegionSpecifierType } from '../../../../src/wire/rpc/gen/hbase_pb.ts'
import {
  MasterService,
  SecurityCapabilitiesResponse_Capability,
} from '../../../../src/wire/rpc/gen/master_pb.ts'
import { tableNameMessage } from '../../../../src/wire/rpc/table-name-message.ts'
import { oneCall } from '../../../doors/rpc/one-call.ts'
import { MEMBER, SUPERUSER } from '../../../harness/access/people.ts'
import { type AuthorizedServer, startAuthorizedServer } from './authorized-server.ts'

const TABLE = parseTableName('t')
const { method } = MasterService

let server: AuthorizedServer
beforeAll(async () => {
  server = await startAuthorizedServer()
  const families = [familyDescriptor('f'), familyDescriptor('g')]
  for (const name of [TABLE, parseTableName('u')])
    await server.store.catalog.createTable(tableDescriptor(name, families), [], OWN_CALL)
})
afterAll(() => server.close())

function permission(
  user: string,
  ...actions: (keyof typeof Permission_Action)[]
): MessageInitShape<typeof UserPermissionSchema> {
  const action = actions.map((name) => Permission_Action[name])
  const tablePermission = { tableName: tableNameMessage(TABLE), family: Buffer.from('f'), action }
  return { user: Buffer.from(user), permission: { type: Permission_Type.Table, tablePermission } }
}

function named(user: string, ...names: TableName[]) {
  return oneCall(
    server.port,
    method.getTableDescriptors,
    { tableNames: names.map(tableNameMessage) },
    { user },
  )
}

describe('lists', () => {
  beforeAll(async () => {
    const userPermission = permission('lister', 'READ')
    await oneCall(server.port, method.grant, { userPermission }, { user: SUPERUSER })
  })

  test('have the names of tables for who may do anything with them, descriptors for who may alter them', async () => {
    const names = async (user: string): Promise<string[]> => {
      const { message } = await oneCall(
        server.port,
        method.getTableNames,
        { includeSysTables: true },
        { user },
      )
      return message.tableNames.map(({ qualifier }) => Buffer.from(qualifier).toString())
    }
    expect(await names('lister')).toEqual(['t'])
    expect(await names('stranger')).toEqual([])
    expect(await names(SUPERUSER)).toEqual(['t', 'u', 'acl', 'meta', 'namespace', 'quota'])
    const { message } = await oneCall(server.port, method.getTableDescriptors, {}, { user: 'lister' })
    expect(message.tableSchema).toEqual([])
  })

  test('of named descriptors refuse the others, and leave out what is not there', async () => {
    await expect(named('lister', TABLE)).rejects.toThrow(
      'Insufficient permissions (user=lister, scope=default:t, params=[table=default:t,],action=CREATE)',
    )
    const { message } = await named('lister', parseTableName('none'))
    expect(message.tableSchema).toEqual([])
    expect((await named(SUPERUSER, TABLE, parseTableName('none'))).message.tableSchema).toHaveLength(1)
  })

  test('have the names of namespaces for every user', async () => {
    const { message } = await oneCall(server.port, method.listNamespaces, {}, { user: 'stranger' })
    expect(message.namespaceName).toEqual(['default', 'hbase'])
    const answer = await oneCall(server.port, method.listNamespaceDescriptors, {}, { user: 'stranger' })
    expect(answer.message.namespaceDescriptor).toEqual([])
  })
})

test('clients learn that there are permissions, also of single cells', async () => {
  const { message } = await oneCall(server.port, method.getSecurityCapabilities, {}, { user: 'stranger' })
  const { AUTHORIZATION, CELL_AUTHORIZATION } = SecurityCapabilitiesResponse_Capability
  expect(message.capabilities).toEqual(expect.arrayContaining([AUTHORIZATION, CELL_AUTHORIZATION]))
})

test('a put of a cell with permissions of its own keeps them as a tag of the cell', async () => {
  const [region] = await server.store.catalog.regions(TABLE, OWN_CALL)
  const row = Buffer.from('secret')
  const columnValue = [{ family: Buffer.from('f'), qualifierValue: [{ qualifier: row, value: row }] }]
  const put = {
    region: { type: RegionSpecifier_RegionSpecifierType.REGION_NAME, value: region!.name },
    mutation: {
      row,
      mutateType: MutationProto_MutationType.PUT,
      columnValue,
      attribute: [{ name: 'acl', value: Buffer.from('any') }],
    },
  }
  await oneCall(server.port, ClientService.method.mutate, put, { user: SUPERUSER })
  const asked = [get(row, { withTags: true })]
  const { cells } = await server.store.rows.get(TABLE, asked, { bytes: 1000 }, OWN_CALL)
  expect(cellsOf(cells).map(({ tags }) => tags)).toEqual([tag(TagType.Acl, Buffer.from('any'))])
})

/** A call of the service of a table's region. */
async function exec(
  user: string,
  of: TableName,
  methodName: string,
  request: Uint8Array,
): Promise<Uint8Array> {
  const [region] = await server.store.catalog.regions(of, OWN_CALL)
  const { message } = await oneCall(
    server.port,
    ClientService.method.execService,
    {
      region: { type: RegionSpecifier_RegionSpecifierType.REGION_NAME, value: region!.name },
      call: { row: Buffer.alloc(0), serviceName: 'hbase.pb.AccessControlService', methodName, request },
    },
    { user },
  )
  expect(message.value!.name).toBe(
    `org.apache.hadoop.hbase.protobuf.generated.AccessControlProtos$${methodName}Response`,
  )
  return message.value!.value
}

const ACL = parseTableName('hbase:acl')

function grantRequest(user: string): Uint8Array {
  const userPermission = permission(user, 'WRITE', 'READ')
  return toBinary(GrantRequestSchema, create(GrantRequestSchema, { userPermission }))
}

describe('the service of a region of hbase:acl', () => {
  test('grants, tells and revokes', async () => {
    await exec(SUPERUSER, ACL, 'Grant', grantRequest('old'))
    const question = toBinary(
      GetUserPermissionsRequestSchema,
      create(GetUserPermissionsRequestSchema, {
        type: Permission_Type.Table,
        tableName: tableNameMessage(TABLE),
        userName: Buffer.from('old'),
      }),
    )
    const actions = async (): Promise<unknown> => {
      const answer = await exec(SUPERUSER, ACL, 'GetUserPermissions', question)
      return fromBinary(GetUserPermissionsResponseSchema, answer).userPermission.map(
        (each) => each.permission!.tablePermission!.action,
      )
    }
    expect(await actions()).toEqual([[Permission_Action.READ, Permission_Action.WRITE]])
    const tablePermission = permission('old', 'READ', 'WRITE').permission!.tablePermission!
    const has = toBinary(
      HasPermissionRequestSchema,
      create(HasPermissionRequestSchema, { userName: Buffer.from('old'), tablePermission }),
    )
    const answer = await exec('old', TABLE, 'HasPermission', has)
    expect(fromBinary(HasPermissionResponseSchema, answer).hasPermission).toBe(true)
    const revocation = create(RevokeRequestSchema, { userPermission: permission('old') })
    await exec(SUPERUSER, ACL, 'Revoke', toBinary(RevokeRequestSchema, revocation))
    expect(await actions()).toEqual([])
  })

  test('is refused for other tables, and for users who may not', async () => {
    await expect(exec(SUPERUSER, TABLE, 'Grant', grantRequest('x'))).rejects.toThrow(
      'This method can only execute at hbase:acl table.',
    )
    await expect(exec(MEMBER, ACL, 'Grant', grantRequest('x'))).rejects.toThrow(
      'Insufficient permissions (user=member, scope=default:t, family=f, params=[table=default:t,family=f,],action=ADMIN)',
    )
  })

  test('checks permissions at the region of their table', async () => {
    const { permission: wanted } = permission('x', 'READ')
    const request = toBinary(
      CheckPermissionsRequestSchema,
      create(CheckPermissionsRequestSchema, { permission: [wanted!] }),
    )
    await exec(SUPERUSER, TABLE, 'CheckPermissions', request)
    await expect(exec('x', TABLE, 'CheckPermissions', request)).rejects.toThrow(
      'Insufficient permissions (table=t, family: f, action=READ)',
    )
    await expect(exec(SUPERUSER, parseTableName('u'), 'CheckPermissions', request)).rejects.toThrow(
      'This method can only execute at the table specified in TablePermission.',
    )
  })
})
