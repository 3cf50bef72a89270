/** The changes of rows, for users who may read some of them. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AdvertisedStore } from '../../../../src/gateway/catalog/advertised.ts'
import { cellsOf } from '../../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../../src/model/mutation.ts'
import type { Action, PermissionScope } from '../../../../src/model/permission.ts'
import { parseTableName } from '../../../../src/model/table-name.ts'
import type { Store } from '../../../../src/store/store.ts'
import { SUPERUSER } from '../../../harness/access/people.ts'
import { visibility } from '../../../harness/labels/asking.ts'
import { labelledStore, openLabelled } from '../labels/labelled-server.ts'
import { authorizedStore, callOf, openNative } from './authorized-server.ts'

const TABLE = parseTableName('t')
const DESCRIPTOR = tableDescriptor(TABLE, [familyDescriptor('f'), familyDescriptor('g')])
const AS_SUPER = callOf(SUPERUSER)
const [F, G, Q] = ['f', 'g', 'q'].map((text) => Buffer.from(text)) as [Buffer, Buffer, Buffer]
const READ = { bytes: 1 << 20, waitMs: 0 }
const OF_TABLE = { ...READ, table: TABLE }

let own: Store
let store: AdvertisedStore
afterEach(() => own.close())

async function rowsFor(user: string | undefined, wanted: object = OF_TABLE): Promise<string> {
  const changes = store.upkeep.changes!
  try {
    const { changes: found } = await changes.readChanges(0, { ...READ, ...wanted }, callOf(user))
    const cells = found.flatMap((change) => cellsOf(change.cells))
    return cells.map(({ row, tags }) => `${row.toString()}${tags === undefined ? '' : '#'}`).join(' ')
  } catch (error) {
    expect(error).toMatchObject({ code: 'ACCESS_DENIED' })
    return 'denied'
  }
}

function grant(user: string, actions: Action[], family?: Buffer, qualifier?: Buffer): Promise<void> {
  const scope = { kind: 'table', table: TABLE, family, qualifier } as PermissionScope
  return store.upkeep.permissions!.grant({ user, permission: { scope, actions } }, false, AS_SUPER)
}

describe('permissions', () => {
  beforeEach(async () => {
    own = await openNative()
    store = await authorizedStore(own)
    await store.catalog.createTable(DESCRIPTOR, [], AS_SUPER)
    const batch = new MutationBatch()
    batch.put(Buffer.from('a'), F, Q, Q).endMutation({ durability: 'USE_DEFAULT', ttlMs: 1e9 } as never)
    batch.put(Buffer.from('b'), G, Q, Q).endMutation()
    await store.rows.mutate(TABLE, batch, AS_SUPER)
  })

  test('READ of the table, or of each family that is asked for', async () => {
    expect(await rowsFor('u')).toBe('denied')
    await grant('u', ['WRITE', 'ADMIN'])
    await grant('u', ['READ'], G, Q)
    expect(await rowsFor('u')).toBe('denied')
    await grant('u', ['READ'], G)
    expect(await rowsFor('u')).toBe('denied')
    expect(await rowsFor('u', { ...OF_TABLE, families: [F, G] })).toBe('denied')
    expect(await rowsFor('u', { ...OF_TABLE, families: [G] })).toBe('b')
    await grant('v', ['READ'])
    expect(await rowsFor('v')).toBe('a b')
    expect(await rowsFor(undefined)).toBe('denied')
  })

  test('all tables are for administrators, and so are the tags of cells', async () => {
    await grant('v', ['READ', 'ADMIN'])
    expect(await rowsFor('v', READ)).toBe('denied')
    expect(await rowsFor(SUPERUSER, READ)).toBe('a# b')
    expect(await rowsFor('v')).toBe('a b')
  })

  test('a right that was taken away counts for the next read', async () => {
    await grant('v', ['READ'])
    expect(await rowsFor('v')).toBe('a b')
    const permission = { scope: { kind: 'table', table: TABLE }, actions: ['READ'] } as const
    await store.upkeep.permissions!.revoke({ user: 'v', permission }, AS_SUPER)
    expect(await rowsFor('v')).toBe('denied')
  })
})

test('labels hide cells and tombstones, and no user sees tags', async () => {
  own = await openLabelled('native')
  store = await labelledStore(own)
  await store.catalog.createTable(DESCRIPTOR, [], AS_SUPER)
  await store.upkeep.labels!.addLabels([Buffer.from('secret'), Buffer.from('public')], AS_SUPER)
  await store.upkeep.labels!.setAuths(Buffer.from('alice'), [Buffer.from('secret')], AS_SUPER)
  const batch = new MutationBatch()
  batch.put(Buffer.from('s'), F, Q, Q).endMutation(visibility('secret'))
  batch.put(Buffer.from('p'), F, Q, Q).endMutation(visibility('public'))
  batch.put(Buffer.from('o'), F, Q, Q).endMutation()
  batch.deleteColumn(Buffer.from('d'), F, Q, 5n).endMutation(visibility('secret'))
  expect(await store.rows.mutate(TABLE, batch, AS_SUPER)).toEqual([])
  expect(await rowsFor('alice')).toBe('s o d')
  expect(await rowsFor('eve')).toBe('o')
  expect(await rowsFor(SUPERUSER)).toBe('s# p# o d#')
  await store.upkeep.labels!.clearAuths(Buffer.from('alice'), [Buffer.from('secret')], AS_SUPER)
  expect(await rowsFor('alice')).toBe('o')
})
