/** The owners of snapshots. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AdvertisedStore } from '../../../../src/gateway/catalog/advertised.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../../src/store/call.ts'
import type { Store } from '../../../../src/store/store.ts'
import { SUPERUSER } from '../../../harness/access/people.ts'
import { authorizedStore, callOf, openNative } from './authorized-server.ts'

const TABLE = parseTableName('t')
const [OWNER, OTHER] = ['owner', 'other']
const DENIED = { code: 'ACCESS_DENIED' }

let own: Store
beforeEach(async () => {
  own = await openNative()
})
afterEach(() => own.close())

/** Both administer the table; the first has taken the snapshot `s` of it. */
async function opened(areOwnersKnown: boolean): Promise<AdvertisedStore> {
  const store = await authorizedStore(own, { areOwnersKnown })
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
  for (const user of [OWNER, OTHER]) {
    const permission = { scope: { kind: 'table', table: TABLE }, actions: ['ADMIN'] } as const
    await store.upkeep.permissions!.grant({ user, permission }, false, callOf(SUPERUSER))
  }
  await store.upkeep.snapshots!.createSnapshot('s', TABLE, 'FLUSH', callOf(OWNER))
  return store
}

async function mayUse({ catalog, upkeep }: AdvertisedStore, user: string): Promise<void> {
  const snapshots = upkeep.snapshots!
  const call = callOf(user)
  expect((await snapshots.listSnapshots(call)).map(({ name }) => name)).toEqual(['s'])
  await catalog.disableTable(TABLE, OWN_CALL)
  await snapshots.restoreSnapshot('s', call)
  await catalog.deleteTable(TABLE, OWN_CALL)
  await snapshots.cloneSnapshot('s', TABLE, call)
  await snapshots.deleteSnapshot('s', call)
}

async function mayNotUse({ upkeep }: AdvertisedStore, user: string): Promise<void> {
  const snapshots = upkeep.snapshots!
  const call = callOf(user)
  expect(await snapshots.listSnapshots(call)).toEqual([])
  await expect(snapshots.restoreSnapshot('s', call)).rejects.toMatchObject(DENIED)
  await expect(snapshots.cloneSnapshot('s', parseTableName('v'), call)).rejects.toMatchObject(DENIED)
  await expect(snapshots.deleteSnapshot('s', call)).rejects.toMatchObject(DENIED)
}

test('a snapshot is for who has taken it', async () => {
  const store = await opened(true)
  await mayNotUse(store, OTHER)
  await mayUse(store, SUPERUSER)
  await store.upkeep.snapshots!.createSnapshot('s', TABLE, 'FLUSH', callOf(SUPERUSER))
  await mayNotUse(store, OWNER)
})

test('its owner may use it', async () => {
  await mayUse(await opened(true), OWNER)
})

test('where the store names one user as the owner of all, they are for administrators alone', async () => {
  const store = await opened(false)
  await mayNotUse(store, OWNER)
  await mayUse(store, SUPERUSER)
})
