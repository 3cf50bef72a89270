/** The console shows each user what his permissions show him. */

import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PemFolder } from '../../harness/certificates.ts'
import { thriftPackage } from '../../harness/thrift-package.ts'
import type { StubClient } from '../../harness/thrift-stubs.ts'
import { THRIFT2 } from '../thrift/service/thrift-server.ts'
import { b64, ConsoleClient, queryOf } from './console-client.ts'

const SECRET = 'a secret of thirty-two bytes or more, as HS256 needs'

interface SlowPage {
  readonly count?: number
  readonly onlyOf?: string
  readonly operations: readonly { readonly table?: string }[]
}

let folder: PemFolder
let client: ConsoleClient

async function bearer(user: string): Promise<string> {
  const exp = Math.floor(Date.now() / 1000) + 600
  const token = new SignJWT({ sub: user, exp }).setProtectedHeader({ alg: 'HS256' })
  return `Bearer ${await token.sign(Buffer.from(SECRET))}`
}

async function read(user: string, name: string, parameters: [string, string][] = []): Promise<Response> {
  const headers = { Authorization: await bearer(user) }
  return client.ask(`/console/api/${name}?${queryOf(parameters)}`, { headers })
}

async function shown<T>(user: string, name: string, parameters: [string, string][] = []): Promise<T> {
  return (await (await read(user, name, parameters)).json()) as T
}

async function serverPage(user: string): Promise<string> {
  return (await client.ask('/rs-status', { headers: { Authorization: await bearer(user) } })).text()
}

/** The tables that a page of metrics names. */
async function tablesOf(user: string, path: string): Promise<Set<string>> {
  const answer = await client.ask(path, { headers: { Authorization: await bearer(user) } })
  expect(answer.status).toBe(200)
  return new Set((await answer.text()).match(/seen|hidden/g))
}

beforeAll(async () => {
  folder = new PemFolder()
  client = await ConsoleClient.start({
    store: `native:${folder.path}/data`,
    jwtSecret: folder.file('secret', SECRET),
    authorization: true,
    superuser: 'super',
    groups: folder.file('groups', 'readers: reader\n'),
    consoleWrites: true,
    slowLogMs: 0,
  })
  const change = async (body: object): Promise<void> => {
    const answer = await client.send(body, { Authorization: await bearer('super') })
    expect(answer.status, await answer.text()).toBe(200)
  }
  for (const table of ['seen', 'hidden']) {
    await change({ kind: 'createTable', table, families: [{ name: b64('f') }] })
    await change({
      kind: 'put',
      table,
      row: b64('r'),
      family: b64('f'),
      qualifier: b64('q'),
      value: b64('v'),
    })
  }
  const connection = thriftPackage.createHttpConnection('127.0.0.1', client.server.ports.thrift!, {
    transport: thriftPackage.TBufferedTransport,
    protocol: thriftPackage.TBinaryProtocol,
    path: '/',
    headers: { Authorization: await bearer('super') },
  })
  const thrift2 = thriftPackage.createHttpClient(THRIFT2, connection) as StubClient
  await thrift2['grant']!({ username: '@readers', scope: 0, actions: 'R', tableName: 'seen' })
})

afterAll(async () => {
  await client.server.stop()
  folder.remove()
})

test('a table that a group may read is listed and shown, without its schema', async () => {
  type Listed = { tables: { name: string; families?: number }[] }
  expect((await shown<Listed>('reader', 'tables')).tables).toMatchObject([{ name: 'seen' }])
  const table = await shown<Record<string, unknown>>('reader', 'table', [['name', 'seen']])
  expect(table).toMatchObject({ name: 'seen', state: 'ENABLED', regionsTotal: 1 })
  expect([table['families'], table['attributes']]).toEqual([undefined, undefined])
  expect((await read('reader', 'table', [['name', 'hidden']])).status).toBe(403)
  expect((await shown<Listed>('super', 'tables')).tables).toMatchObject([{ families: 1 }, { families: 1 }])
})

test('the page of the region server has regions of tables that its reader may see', async () => {
  expect(await serverPage('super')).toMatch(/seen,,[\s\S]*hidden,,/)
  const ofReader = await serverPage('reader')
  expect(ofReader).toContain('seen,,')
  expect(ofReader).not.toContain('hidden')
})

test('metrics are for all users who have logged in, and name the tables that each may see', async () => {
  for (const path of ['/metrics', '/prometheus', '/jmx']) expect((await client.ask(path)).status).toBe(401)
  for (const path of ['/metrics', '/prometheus']) {
    // At the same time: no reader gets lines of the other.
    const [ofReader, ofSuper, ofStranger] = await Promise.all(
      ['reader', 'super', 'stranger'].map((user) => tablesOf(user, path)),
    )
    expect(ofReader).toEqual(new Set(['seen']))
    expect(ofSuper).toEqual(new Set(['seen', 'hidden']))
    expect(ofStranger).toEqual(new Set())
  }
  expect(await tablesOf('super', '/jmx')).toEqual(new Set())
})

test('metrics grow by kinds of requests, and by three lines a table', async () => {
  const Authorization = await bearer('super')
  const create = async (table: string): Promise<void> => {
    const made = await client.send(
      { kind: 'createTable', table, families: [{ name: b64('f') }] },
      { Authorization },
    )
    expect(made.status).toBe(200)
  }
  const series = async (): Promise<number> => {
    const answer = await client.ask('/metrics', { headers: { Authorization } })
    return (await answer.text()).match(/^tidegate_/gm)!.length
  }
  await create('n0')
  await series()
  const before = await series()
  for (let n = 1; n <= 20; n++) await create(`n${n}`)
  expect(await series()).toBe(before + 3 * 20)
  const all = await (await client.ask('/metrics', { headers: { Authorization } })).text()
  expect(all.match(/^tidegate_.*service="console",method="POST"/gm)).toHaveLength(27)
})

test('the slow log shows operations of others to who administers everything', async () => {
  await shown('reader', 'rows', [['table', 'seen']])
  const all = await shown<SlowPage>('super', 'slow')
  expect(all.operations.map(({ table }) => table)).toContain('hidden')
  expect(all.onlyOf).toBeUndefined()
  const own = await shown<SlowPage>('reader', 'slow')
  expect([own.onlyOf, own.count]).toEqual(['reader', undefined])
  expect(new Set(own.operations.map(({ table }) => table))).toEqual(new Set(['seen']))
})

test('the log, the settings, peers and backups are for who administers everything', async () => {
  for (const page of ['events', 'settings', 'replication', 'backups']) {
    expect(await shown('reader', page), page).toEqual({ isHidden: true, deciding: 'Tidegate' })
    expect(await shown<object>('super', page), page).not.toHaveProperty('isHidden')
  }
  const { settings } = await shown<{ settings: { name: string; value: string }[] }>('super', 'settings')
  expect(settings.find(({ name }) => name === '--superuser')).toMatchObject({ value: 'super' })
  expect(JSON.stringify(settings)).not.toContain(SECRET)
})

test('users see their own permissions, and administrators who has which', async () => {
  type Users = { permissions: object[]; own: object[]; accounts?: { users: object[] }; isPartial?: boolean }
  const own = await shown<Users>('reader', 'users')
  expect(own).toMatchObject({ user: 'reader', isEnforced: true, isPartial: true, permissions: [] })
  expect(own.own).toEqual([{ scope: 'seen', actions: 'R' }])
  expect(own.accounts).toBeUndefined()
  const all = await shown<Users>('super', 'users')
  expect(all.permissions).toContainEqual({ user: '@readers', scope: 'seen', actions: 'R' })
  expect(all.permissions.filter((each) => JSON.stringify(each).includes('"global"'))).toEqual([
    { user: 'super', scope: 'global', actions: 'RWXCA' },
  ])
  expect(all.own).toEqual([{ scope: 'global', actions: 'RWXCA' }])
  expect(all.accounts).toMatchObject({
    logins: ['tokens (JWT)'],
    superusers: ['super'],
    users: [{ name: 'reader', groups: ['readers'], hasPassword: false }],
  })
})

test('namespaces, snapshots and loads show what belongs to tables that the user may see', async () => {
  const Authorization = await bearer('super')
  const made = await client.send(
    { kind: 'createSnapshot', snapshot: 's', table: 'hidden' },
    { Authorization },
  )
  expect(made.status, await made.text()).toBe(200)
  type Named = { name: string; tables?: string[]; properties?: object }
  const { namespaces } = await shown<{ namespaces: Named[] }>('reader', 'namespaces')
  expect(namespaces).toEqual([{ name: 'default', tablesTotal: 1, tables: ['seen'], tableQuotas: [] }])
  const all = await shown<{ namespaces: Named[] }>('super', 'namespaces')
  expect(all.namespaces.find(({ name }) => name === 'default')).toMatchObject({ properties: {} })
  type Snapshots = { snapshots: { name: string; owner: string; bytes: number }[]; tables: string[] }
  expect(await shown<Snapshots>('reader', 'snapshots')).toMatchObject({ snapshots: [], tables: ['seen'] })
  const [snapshot] = (await shown<Snapshots>('super', 'snapshots')).snapshots
  expect(snapshot).toMatchObject({ name: 's', table: 'hidden', owner: 'super' })
  expect(snapshot!.bytes).toBeGreaterThan(0)
  const load = await shown<{ tables: Named[] }>('reader', 'table-load')
  expect(load.tables.map(({ name }) => name)).toEqual(['seen'])
  for (const change of [
    { kind: 'createSnapshot', snapshot: 'mine', table: 'seen' },
    { kind: 'deleteSnapshot', snapshot: 's' },
    { kind: 'restoreSnapshot', snapshot: 's' },
    { kind: 'cloneSnapshot', snapshot: 's', table: 'copy' },
  ])
    expect((await client.send(change, { Authorization: await bearer('reader') })).status, change.kind).toBe(
      403,
    )
})
