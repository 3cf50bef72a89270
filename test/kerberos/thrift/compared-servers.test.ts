/**
 * HBase's own secure Thrift servers and Tidegate's door, asked the same. The servers have the protection of TIDEGATE_THRIFT_PROTECTION, which is
 * authentication by default.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEFAULT_SERVER_LIMITS } from '../../../adapters/servers/requests/server-options.ts'
import { SERVER_TIME } from '../../../adapters/servers/requests/server-time.ts'
import { openThriftStore } from '../../../adapters/servers/thrift/open-thrift-store.ts'
import type { KerberosLogin } from '../../../src/kerberos/kerberos.ts'
import { cellsOf } from '../../../src/model/cell-block.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import type { HBaseError } from '../../../src/model/errors.ts'
import { MutationBatch } from '../../../src/model/mutation.ts'
import { get } from '../../../src/model/query.ts'
import { gathered } from '../../../src/model/results.ts'
import { parseTableName, type TableName } from '../../../src/model/table-name.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { PROTECTIONS, type Protection } from '../../../src/wire/sasl/sasl.ts'
import { type Answer, GssapiClient, saslBytes } from '../../doors/thrift/transport/gssapi-client.ts'
import { RawClient } from '../../doors/thrift/transport/raw-client.ts'
import { runKerberosClient } from '../../harness/kerberos/kerberos-client.ts'
import { runningHBase } from '../../harness/kerberos/running-parts.ts'
import { securedClientSettings } from '../../harness/kerberos/secured-hbase.ts'
import { happybase, KerberosDoors, keytabIn, RealmVariables, VALUE_BYTES } from './kerberos-thrift.ts'

const { realm, ports } = runningHBase()
const PROTECTION = (process.env['TIDEGATE_THRIFT_PROTECTION'] ?? 'authentication') as Protection
const TARGET = `thrift/localhost@${realm.realm}`
const USER = 'th-alice'
const TABLE = 'thrifty'
const RUN_MS_MAX = 120_000

let folder: string
let variables: RealmVariables
let doors: KerberosDoors | undefined
let login: KerberosLogin | undefined
let cache: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'thrift-compared-'))
  variables = new RealmVariables(realm)
  cache = join(folder, 'alice.cache')
  const keytab = keytabIn(folder, 'alice')
  await realm.addPrincipal(USER, { keytab })
  await realm.kinit(cache, USER, { keytab })
  doors = await KerberosDoors.open(TARGET, join(realm.folder, 'thrift.localhost.keytab'), [PROTECTION])
  login = await doors.kerberos.logIn({ principal: `${USER}@${realm.realm}`, keytab })
  const table = tableDescriptor(parseTableName(TABLE), [familyDescriptor('f')])
  await doors.with(PROTECTION).store.catalog.createTable(table, [], OWN_CALL)
  const superuser = { principal: 'hbase/localhost', keytab: join(realm.folder, 'hbase.localhost.keytab') }
  const steps = [`create ${TABLE} f`, `grant ${USER} RWC ${TABLE}`]
  await runKerberosClient(realm, {
    login: superuser,
    settings: securedClientSettings(realm, ports.zookeeper),
    steps,
  })
}, 300_000)

afterAll(async () => {
  login?.close()
  await doors?.close()
  variables.restore()
  rmSync(folder, { recursive: true, force: true })
})

function own(): number {
  return doors!.with(PROTECTION).first.thrift.port
}

test(
  'happybase gets the same answers',
  async () => {
    const run = { service: 'thrift', table: TABLE }
    const real = await happybase(realm, cache, { ...run, port: ports.thrift1 })
    expect(await happybase(realm, cache, { ...run, port: own() })).toEqual(real)
    expect(real).toMatchObject({ rows: 300, large: VALUE_BYTES.map(() => true) })
  },
  RUN_MS_MAX,
)

/** The answers of Thrift 2 to writes, reads, scans and errors. */
async function secondsAnswers(port: number): Promise<unknown[]> {
  const store = openThriftStore({
    endpoint: { host: '127.0.0.1', port },
    ticket: { login: login!, target: TARGET, protections: [PROTECTION] },
    limits: { ...DEFAULT_SERVER_LIMITS, retriesMax: 0 },
    time: SERVER_TIME,
    transport: 'buffered',
  })
  try {
    const [table, family] = [parseTableName(TABLE), Buffer.from('f')]
    const batch = new MutationBatch()
    for (const [row, bytes] of [['two-a', 1] as const, ['two-b', 3_000_000] as const]) {
      batch.put(Buffer.from(row), family, Buffer.from('q'), Buffer.alloc(bytes, row), 7n)
      batch.endMutation()
    }
    const questions = ['two-a', 'two-b', 'two-c'].map((row) => get(Buffer.from(row)))
    const read = async (name: TableName): Promise<unknown> => {
      const results = await store.rows.get(name, questions, { bytes: 1e8 }, OWN_CALL)
      return cellsOf(gathered(results).cells).map(({ row, value }) => [row.toString(), value.toString()])
    }
    return [
      await store.rows.mutate(table, batch, OWN_CALL),
      await read(table),
      await read(parseTableName('missing')).catch((error: HBaseError) => error.code),
      (await store.catalog.table(table, OWN_CALL)).families.length,
    ]
  } finally {
    await store.close()
  }
}

test(
  'calls of Thrift 2 get the same answers',
  async () => {
    const real = await secondsAnswers(ports.thrift2)
    expect(await secondsAnswers(own())).toEqual(real)
    expect(real[1]).toHaveLength(2)
  },
  RUN_MS_MAX,
)

test(
  'a client that states another user is refused',
  async () => {
    const options = { authorization_id: 'th-bob' }
    const run = { service: 'thrift', table: TABLE, options }
    await expect(happybase(realm, cache, { ...run, port: ports.thrift1 })).rejects.toThrow(/Bad status: 3/)
    await expect(happybase(realm, cache, { ...run, port: own() })).rejects.toThrow(
      /is not allowed to impersonate th-bob/,
    )
  },
  RUN_MS_MAX,
)

/** The statuses of the answers to raw messages, until one refuses. HBase leaves the connection open then, Tidegate ends it. */
async function statusesOf(port: number, messages: readonly Buffer[]): Promise<number[]> {
  const raw = await RawClient.open(port)
  raw.send(Buffer.concat(messages))
  await raw.until(() => statusesIn(raw.received).some((status) => status === 3 || status === 4))
  raw.socket.destroy()
  return statusesIn(raw.received)
}

function statusesIn(received: Buffer): number[] {
  const found: number[] = []
  for (let at = 0; at + 5 <= received.length; at += 5 + received.readInt32BE(at + 1))
    found.push(received[at]!)
  return found
}

async function statusesOfLogin(port: number): Promise<number[]> {
  const client = await GssapiClient.open(port, login!.saslClient(TARGET, PROTECTIONS))
  client.close()
  return client.answers.map(({ status }: Answer) => status)
}

const START = saslBytes(1, 'GSSAPI')
const REFUSED: readonly (readonly [string, readonly Buffer[]])[] = [
  ['another mechanism', [saslBytes(1, 'DIGEST-MD5')]],
  ['a token of no mechanism', [START, saslBytes(2, 'garbage')]],
]

describe.each(['thrift1', 'thrift2'] as const)('of HBase’s %s', (name) => {
  test.each(REFUSED)(
    '%s is refused by the same statuses',
    async (_, messages) => {
      expect(await statusesOf(own(), messages)).toEqual(await statusesOf(ports[name], messages))
    },
    RUN_MS_MAX,
  )

  test(
    'a login has the same statuses',
    async () => {
      expect(await statusesOfLogin(own())).toEqual(await statusesOfLogin(ports[name]))
    },
    RUN_MS_MAX,
  )

  test.each(PROTECTIONS.filter((each) => each !== PROTECTION))(
    'a client that takes %s alone finds no offer',
    async (protection) => {
      for (const port of [ports[name], own()])
        await expect(GssapiClient.open(port, login!.saslClient(TARGET, [protection]))).rejects.toThrow(
          /protection/,
        )
    },
    RUN_MS_MAX,
  )
})
