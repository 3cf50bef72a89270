/** Native RPC of servers with several threads or processes: tickets and tokens count wherever a connection is served, and scanners are their users'. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromBinary, type MessageShape } from '@bufbuild/protobuf'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DEFAULT_HBASE_OPTIONS } from '../../../adapters/hbase/config/hbase-options.ts'
import { openHBaseStore } from '../../../adapters/hbase/open-hbase-store.ts'
import { NODE_TIME } from '../../../adapters/hbase/retry/time.ts'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import type { Store } from '../../../src/store/store.ts'
import {
  GetAuthenticationTokenResponseSchema,
  WhoAmIResponseSchema,
} from '../../../src/wire/rpc/gen/authentication_pb.ts'
import { ClientService, type ScanResponseSchema } from '../../../src/wire/rpc/gen/client_pb.ts'
import { rpcMethod } from '../../../src/wire/rpc/rpc-method.ts'
import { PROTECTIONS, type Protection, type SaslExchange } from '../../../src/wire/sasl/sasl.ts'
import { ChildServer } from '../../harness/child-server.ts'
import { DigestMd5Client } from '../../harness/digest-md5-client.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { AuthCode, SaslTalk } from '../../harness/sasl-talk.ts'
import { FREE_PORTS, MAIN } from '../../harness/tidegate-process.ts'
import { keytabIn, RealmVariables } from '../thrift/kerberos-thrift.ts'

const REALM = 'TIDEGATE.TEST'
const TARGET = `hbase/localhost@${REALM}`
const TABLE = parseTableName('t')
const ROWS = 40
const CONNECTIONS = 8
const [SCAN, EXEC] = [rpcMethod(ClientService.method.scan), rpcMethod(ClientService.method.execService)]

let folder: string
let kdc: Kdc
let variables: RealmVariables | undefined
let kerberos: Kerberos | undefined
const logins = new Map<string, KerberosLogin>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rpc-workers-'))
  kdc = await Kdc.start()
  variables = new RealmVariables(kdc)
  kerberos = openKerberos()
  for (const user of ['alice', 'bob', 'root']) {
    const keytab = keytabIn(folder, user)
    await kdc.addPrincipal(user, { keytab })
    logins.set(user, await kerberos.logIn({ principal: `${user}@${REALM}`, keytab }))
  }
  await kdc.addPrincipal('hbase/localhost', { keytab: keytabIn(folder, 'service') })
}, 120_000)

afterAll(async () => {
  for (const login of logins.values()) login.close()
  await kerberos?.close()
  await kdc?.close()
  variables?.restore()
  rmSync(folder, { recursive: true, force: true })
})

function storeOf(port: number, login: KerberosLogin, protection: Protection): Promise<Store> {
  return openHBaseStore({
    cluster: { registry: 'bootstrap', servers: [{ host: '127.0.0.1', port }], znodeParent: '/hbase' },
    options: { ...DEFAULT_HBASE_OPTIONS, pauseMs: 20, retriesMax: 2 },
    user: 'tester',
    kerberos: {
      login,
      masterPrincipal: TARGET,
      regionServerPrincipal: TARGET,
      protections: [protection],
      mayFallBack: false,
      asksForAes: false,
    },
    time: NODE_TIME,
    random: Math.random,
    log: () => undefined,
  })
}

async function talkOf(port: number, code: number, exchange: SaslExchange, user?: string): Promise<SaslTalk> {
  const talk = await SaslTalk.open(port)
  await talk.logIn(code, exchange)
  talk.header(user === undefined ? {} : { user })
  return talk
}

function ticketTalk(port: number, user: string, protection: Protection): Promise<SaslTalk> {
  const exchange = logins.get(user)!.saslClient(TARGET, [protection])
  return talkOf(port, AuthCode.kerberos, exchange, `${user}@${REALM}`)
}

async function asked(talk: SaslTalk, methodName: string): Promise<Uint8Array> {
  const region = { type: 1 as const, value: Buffer.from('hbase:meta,,1') }
  const serviceName = 'hbase.pb.AuthenticationService'
  const call = { row: Buffer.alloc(0), serviceName, methodName, request: Buffer.alloc(0) }
  const { value } = await talk.call(EXEC, { region, call })
  return value!.value
}

async function whoAmI(talk: SaslTalk): Promise<readonly [string, string]> {
  const { username, authMethod } = fromBinary(WhoAmIResponseSchema, await asked(talk, 'WhoAmI'))
  return [username, authMethod]
}

type Scanned = MessageShape<typeof ScanResponseSchema>

function scan(talk: SaslTalk, scannerId?: bigint, region?: Buffer): Promise<Scanned> {
  return talk.call(SCAN, {
    numberOfRows: 3,
    ...(scannerId === undefined ? { region: { type: 1, value: region! }, scan: {} } : { scannerId }),
  })
}

describe.each([
  ['--threads', '2'],
  ['--processes', '2'],
])('%s %s', (...workers) => {
  let server: ChildServer
  let behind: ChildServer | undefined
  let port: number
  let region: Buffer

  beforeAll(async () => {
    vi.stubEnv('TMPDIR', folder)
    const quiet = ['--log-level', 'silent']
    const isInFront = workers[0] === '--processes'
    if (isInFront)
      behind = await ChildServer.start(MAIN, ['serve', '--store', 'memory', ...FREE_PORTS, ...quiet])
    const store =
      behind === undefined ? `native:${join(folder, 'data')}` : `hbase:127.0.0.1:${behind.port('rpc')}`
    const access = isInFront
      ? ['--delegation-keys', join(folder, 'keys')]
      : ['--authorization', '--superuser', 'root']
    const flags = ['--kerberos-service-keytab', keytabIn(folder, 'service'), ...access, ...quiet]
    server = await ChildServer.start(MAIN, ['serve', '--store', store, ...FREE_PORTS, ...flags, ...workers])
    vi.unstubAllEnvs()
    port = server.port('rpc')
    const root = await storeOf(port, logins.get('root')!, 'authentication')
    await root.catalog.createTable(tableDescriptor(TABLE, [familyDescriptor('f')]), [], OWN_CALL)
    const batch = new MutationBatch()
    for (let row = 0; row < ROWS; row++) {
      batch.put(Buffer.from(`r${row}`), Buffer.from('f'), Buffer.from('q'), Buffer.from('a value'))
      batch.endMutation()
    }
    expect(await root.rows.mutate(TABLE, batch, OWN_CALL)).toEqual([])
    const [first] = await root.catalog.regions(TABLE, OWN_CALL)
    region = first!.name
    await root.close()
  }, 120_000)

  afterAll(async () => {
    await server?.stop()
    await behind?.stop()
  })

  test.each(PROTECTIONS)(
    'tickets and tokens with %s',
    async (protection) => {
      const talks = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => ticketTalk(port, 'alice', protection)),
      )
      for (const talk of talks) expect(await whoAmI(talk)).toEqual(['alice', 'KERBEROS'])
      const { token } = fromBinary(
        GetAuthenticationTokenResponseSchema,
        await asked(talks[0]!, 'GetAuthenticationToken'),
      )
      const [username, password] = [token!.identifier, token!.password].map((bytes) =>
        Buffer.from(bytes).toString('base64'),
      ) as [string, string]
      for (let connection = 0; connection < CONNECTIONS; connection++) {
        const exchange = new DigestMd5Client({ username, password, protections: [protection] })
        const talk = await talkOf(port, AuthCode.digest, exchange)
        expect(await whoAmI(talk)).toEqual(['alice', 'TOKEN'])
        await expect(asked(talk, 'GetAuthenticationToken')).rejects.toThrow('only allowed for Kerberos')
        talk.close()
      }
      for (const talk of talks) talk.close()
    },
    30_000,
  )

  test.each(PROTECTIONS)(
    'a scanner goes on at every connection of its user, with %s, and at none of others',
    async (protection) => {
      const talks = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => ticketTalk(port, 'root', protection)),
      )
      const others = await Promise.all(
        Array.from({ length: CONNECTIONS }, () => ticketTalk(port, 'bob', protection)),
      )
      const { scannerId } = await scan(talks[0]!, undefined, region)
      for (const talk of others) await expect(scan(talk, scannerId)).rejects.toThrow(/scanner|Scanner/)
      for (const talk of talks) await scan(talk, scannerId)
      for (const talk of [...talks, ...others]) talk.close()
    },
    30_000,
  )

  test('a user without permissions reads nothing, at any thread', async () => {
    const talks = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => ticketTalk(port, 'bob', 'privacy')),
    )
    for (const talk of talks) {
      const answer = scan(talk, undefined, region).then(
        () => 'served',
        (error: unknown) => String(error),
      )
      if (workers[0] === '--threads') expect(await answer).toContain('Insufficient permissions')
      else expect(await answer).toBe('served')
      talk.close()
    }
  }, 30_000)
})
