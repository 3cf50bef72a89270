/** Permissions when tables and namespaces come and go, and other changes of hbase:acl. */

import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openMemoryStore } from '../../../../adapters/memory/memory-store.ts'
import type { AdvertisedStore } from '../../../../src/gateway/catalog/advertised.ts'
import { ACL_TABLE } from '../../../../src/gateway/policies/access/permissions/acl-rows.ts'
import { currentGrants } from '../../../../src/gateway/policies/access/permissions/current-grants.ts'
import { Subjects } from '../../../../src/gateway/policies/access/permissions/subject.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import type { Action, PermissionScope } from '../../../../src/model/permission.ts'
import { get, scan } from '../../../../src/model/query.ts'
import { gathered } from '../../../../src/model/results.ts'
import { parseTableName, type TableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { GROUP, MEMBER, SUPERUSER } from '../../../harness/access/people.ts'
import { authorizedStore, callOf } from './authorized-server.ts'

const TABLE = parseTableName('n:t')
const DESCRIPTOR = tableDescriptor(TABLE, [familyDescriptor('f'), familyDescriptor('g')])
const AS_SUPER = callOf(SUPERUSER)

let own: Store
let store: AdvertisedStore
beforeEach(async () => {
  own = openMemoryStore({ clock: Date })
  store = await authorizedStore(own)
  await store.catalog.createNamespace({ name: 'n', properties: new Map() }, AS_SUPER)
})
afterEach(() => own.close())

/** As `row qualifier=value`. */
async function aclCells(): Promise<string[]> {
  const { id } = await own.rows.openScanner(ACL_TABLE, scan(), OWN_CALL)
  const limits = { rows: 100, bytes: 100_000, allowPartial: false }
  const { results } = await own.handouts.next(id, limits, OWN_CALL)
  await own.handouts.closeScanner(id)
  return cellsOf(gathered(results).cells).map(
    ({ row, family, qualifier, value }) =>
      `${row.toString()} ${family.toString()}:${qualifier.toString()}=${value.toString()}`,
  )
}

function grant(user: string, scope: PermissionScope, ...actions: Action[]): Promise<void> {
  return store.upkeep.permissions!.grant({ user, permission: { scope, actions } }, false, AS_SUPER)
}

async function isRead(user: string | undefined, table: TableName = TABLE): Promise<boolean> {
  try {
    await store.rows.get(table, [get(Buffer.from('r'))], { bytes: 1000 }, callOf(user))
    return true
  } catch (error) {
    expect(error).toMatchObject({ code: 'ACCESS_DENIED' })
    return false
  }
}

describe('hbase:acl', () => {
  // As a real HBase was seen to write them.
  test('has a cell for each user and scope', async () => {
    const [family, qualifier] = [Buffer.from('f'), Buffer.from('q')]
    await store.catalog.createTable(DESCRIPTOR, [], callOf(SUPERUSER))
    await grant('u1', { kind: 'table', table: TABLE }, 'ADMIN')
    await grant('u2', { kind: 'table', table: TABLE, family, qualifier }, 'WRITE', 'READ')
    await grant('u2', { kind: 'table', table: TABLE, family: Buffer.from('g') }, 'WRITE')
    await grant('u3', { kind: 'table', table: TABLE, family, qualifier: Buffer.alloc(0) }, 'READ')
    await grant('@grp', { kind: 'namespace', namespace: 'n' }, 'READ')
    await grant('x y,z', { kind: 'global' }, 'ADMIN', 'READ', 'EXEC', 'CREATE', 'WRITE')
    expect(await aclCells()).toEqual([
      '@n l:@grp=R',
      'hbase:acl l:x y,z=RWXCA',
      'n:t l:super=RWXCA',
      'n:t l:u1=A',
      'n:t l:u2,f,q=RW',
      'n:t l:u2,g=W',
      'n:t l:u3,f=R',
    ])
  })

  test('gives a table to who makes it, and forgets what is gone', async () => {
    await grant('maker', { kind: 'namespace', namespace: 'n' }, 'CREATE')
    await store.catalog.createTable(DESCRIPTOR, [], callOf('maker'))
    await grant('u', { kind: 'table', table: TABLE, family: Buffer.from('g') }, 'READ')
    await grant('changer', { kind: 'table', table: TABLE }, 'CREATE')
    await store.catalog.modifyTable(tableDescriptor(TABLE, [familyDescriptor('f')]), callOf('changer'))
    const granted = ['n:t l:changer=RWXCA', 'n:t l:maker=RWXCA', 'n:t l:u,g=R']
    expect(await aclCells()).toEqual(['@n l:maker=C', ...granted])
    await store.catalog.disableTable(TABLE, callOf('maker'))
    await store.catalog.truncateTable(TABLE, false, callOf('maker'))
    expect(await aclCells()).toEqual(['@n l:maker=C', ...granted])
    await store.catalog.disableTable(TABLE, callOf('maker'))
    await store.catalog.deleteTable(TABLE, callOf('maker'))
    expect(await aclCells()).toEqual(['@n l:maker=C'])
    await store.catalog.deleteNamespace('n', AS_SUPER)
    expect(await aclCells()).toEqual([])
    expect(await isRead('maker', ACL_TABLE)).toBe(false)
  })

  test('is altered by who administers everything alone', async () => {
    await grant('maker', { kind: 'global' }, 'CREATE')
    await grant('owner', { kind: 'global' }, 'ADMIN')
    const acl = await store.catalog.table(ACL_TABLE, AS_SUPER)
    await expect(store.catalog.modifyTable(acl, callOf('maker'))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    await store.catalog.modifyTable(acl, callOf('owner'))
  })

  test('takes effect as soon as a user with that right has written it', async () => {
    await store.catalog.createTable(DESCRIPTOR, [], AS_SUPER)
    expect(await isRead('u')).toBe(false)
    const written = new MutationBatch().put(
      Buffer.from(TABLE),
      Buffer.from('l'),
      Buffer.from('u'),
      Buffer.from('R'),
    )
    written.endMutation()
    await expect(store.rows.mutate(ACL_TABLE, written, callOf('u'))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    expect(await store.rows.mutate(ACL_TABLE, written, AS_SUPER)).toEqual([])
    expect(await isRead('u')).toBe(true)
  })

  test('is not read again for a write that was refused', async () => {
    await store.catalog.createTable(DESCRIPTOR, [], AS_SUPER)
    expect(await isRead('mallory')).toBe(false)
    const reads = vi.spyOn(own.rows, 'openScanner')
    const batch = new MutationBatch()
    batch.put(Buffer.from('n:t'), Buffer.from('l'), Buffer.from('mallory'), Buffer.from('RW')).endMutation()
    await expect(store.rows.mutate(ACL_TABLE, batch, callOf('mallory'))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
    expect(await isRead('mallory')).toBe(false)
    expect(reads).not.toHaveBeenCalled()
  })

  test('is read by a server that starts on it', async () => {
    await store.catalog.createTable(DESCRIPTOR, [], AS_SUPER)
    await grant('u', { kind: 'table', table: TABLE }, 'READ')
    store = await authorizedStore(own)
    expect([await isRead('u'), await isRead('v')]).toEqual([true, false])
  })

  test('takes no permission without actions, and none of a name that would be another’s column', async () => {
    const table = { kind: 'table', table: TABLE } as const
    await expect(grant('u', table)).rejects.toThrow("No actions associated with user 'u'")
    await expect(grant('u,f', table, 'READ')).rejects.toThrow('a name with a comma')
    const odd = { ...table, family: Buffer.from('f,g') }
    await expect(grant('u', odd, 'READ')).rejects.toThrow('of a family with one')
    await expect(grant('', table, 'READ')).rejects.toThrow('names no user')
    await expect(grant('@', table, 'READ')).rejects.toThrow('names no group')
    expect(await aclCells()).toEqual([])
  })
})

test('a name without a user, and one that looks like a group’s, have no permissions', async () => {
  await store.catalog.createTable(DESCRIPTOR, [], AS_SUPER)
  await grant(`@${GROUP}`, { kind: 'global' }, 'READ')
  expect([await isRead(MEMBER), await isRead(`@${GROUP}`), await isRead(undefined)]).toEqual([
    true,
    false,
    false,
  ])
  const subjects = new Subjects(['@admins'], new Map([['alice', ['admins']]]))
  expect(['alice', '@admins', 'admins'].map((name) => subjects.of(name).isSuperuser)).toEqual([
    true,
    false,
    false,
  ])
  subjects.regroup(new Map())
  expect(subjects.of('alice').isSuperuser).toBe(false)
})

test('a region that is named as one of another table is none of its', async () => {
  await store.catalog.createTable(DESCRIPTOR, [], AS_SUPER)
  const mine = parseTableName('mine')
  await store.catalog.createTable(tableDescriptor(mine, [familyDescriptor('f')]), [], AS_SUPER)
  await grant('u', { kind: 'table', table: mine }, 'ADMIN', 'READ')
  const [victim] = await store.catalog.regions(TABLE, OWN_CALL)
  const forged = Buffer.from(`mine,,${victim!.regionId}.${victim!.encodedName}.`)
  for (const name of [forged, victim!.name, Buffer.from(victim!.encodedName)])
    await expect(store.upkeep.flushes!.flushRegion(name, undefined, callOf('u'))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
  const target = { table: mine, encodedName: victim!.encodedName }
  await expect(
    store.rows.get(target, [get(Buffer.from('r'))], { bytes: 1000 }, callOf('u')),
  ).rejects.toMatchObject({ code: 'NOT_SERVING_REGION' })
})

test('permissions that others may change are read again once they are old', async () => {
  let [reads, now] = [0, 0]
  const current = currentGrants(
    async () => {
      reads++
      return []
    },
    { ageMsMax: 1000, now: () => now },
  )
  const first = await current.get()
  now = 1000
  expect([current.get(), reads]).toEqual([first, 1])
  now = 1001
  const both = [current.get(), current.get()]
  expect(both[0]).toBe(both[1])
  expect([(await both[0]) === first, reads]).toEqual([false, 2])
  const reading = current.get()
  current.changed()
  expect([reading === (await current.get()), reads]).toEqual([false, 3])
})

test('grants and revokes count at once, and hang nothing, though the clock was set back', async () => {
  await store.catalog.createTable(DESCRIPTOR, [], AS_SUPER)
  const scope = { kind: 'table', table: TABLE, family: undefined, qualifier: undefined } as const
  const revoke = (): Promise<void> =>
    store.upkeep.permissions!.revoke({ user: MEMBER, permission: { scope, actions: [] } }, AS_SUPER)
  await grant(MEMBER, scope, 'READ')
  const now = vi.spyOn(Date, 'now')
  try {
    for (let hours = 1; hours < 4; hours++) {
      now.mockImplementation(() => Math.trunc(performance.timeOrigin + performance.now()) - hours * 3_600_000)
      await revoke()
      expect(await isRead(MEMBER)).toBe(false)
      await grant(MEMBER, scope, 'READ')
      expect(await isRead(MEMBER)).toBe(true)
    }
  } finally {
    now.mockRestore()
  }
})
