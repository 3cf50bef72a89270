/** The timeline of a server with permissions: what writers and readers need, and what others hear. */

import { afterEach, beforeEach, expect, test } from 'vitest'
import { openMemoryStore } from '../../../adapters/memory/memory-store.ts'
import type { AdvertisedStore } from '../../../src/gateway/catalog/advertised.ts'
import type { LoginRequest } from '../../../src/gateway/identity/guard/foreign-pages.ts'
import type { Guard } from '../../../src/gateway/identity/guard/guard.ts'
import type { Action } from '../../../src/model/permission.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import { authorizedStore, callOf } from '../../gateway/policies/access/authorized-server.ts'
import { SUPERUSER } from '../../harness/access/people.ts'
import { type TimelineServer, timelineServer } from './timeline-server.ts'

const ENTITY = { entity: 'e', entitytype: 't', starttime: 1425447797805 }
const GETS = [
  '/t',
  '/t/e',
  '/t?limit=0',
  '/t?fromId=e',
  '/t?primaryFilter=a:b',
  '/domain/DEFAULT',
  '/domain?owner=o',
]

let own: Store
let store: AdvertisedStore
let server: TimelineServer
beforeEach(async () => {
  own = openMemoryStore({ clock: Date })
  store = await authorizedStore(own)
  const guard = {
    challenges: ['Bearer'],
    ofHttp: ({ headers: { authorization } }: LoginRequest) => ({ user: authorization }),
  } as unknown as Guard
  server = await timelineServer({}, store, { guard, store })
  await grant('writer', ['READ', 'WRITE'])
  await grant('reader', ['READ'])
})
afterEach(async () => {
  await server.close()
  await own.close()
})

async function grant(user: string, actions: readonly Action[]): Promise<void> {
  const permission = { scope: { kind: 'namespace', namespace: 'timeline' }, actions } as const
  await store.upkeep.permissions!.grant({ user, permission }, false, callOf(SUPERUSER))
}

async function posted(user: string, entity: object = ENTITY): Promise<number> {
  const headers = { 'content-type': 'application/json', authorization: user }
  const init = { method: 'POST', headers, body: JSON.stringify({ entities: [entity] }) }
  return (await server.ask('/ws/v1/timeline', init)).status
}

async function statuses(user: string): Promise<number[]> {
  return Promise.all(GETS.map(async (path) => (await server.get(path, { authorization: user })).status))
}

function isPeriodThere(): Promise<boolean> {
  return own.catalog.tableExists(parseTableName('timeline:entity.2015-03-04-05'), OWN_CALL)
}

test('RW of the namespace is enough to write, the first entity of a period too, and R to read', async () => {
  // A look before there is a period is not remembered as all that there is.
  expect((await server.get('/t', { authorization: 'reader' })).text).toBe('{"entities":[]}')
  expect(await posted('writer')).toBe(200)
  const { text } = await server.get('/t', { authorization: 'reader' })
  expect(text).toContain('"entity":"e"')
  expect(await statuses('reader')).toEqual(GETS.map(() => 200))
  expect(await posted('reader')).toBe(403)
})

test('a writer owns no table of the timeline', async () => {
  await posted('writer')
  const tables = (await store.catalog.listTables(OWN_CALL)).filter(({ name }) => name.startsWith('timeline:'))
  expect(tables.length).toBeGreaterThan(4)
  for (const { name } of tables)
    await expect(store.catalog.disableTable(name, callOf('writer'))).rejects.toMatchObject({
      code: 'ACCESS_DENIED',
    })
})

test('who may not read hears so, whether there are entities or not', async () => {
  const refused = GETS.map(() => 403)
  expect(await statuses('stranger')).toEqual(refused)
  expect(await posted('stranger')).toBe(403)
  expect(await isPeriodThere()).toBe(false)
  await posted('writer')
  expect(await isPeriodThere()).toBe(true)
  expect(await statuses('stranger')).toEqual(refused)
})
