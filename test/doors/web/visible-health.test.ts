/** The health of a server as each user reads it: the tables of others have damaged files, too. */

import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Health } from '../../../src/doors/web/status/health.ts'
import type { ConsoleFacts } from '../../../src/doors/web/status/server-facts.ts'
import { visibleHealth } from '../../../src/doors/web/status/visible-health.ts'
import { HBaseError } from '../../../src/model/errors.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { PemFolder } from '../../harness/certificates.ts'
import { thriftPackage } from '../../harness/thrift-package.ts'
import type { StubClient } from '../../harness/thrift-stubs.ts'
import { THRIFT2 } from '../thrift/service/thrift-server.ts'
import { b64, ConsoleClient } from './console-client.ts'

const SECRET = 'a secret of thirty-two bytes or more, as HS256 needs'

let folder: PemFolder
let client: ConsoleClient

async function authorizationOf(user: string): Promise<{ readonly Authorization: string }> {
  const exp = Math.floor(Date.now() / 1000) + 600
  const token = new SignJWT({ sub: user, exp }).setProtectedHeader({ alg: 'HS256' })
  return { Authorization: `Bearer ${await token.sign(Buffer.from(SECRET))}` }
}

async function grant(actions: string, username: string, tableName: string): Promise<void> {
  const connection = thriftPackage.createHttpConnection('127.0.0.1', client.server.ports.thrift!, {
    transport: thriftPackage.TBufferedTransport,
    protocol: thriftPackage.TBinaryProtocol,
    path: '/',
    headers: await authorizationOf('super'),
  })
  const thrift2 = thriftPackage.createHttpClient(THRIFT2, connection) as StubClient
  await thrift2['grant']!({ username, scope: 0, actions, tableName })
}

async function damageFiles(): Promise<void> {
  const store = `native:${folder.path}/data`
  const open = await ConsoleClient.start({ store, consoleWrites: true })
  for (const table of ['seen', 'hidden']) {
    await open.change({ kind: 'createTable', table, families: [{ name: b64('f') }] })
    await open.put(table, b64('r'), b64('v'))
    await open.change({ kind: 'flush', table })
  }
  await open.server.stop()
  const files = readdirSync(join(folder.path, 'data', 'data'), { recursive: true, withFileTypes: true })
  for (const file of files) {
    if (file.isFile() && /(?:seen|hidden)/.test(file.parentPath))
      writeFileSync(join(file.parentPath, file.name), 'damaged')
  }
}

beforeAll(async () => {
  folder = new PemFolder()
  await damageFiles()
  client = await ConsoleClient.start({
    store: `native:${folder.path}/data`,
    jwtSecret: folder.file('secret', SECRET),
    authorization: true,
    superuser: 'super',
  })
  await grant('R', 'reader', 'seen')
})

afterAll(async () => {
  await client.server.stop()
  folder.remove()
})

test.each([
  ['super', ['hidden', 'seen']],
  ['reader', ['seen']],
  ['outsider', []],
])('of two damaged files %s reads in /health and in the console the names of %j', async (user, tables) => {
  const headers = await authorizationOf(user)
  const health = await client.ask('/health', { headers })
  const overview = await client.ask('/console/api/overview', { headers })
  const ready = await client.ask('/health/ready', { headers })
  for (const reported of [
    (await health.json()) as Health,
    (await ready.json()) as Health,
    ((await overview.json()) as { readonly health: Health }).health,
  ]) {
    expect(reported).toMatchObject({ status: 'degraded', damagedFiles: 2 })
    expect((reported.damage ?? []).map(({ table }) => table).toSorted()).toEqual(tables)
  }
  expect(await (await client.ask('/', { headers })).text()).toContain('2 files cannot be read')
})

const HEALTH: Health = {
  status: 'degraded',
  damagedFiles: 2,
  damage: ['seen', 'hidden'].map((table) => ({ table, path: `/${table}`, reason: 'no' })),
  troubles: ['region hidden,,1 cannot be flushed'],
  insecure: ['hbase:acl has permissions of "hidden"'],
}

/** `outcome`: of each question of the store. */
function seenBy(deciding: ConsoleFacts['deciding'], outcome: () => Promise<void>): Promise<Health> {
  const listed = async (): Promise<object[]> => {
    await outcome()
    return [{ name: 'seen' }]
  }
  const store = {
    catalog: { listTables: listed, listSystemTables: async () => [] },
    upkeep: { permissions: { requireAdmin: outcome } },
  }
  const facts = { life: { store }, console: { deciding } } as unknown
  return visibleHealth(HEALTH, {
    call: OWN_CALL,
    facts: facts as Parameters<typeof visibleHealth>[1]['facts'],
  })
}

test('sentences of regions and rights are for administrators: others read how many there are', async () => {
  expect(await seenBy(undefined, () => Promise.reject(new Error('not called')))).toEqual(HEALTH)
  const { troubles, insecure } = HEALTH
  expect(await seenBy('Tidegate', async () => undefined)).toMatchObject({ troubles, insecure })
  const denied = new HBaseError('ACCESS_DENIED', 'no')
  const { damage: _, ...more } = HEALTH
  for (const error of [denied, new HBaseError('UNAVAILABLE', 'the store closes')])
    expect(await seenBy('Tidegate', () => Promise.reject(error))).toEqual({
      ...more,
      troubles: ['1 trouble: an administrator reads more here'],
      insecure: ['1 insecure setting: an administrator reads more here'],
    })
})
