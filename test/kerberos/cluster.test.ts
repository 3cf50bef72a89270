/** A secured HBase as the store: its protections, its users, and logins that fail. */

import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_HBASE_OPTIONS } from '../../adapters/hbase/config/hbase-options.ts'
import { openHBaseStore } from '../../adapters/hbase/open-hbase-store.ts'
import { NODE_TIME } from '../../adapters/hbase/retry/time.ts'
import { openScanner } from '../../src/gateway/reads/scanner.ts'
import type { KerberosLogin } from '../../src/kerberos/kerberos.ts'
import { familyDescriptor, tableDescriptor } from '../../src/model/descriptor.ts'
import { MutationBatch } from '../../src/model/mutation.ts'
import { get, type Scan, scan } from '../../src/model/query.ts'
import { parseTableName, type TableName } from '../../src/model/table-name.ts'
import { type Call, OWN_CALL } from '../../src/store/call.ts'
import type { Store } from '../../src/store/store.ts'
import type { Protection } from '../../src/wire/sasl/sasl.ts'
import { failure } from '../adapters/hbase/rpc/echo-connection.ts'
import { openDoorsOver, restStoreOn, thriftStoreOn } from '../harness/doors-over-store.ts'
import { runningHBase } from '../harness/kerberos/running-parts.ts'
import { SecuredStores } from '../harness/kerberos/secured-store.ts'
import { bytes, drain, NO_GET_LIMITS, resultTexts } from '../store/suite/store-under-test.ts'

const TIMEOUT_MS = 60_000
const TABLE = parseTableName(`cl_table_${process.pid}`)
/** Names of this run's own, on a realm that other suites use too. */
const [ALICE, BOB, STRANGER] = ['alice', 'bob', 'stranger'].map((name) => `cl-${name}-${process.pid}`) as [
  string,
  string,
  string,
]
/** Its short name is tidegate, which may act for others. */
const GATEWAY = `tidegate/cl-${process.pid}`
const MANY = 3_000
const LARGE_BYTES = 3_000_000
const PASSING = { as: 'proxy', connectionsMax: 100 } as const

const stores = new SecuredStores(runningHBase())
const { realm } = stores
let folder: string
let superuser: KerberosLogin
let tidegate: KerberosLogin
let store: Store

const keytab = (name: string): string => join(folder, `${name.replace('/', '.')}.keytab`)
const ofUser = (user: string): Call => ({ ...OWN_CALL, isOwn: false, principal: { user } })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secured-cluster-'))
  for (const name of [GATEWAY, ALICE, BOB, STRANGER]) await realm.addPrincipal(name, { keytab: keytab(name) })
  superuser = await stores.logIn({
    principal: `hbase/localhost@${realm.realm}`,
    keytab: join(realm.folder, 'hbase.localhost.keytab'),
  })
  tidegate = await openAs(GATEWAY)
  store = await stores.open(superuser)
  const scope = { kind: 'table', table: TABLE } as const
  await store.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [bytes('m')], OWN_CALL)
  const grant = (user: string, actions: ('READ' | 'WRITE')[]): Promise<void> =>
    store.upkeep.permissions!.grant({ user, permission: { scope, actions } }, false, OWN_CALL)
  await grant(ALICE, ['READ', 'WRITE'])
  await grant(BOB, ['READ'])
}, TIMEOUT_MS)

afterAll(async () => {
  await store?.catalog.disableTable(TABLE, OWN_CALL)
  await store?.catalog.deleteTable(TABLE, OWN_CALL)
  await stores.close()
  rmSync(folder, { recursive: true, force: true })
}, TIMEOUT_MS)

async function openAs(name: string): Promise<KerberosLogin> {
  return stores.logIn({ principal: `${name}@${realm.realm}`, keytab: keytab(name) })
}

function puts(prefix: string, count: number, value: Buffer): MutationBatch {
  const batch = new MutationBatch()
  for (let i = 0; i < count; i++)
    batch.put(bytes(`${prefix}${String(i).padStart(5, '0')}`), bytes('f'), bytes('q'), value).endMutation()
  return batch
}

async function read(
  from: Store,
  row: string,
  call: Call = OWN_CALL,
  table: TableName = TABLE,
): Promise<string> {
  const results = await from.rows.get(table, [get(bytes(row))], NO_GET_LIMITS, call)
  return resultTexts(results)[0] ?? ''
}

async function rowsOf(from: Store, table: TableName, of: Scan): Promise<string[]> {
  return drain(await openScanner(from, table, of, OWN_CALL))
}

/** Tables, rows, batches, scans and the master, with messages from a few bytes to megabytes, in both directions. */
async function useAll(of: Store, name: string): Promise<void> {
  const table = parseTableName(`cl_${name}_${process.pid}`)
  await of.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [bytes('m')], OWN_CALL)
  try {
    expect(await of.rows.mutate(table, puts('a', MANY, bytes('value')), OWN_CALL)).toEqual([])
    expect(await of.rows.mutate(table, puts('z', MANY, Buffer.alloc(300, 'z')), OWN_CALL)).toEqual([])
    expect(await of.rows.mutate(table, puts('large', 1, Buffer.alloc(LARGE_BYTES, 'l')), OWN_CALL)).toEqual(
      [],
    )
    expect(await read(of, 'a00007', OWN_CALL, table)).toContain('value')
    const large = await of.rows.get(table, [get(bytes('large00000'))], NO_GET_LIMITS, OWN_CALL)
    expect(large.cells.byteLength).toBeGreaterThan(LARGE_BYTES)
    const rows = await rowsOf(of, table, scan())
    expect(rows).toHaveLength(2 * MANY + 1)
    const together = await Promise.all(
      Array.from({ length: 200 }, (_, i) => read(of, `z${String(i * 10).padStart(5, '0')}`, OWN_CALL, table)),
    )
    expect(together.every((text) => text.includes('zzz'))).toBe(true)
    await of.upkeep.flushes!.flushTable(table, OWN_CALL)
    expect(await of.catalog.regions(table, OWN_CALL)).toHaveLength(2)
  } finally {
    await of.catalog.disableTable(table, OWN_CALL)
    await of.catalog.deleteTable(table, OWN_CALL)
  }
}

describe('a secured cluster', () => {
  test.each<[string, Protection, boolean]>([
    ['authentication', 'authentication', false],
    ['integrity', 'integrity', false],
    ['privacy', 'privacy', false],
    ['aes', 'privacy', true],
  ])(
    'serves tables, rows, scans and the master under %s',
    async (name, protection, asksForAes) => {
      await useAll(await stores.open(superuser, { protections: [protection], asksForAes }), name)
    },
    TIMEOUT_MS,
  )

  test('is found by its servers, which say who they are', async () => {
    const [region] = await store.catalog.regions(TABLE, OWN_CALL)
    const login = await openAs(ALICE)
    const found = await openHBaseStore({
      cluster: { registry: 'bootstrap', servers: [region!.server!], znodeParent: '/hbase' },
      options: DEFAULT_HBASE_OPTIONS,
      user: 'nobody',
      kerberos: {
        login,
        // Asked for its principal, the server names the other.
        masterPrincipal: `master/_HOST@${realm.realm}`,
        regionServerPrincipal: `hbase/_HOST@${realm.realm}`,
        protections: ['authentication'],
        mayFallBack: false,
        hostName: async () => 'LOCALHOST',
      },
      time: NODE_TIME,
      random: Math.random,
      log: () => undefined,
    })
    try {
      expect(await found.rows.mutate(TABLE, puts('found', 1, bytes('1')), OWN_CALL)).toEqual([])
      expect(await read(found, 'found00000')).toContain('1')
    } finally {
      await found.close()
    }
  })

  test('knows who logs in', async () => {
    const stranger = await stores.open(await openAs(STRANGER))
    expect(await failure(read(stranger, 'x'))).toMatchObject({
      code: 'ACCESS_DENIED',
      message: expect.stringContaining(`'${STRANGER}'`),
    })
  })
})

describe("a door's user", () => {
  test.each<Protection>(['authentication', 'privacy'])(
    'acts as itself on the cluster: %s',
    async (protection) => {
      const acting = await stores.open(tidegate, { passing: PASSING, protections: [protection] })
      const [alice, bob] = [ofUser(ALICE), ofUser(BOB)]
      expect(await acting.rows.mutate(TABLE, puts('own', 3, bytes('mine')), alice)).toEqual([])
      expect(await read(acting, 'own00001', alice)).toContain('mine')
      expect(await read(acting, 'own00001', bob)).toContain('mine')
      const denied = await acting.rows.mutate(TABLE, puts('own', 1, bytes('his')), bob)
      expect(denied[0]?.error.message).toContain(`Insufficient permissions (user=${BOB},`)
      expect(await failure(read(acting, 'own00001'))).toMatchObject({
        message: expect.stringContaining("'tidegate'"),
      })
    },
    TIMEOUT_MS,
  )

  test('of a login that may not act for others is refused with the keys to set', async () => {
    const acting = await stores.open(await openAs(STRANGER), { passing: PASSING })
    expect(await failure(read(acting, 'x', ofUser(ALICE)))).toMatchObject({
      code: 'ACCESS_DENIED',
      message: expect.stringMatching(
        /is not allowed to impersonate.*hadoop\.proxyuser\.cl-stranger-\d+\.hosts/s,
      ),
    })
  })

  test(
    'comes through the doors',
    async () => {
      const acting = await stores.open(tidegate, { passing: PASSING, protections: ['privacy'] })
      const doors = await openDoorsOver(acting)
      const through = (user: string): Promise<Store> =>
        openHBaseStore({
          cluster: {
            registry: 'bootstrap',
            servers: [{ host: '127.0.0.1', port: doors.ports.rpc }],
            znodeParent: '/hbase',
          },
          options: DEFAULT_HBASE_OPTIONS,
          user,
          time: NODE_TIME,
          random: Math.random,
          log: () => undefined,
        })
      const [alice, bob] = await Promise.all([through(ALICE), through(BOB)])
      try {
        expect(await alice.rows.mutate(TABLE, puts('door', 500, bytes('in')), OWN_CALL)).toEqual([])
        expect(
          await rowsOf(bob, TABLE, { ...scan(), startRow: bytes('door'), stopRow: bytes('doos') }),
        ).toHaveLength(500)
        const denied = await bob.rows.mutate(TABLE, puts('door', 1, bytes('no')), OWN_CALL)
        expect(denied[0]?.error.message).toContain(`(user=${BOB},`)
      } finally {
        await Promise.all([alice.close(), bob.close()])
        await doors.close()
      }
    },
    TIMEOUT_MS,
  )

  test(
    "without it, Tidegate's own user serves all doors",
    async () => {
      const own = await stores.open(superuser, { protections: ['integrity'] })
      const doors = await openDoorsOver(own)
      const clients = [restStoreOn(doors.ports.rest), thriftStoreOn(doors.ports.thrift)]
      try {
        for (const [i, client] of clients.entries()) {
          expect(await client.rows.mutate(TABLE, puts(`client${i}`, 50, bytes('in')), OWN_CALL)).toEqual([])
          expect(await read(client, `client${i}00049`)).toContain('in')
          const range = { startRow: bytes(`client${i}`), stopRow: bytes(`client${i}~`) }
          expect(await rowsOf(client, TABLE, { ...scan(), ...range })).toHaveLength(50)
        }
      } finally {
        for (const client of clients) await client.close()
        await doors.close()
      }
    },
    TIMEOUT_MS,
  )
})

describe('a login that fails', () => {
  const quick = { options: { operationTimeoutMs: 2_000 } }

  test('for a principal that the KDC does not know, ends at once and says which key names it', async () => {
    const lost = await stores.open(superuser, {
      ...quick,
      regionServerPrincipal: `nosuch/localhost@${realm.realm}`,
    })
    const begun = performance.now()
    expect(await failure(read(lost, 'x'))).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/nosuch\/localhost.*hbase\.regionserver\.kerberos\.principal/s),
    })
    expect(performance.now() - begun).toBeLessThan(1_500)
    expect(await lost.outage()).toContain('nosuch/localhost')
  })

  test('for a principal that is not the server, has the advice that the server gives nobody', async () => {
    const lost = await stores.open(superuser, {
      ...quick,
      regionServerPrincipal: `rest/localhost@${realm.realm}`,
    })
    expect(await failure(read(lost, 'x'))).toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringMatching(/rest\/localhost.*may have another principal/s),
    })
  })

  test(
    'while the KDC is away, is repeated until it is back',
    async () => {
      const login = await openAs(ALICE)
      const away = join(folder, 'away.conf')
      copyFileSync(realm.configuration, away)
      writeFileSync(away, readFileSync(away, 'utf8').replaceAll(`:${realm.port}`, ':1'))
      const lost = await stores.open(login, { options: { operationTimeoutMs: 20_000 } })
      process.env['KRB5_CONFIG'] = away
      try {
        const first = read(lost, 'x')
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        process.env['KRB5_CONFIG'] = realm.configuration
        expect(await first).toBe('')
      } finally {
        process.env['KRB5_CONFIG'] = realm.configuration
      }
    },
    TIMEOUT_MS,
  )

  test(
    'because the ticket of a cache is gone, says so, and goes on with the next',
    async () => {
      const cache = join(folder, 'alice.cache')
      await realm.kinit(cache, ALICE, { keytab: keytab(ALICE) })
      const login = await stores.logIn({ cache })
      rmSync(cache)
      const lost = await stores.open(login, quick)
      expect(await failure(read(lost, 'x'))).toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringMatching(/kinit/),
      })
      await realm.kinit(cache, ALICE, { keytab: keytab(ALICE) })
      await expect
        .poll(() => read(lost, 'x').catch(() => 'lost'), { timeout: 15_000, interval: 500 })
        .toBe('')
    },
    TIMEOUT_MS,
  )
})
