/** Requests that look as if they were about less than they are. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AdvertisedRegion } from '../../../../src/gateway/catalog/advertised.ts'
import { ACL_TABLE } from '../../../../src/gateway/policies/access/permissions/acl-rows.ts'
import { QUOTA_TABLE } from '../../../../src/gateway/policies/quotas/quota-rows.ts'
import { CellType } from '../../../../src/model/cell.ts'
import { CellBlockBuilder, cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import type { Action, PermissionScope } from '../../../../src/model/permission.ts'
import { get } from '../../../../src/model/query.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { timestampHigh, timestampLow } from '../../../../src/model/timestamp.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import { ClientService } from '../../../../src/wire/rpc/gen/client_pb.ts'
import { MasterService } from '../../../../src/wire/rpc/gen/master_pb.ts'
import { tableNameMessage } from '../../../../src/wire/rpc/table-name-message.ts'
import { oneCall } from '../../../doors/rpc/one-call.ts'
import { SUPERUSER } from '../../../harness/access/people.ts'
import { NO_CHANGE } from '../quotas/limited-store.ts'
import { type AuthorizedServer, callOf, startAuthorizedServer } from './authorized-server.ts'

const TABLE = parseTableName('t')
const [ROW, F, Q] = [Buffer.from('r'), Buffer.from('f'), Buffer.from('q')] as const
const TIME = 7n
const USER = 'mallory'
const DENIED = { javaClass: 'org.apache.hadoop.hbase.security.AccessDeniedException' }

let server: AuthorizedServer
beforeEach(async () => {
  server = await startAuthorizedServer()
  const { catalog, rows } = server.store
  await catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  const batch = new MutationBatch()
  for (const qualifier of [Q, Buffer.from('other')]) batch.put(ROW, F, qualifier, Q, TIME)
  batch.endMutation()
  await rows.mutate(TABLE, batch, OWN_CALL)
})
afterEach(() => server.close())

function grant(scope: PermissionScope, ...actions: Action[]): Promise<void> {
  const permission = { scope, actions }
  return server.store.upkeep.permissions!.grant({ user: USER, permission }, false, callOf(SUPERUSER))
}

async function region(table = TABLE): Promise<{ type: 1; value: Buffer }> {
  const [first] = await server.store.catalog.regions(table, OWN_CALL)
  return { type: 1, value: first!.name }
}

async function qualifiers(): Promise<string[]> {
  const { cells } = await server.store.rows.get(TABLE, [get(ROW)], { bytes: 1000 }, OWN_CALL)
  return cellsOf(cells).map(({ qualifier }) => qualifier.toString())
}

test.each([
  ['a delete', 3],
  ['a put', 2],
] as const)('%s of a family is one, with any column in its cell', async (_, mutateType) => {
  await grant({ kind: 'table', table: TABLE, family: F, qualifier: Q }, 'READ', 'WRITE')
  const { mutate, multi } = ClientService.method
  const mutation = { mutateType, associatedCellCount: 1 }
  for (const type of [CellType.DeleteFamily, CellType.DeleteFamilyVersion]) {
    const builder = new CellBlockBuilder()
    builder.append(ROW, F, Q, timestampHigh(TIME), timestampLow(TIME), type, Buffer.alloc(0))
    const { buffer, start, end } = builder.block()
    const options = { user: USER, cells: Buffer.from(buffer.subarray(start, end)) }
    const one = oneCall(server.port, mutate, { region: await region(), mutation }, options)
    await expect(one).rejects.toMatchObject(DENIED)
    const regionAction = [{ region: await region(), atomic: true, action: [{ mutation }] }]
    const { message } = await oneCall(server.port, multi, { regionAction }, options)
    expect(message.regionActionResult[0]!.exception?.name).toBe(DENIED.javaClass)
  }
  expect(await qualifiers()).toEqual(['other', 'q'])
})

test('who alters hbase:acl does not become one who may do everything', async () => {
  await grant({ kind: 'global' }, 'ADMIN')
  const { catalog, upkeep } = server.store
  const call = callOf(USER)
  await catalog.modifyTable(await catalog.table(ACL_TABLE, call), call)
  const scope = { kind: 'global' } as const
  const [held] = await upkeep.permissions!.userPermissions({ scope, user: USER }, callOf(SUPERUSER))
  expect(held!.permission.actions).toEqual(['ADMIN'])
})

async function loadNothing(user: string, table = TABLE): Promise<boolean> {
  const message = { region: await region(table), familyPath: [] }
  const answer = await oneCall(server.port, ClientService.method.bulkLoadHFile, message, { user })
  return answer.message.loaded
}

test('a bulk load of no file needs the permission of one', async () => {
  await expect(loadNothing(USER)).rejects.toMatchObject(DENIED)
  expect(await loadNothing(SUPERUSER)).toBe(true)
})

test("other users' procedures are for who may administer everything", async () => {
  const { abortProcedure, getLocks, getProcedures } = MasterService.method
  const asked = [
    (user: string) => oneCall(server.port, abortProcedure, { procId: 1n }, { user }),
    (user: string) => oneCall(server.port, getLocks, {}, { user }),
    (user: string) => oneCall(server.port, getProcedures, {}, { user }),
  ]
  for (const ask of asked) {
    await expect(ask(USER)).rejects.toMatchObject(DENIED)
    await ask(SUPERUSER)
  }
})

describe('a name with a comma is not the user before it', () => {
  const WIDE = 'bob,f'
  const [G, scope] = [Buffer.from('g'), { kind: 'table', table: TABLE } as const]

  async function held(table = TABLE): Promise<string[]> {
    const question = { scope: { kind: 'table', table }, user: undefined } as const
    const all = await server.store.upkeep.permissions!.userPermissions(question, callOf(SUPERUSER))
    return all.map(({ user, permission: { actions } }) => `${user} ${actions.join()}`)
  }

  test('whose permission has the same key as that of another family', async () => {
    const permissions = server.store.upkeep.permissions!
    const ofBob = { scope: { ...scope, family: F, qualifier: G }, actions: ['READ'] } as const
    await permissions.grant({ user: 'bob', permission: ofBob }, false, callOf(SUPERUSER))
    await grant({ ...scope, family: G }, 'ADMIN')
    const forged = { user: WIDE, permission: { scope: { ...scope, family: G }, actions: [] } }
    await expect(permissions.revoke(forged, callOf(USER))).rejects.toThrow('a name with a comma')
    expect(await held()).toEqual(['bob READ', `${USER} ADMIN`])
  })

  test('whose tables give him nothing', async () => {
    const { catalog, upkeep } = server.store
    const permission = { scope: { kind: 'global' }, actions: ['CREATE'] } as const
    await upkeep.permissions!.grant({ user: WIDE, permission }, false, callOf(SUPERUSER))
    const table = parseTableName('v')
    await catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], callOf(WIDE))
    expect(await held(table)).toEqual([])
  })
})

test('what is truncated of hbase:acl counts no more', async () => {
  await grant({ kind: 'table', table: TABLE }, 'READ')
  const { catalog, rows, upkeep } = server.store
  const read = (): Promise<unknown> => rows.get(TABLE, [get(ROW)], { bytes: 1000 }, callOf(USER))
  await read()
  const [first] = await catalog.regions(ACL_TABLE, OWN_CALL)
  await upkeep.regions!.truncateRegion(first!.name, callOf(SUPERUSER))
  await expect(read()).rejects.toMatchObject({ code: 'ACCESS_DENIED' })
})

describe('global CREATE does not include the tables with the permissions and limits of all users', () => {
  const { prepareBulkLoad } = ClientService.method
  const ways: Readonly<Record<string, (user: string, table: TableName) => Promise<unknown>>> = {
    'a bulk load': loadNothing,
    'the beginning of a bulk load': async (user, table) => {
      const message = { tableName: tableNameMessage(table), region: await region(table) }
      await oneCall(server.port, prepareBulkLoad, message, { user })
    },
    'the truncation of a region': async (user, table) =>
      server.store.upkeep.regions!.truncateRegion((await region(table)).value, callOf(user)),
    'the truncation of a region by its encoded name': async (user, table) => {
      const [{ encodedName }] = (await server.store.catalog.regions(table, OWN_CALL)) as [AdvertisedRegion]
      await server.store.upkeep.regions!.truncateRegion(Buffer.from(encodedName), callOf(user))
    },
    'another schema': async (user, table) => {
      const { catalog } = server.store
      await catalog.modifyTable(await catalog.table(table, OWN_CALL), callOf(user))
    },
    'the end of the table': (user, table) => server.store.catalog.deleteTable(table, callOf(user)),
  }

  test.each(Object.keys(ways))('%s', async (way) => {
    await grant({ kind: 'global' }, 'CREATE', 'READ', 'WRITE')
    for (const table of [ACL_TABLE, QUOTA_TABLE])
      await expect(ways[way]!(USER, table)).rejects.toMatchObject(DENIED)
    await grant({ kind: 'namespace', namespace: 'hbase' }, 'CREATE')
    for (const table of [ACL_TABLE, QUOTA_TABLE])
      await expect(ways[way]!(USER, table)).rejects.toMatchObject(DENIED)
  })
})

test('truncated rows of hbase:quota limit no user', async () => {
  await grant({ kind: 'table', table: TABLE }, 'READ')
  const { catalog, rows, upkeep } = server.store
  const read = (): Promise<unknown> => rows.get(TABLE, [get(ROW)], { bytes: 1000 }, callOf(USER))
  const limit = { timeUnit: 'DAYS', softLimit: 1n, share: undefined, scope: 'MACHINE' } as const
  await upkeep.quotas!.setQuota(
    { ...NO_CHANGE, user: USER, throttle: { type: 'READ_NUMBER', limit } },
    callOf(SUPERUSER),
  )
  await read()
  await expect(read()).rejects.toMatchObject({ code: 'THROTTLED' })
  const [first] = await catalog.regions(QUOTA_TABLE, OWN_CALL)
  await upkeep.regions!.truncateRegion(first!.name, callOf(SUPERUSER))
  await read()
})
