/** HBase's Java client, unmodified, and Tidegate's own client of clusters, with tickets of a real KDC at Tidegate's native RPC. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_HBASE_OPTIONS } from '../../../adapters/hbase/config/hbase-options.ts'
import { openHBaseStore } from '../../../adapters/hbase/open-hbase-store.ts'
import { NODE_TIME } from '../../../adapters/hbase/retry/time.ts'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos } from '../../../src/kerberos/kerberos.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get } from '../../../src/model/query.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { PROTECTIONS } from '../../../src/wire/sasl/sasl.ts'
import type { ChildServer } from '../../harness/child-server.ts'
import { type ClientLogin, runKerberosClient } from '../../harness/kerberos/kerberos-client.ts'
import { runningRealm } from '../../harness/kerberos/running-parts.ts'
import { securedClientSettings } from '../../harness/kerberos/secured-hbase.ts'
import { startTidegate } from '../../harness/tidegate-process.ts'

const realm = runningRealm()
const SERVICE = 'hbase/localhost'
const ROW = Buffer.from('r')
const RUN_MS_MAX = 90_000
const VERSIONS = [
  ['2.6.1', undefined],
  ['2.4.18', '2.4.18'],
] as const

let folder: string
let server: ChildServer
let alice: ClientLogin & { readonly keytab: string }
let bob: ClientLogin
const before = new Map<string, string | undefined>()

beforeAll(async () => {
  for (const [name, value] of Object.entries(realm.environment)) {
    before.set(name, process.env[name])
    process.env[name] = value
  }
  folder = mkdtempSync(join(tmpdir(), 'rpc-kerberos-'))
  const keytab = join(folder, 'service.keytab')
  // Another suite, or the secured HBase, may have added it.
  await realm.addPrincipal(SERVICE, { password: 'of the service' }).catch(() => undefined)
  await realm.keytab(keytab, [SERVICE])
  alice = { principal: 'rpc-alice', keytab: join(folder, 'alice.keytab') }
  await realm.addPrincipal('rpc-alice', { keytab: alice.keytab })
  await realm.addPrincipal('rpc-bob', { password: 'a secret' })
  bob = { cache: join(folder, 'bob.cache') }
  await realm.kinit(bob.cache, 'rpc-bob', { password: 'a secret' })
  server = await startTidegate(
    `native:${join(folder, 'data')}`,
    '--kerberos-service-keytab',
    keytab,
    '--kerberos-service-principal',
    `${SERVICE}@${realm.realm}`,
    '--proxy-user',
    'rpc-alice for rpc-carol from *',
    '-D',
    'hbase.rpc.crypto.encryption.aes.enabled=true',
  )
}, RUN_MS_MAX)

afterAll(async () => {
  await server?.stop()
  for (const [name, value] of before)
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  rmSync(folder, { recursive: true, force: true })
})

describe.each(VERSIONS)('the Java client of %s', (name, version) => {
  test.each(PROTECTIONS)(
    'works by keytab, by token, for another user and by kinit, with %s',
    async (protection) => {
      const table = `t${name.replaceAll('.', '')}-${protection}`
      const settings = securedClientSettings(realm, server.port('zookeeper'), protection)
      const long = 'x'.repeat(100_000)
      const steps = [
        `create ${table} f`,
        'whoami',
        `put ${table} r1 f:q ${long}`,
        `get ${table} r1`,
        `scan ${table}`,
        `token get ${table} r1`,
        'token whoami',
        'as rpc-carol whoami',
        `as rpc-dave get ${table} r1`,
        `get ${table} r1`,
      ]
      const asked = { login: alice, settings, steps, ...(version !== undefined && { version }) }
      const answers = await runKerberosClient(realm, asked)
      expect(answers.map((answer) => answer.replaceAll(long, 'LONG'))).toEqual([
        'ok',
        'ok rpc-alice KERBEROS',
        'ok',
        'ok r1=LONG',
        'ok r1=LONG',
        'ok r1=LONG',
        'ok rpc-alice TOKEN',
        'ok rpc-carol PROXY',
        // As with HBase: the client does not report the reason that the server sends.
        'ConnectionClosedException: Connection closed',
        'ok r1=LONG',
      ])
      const asBob = await runKerberosClient(realm, {
        ...asked,
        login: bob,
        steps: ['whoami', `get ${table} r1`],
      })
      expect(asBob).toEqual(['ok rpc-bob KERBEROS', `ok r1=${long}`])
    },
    RUN_MS_MAX,
  )

  test.each([
    ['AES behind privacy', { 'hbase.rpc.crypto.encryption.aes.enabled': 'true' }],
    [
      'the blocking client, AES behind privacy',
      {
        'hbase.rpc.client.impl': 'org.apache.hadoop.hbase.ipc.BlockingRpcClient',
        'hbase.rpc.crypto.encryption.aes.enabled': 'true',
      },
    ],
    [
      'the blocking client and privacy',
      { 'hbase.rpc.client.impl': 'org.apache.hadoop.hbase.ipc.BlockingRpcClient' },
    ],
  ])(
    'works with %s',
    async (what, others) => {
      const table = `o${name.replaceAll('.', '')}-${what.length}`
      const settings = { ...securedClientSettings(realm, server.port('zookeeper'), 'privacy'), ...others }
      const long = 'y'.repeat(100_000)
      const steps = [`create ${table} f`, `put ${table} r1 f:q ${long}`, `get ${table} r1`, 'whoami']
      const asked = { login: alice, settings, steps, ...(version !== undefined && { version }) }
      const answers = await runKerberosClient(realm, asked)
      expect(answers.map((answer) => answer.replaceAll(long, 'LONG'))).toEqual([
        'ok',
        'ok',
        'ok r1=LONG',
        'ok rpc-alice KERBEROS',
      ])
    },
    RUN_MS_MAX,
  )
})

describe('Tidegate in front of Tidegate', () => {
  let kerberos: Kerberos
  beforeAll(() => {
    kerberos = openKerberos()
  })
  afterAll(() => kerberos?.close())

  test.each([...PROTECTIONS.map((protection) => [protection, false] as const), ['privacy', true] as const])(
    'reads and writes with %s, AES asked for: %s',
    async (protection, asksForAes) => {
      const table = parseTableName(`own-${protection}-${asksForAes}`)
      const login = await kerberos.logIn({ principal: `rpc-alice@${realm.realm}`, keytab: alice.keytab })
      const principal = `${SERVICE}@${realm.realm}`
      const store = await openHBaseStore({
        cluster: {
          registry: 'bootstrap',
          servers: [{ host: '127.0.0.1', port: server.port('rpc') }],
          znodeParent: '/hbase',
        },
        options: DEFAULT_HBASE_OPTIONS,
        user: 'tester',
        kerberos: {
          login,
          masterPrincipal: principal,
          regionServerPrincipal: principal,
          protections: [protection],
          mayFallBack: false,
          asksForAes,
        },
        time: NODE_TIME,
        random: Math.random,
        log: () => undefined,
      })
      try {
        await store.catalog.createTable(tableDescriptor(table, [familyDescriptor('f')]), [], OWN_CALL)
        // Larger than a message of either side, so that requests and answers are cut.
        const value = Buffer.alloc(3_000_000, protection)
        const batch = new MutationBatch()
        batch.put(ROW, Buffer.from('f'), Buffer.from('q'), value)
        batch.endMutation()
        expect(await store.rows.mutate(table, batch, OWN_CALL)).toEqual([])
        const { cells } = await store.rows.get(table, [get(ROW)], { bytes: 10_000_000 }, OWN_CALL)
        expect(cellsOf(cells)[0]!.value.equals(value)).toBe(true)
      } finally {
        await store.close()
        login.close()
      }
    },
    RUN_MS_MAX,
  )
})
