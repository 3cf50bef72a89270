/** Programs of others, unchanged, that log in to Thrift with tickets of a real KDC, with each protection. */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Guard } from '../../../src/gateway/identity/guard/guard.ts'
import type { KerberosLogins } from '../../../src/gateway/identity/guard/kerberos-logins.ts'
import { openKerberos } from '../../../src/kerberos/gss/open-kerberos.ts'
import type { Kerberos, KerberosService } from '../../../src/kerberos/kerberos.ts'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { packageRoot } from '../../../src/package-root.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { PROTECTIONS, type Protection } from '../../../src/wire/sasl/sasl.ts'
import { mavenJars } from '../../harness/client-transcripts/maven-jars.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { kerberosPython } from '../../harness/kerberos/kerberos-python.ts'
import { resolveJars } from '../../harness/real-hbase/jars.ts'
import { type GuardedDoors, openGuardedDoors } from '../../security/guarded-doors.ts'

const execute = promisify(execFile)
const SECONDS = 1000

let folder: string
let kdc: Kdc
let kerberos: Kerberos
let service: KerberosService
let environment: Readonly<Record<string, string | undefined>> = {}
let python: string
const servers = new Map<Protection, GuardedDoors>()

const cache = (): string => join(folder, 'alice.cache')
const keytab = (name: string): string => join(folder, `${name}.keytab`)

function loginsWith(protection: Protection): KerberosLogins {
  return {
    serviceAt: () => service,
    protectionsAt: () => [protection],
    userOf: (principal) => principal.replace(/[/@].*/, ''),
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'thrift-kerberos-'))
  kdc = await Kdc.start()
  environment = Object.fromEntries(Object.keys(kdc.environment).map((name) => [name, process.env[name]]))
  Object.assign(process.env, kdc.environment)
  await kdc.addPrincipal('alice', { keytab: keytab('alice') })
  await kdc.addPrincipal('hbase/localhost', { keytab: keytab('service') })
  await kdc.kinit(cache(), 'alice', { keytab: keytab('alice') })
  kerberos = openKerberos()
  service = await kerberos.accept({ principal: 'hbase/localhost@TIDEGATE.TEST', keytab: keytab('service') })
  for (const protection of PROTECTIONS) {
    const logger = pino({ level: 'silent' })
    const guard = new Guard({ certificates: false }, logger, { kerberos: loginsWith(protection) })
    servers.set(protection, await openGuardedDoors({ context: () => ({ guard }) }))
  }
  python = kerberosPython()
}, 300 * SECONDS)

afterAll(async () => {
  for (const server of servers.values()) await server.close()
  service?.close()
  await kerberos?.close()
  await kdc?.close()
  for (const [name, value] of Object.entries(environment))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  rmSync(folder, { recursive: true, force: true })
})

/** What the program prints, with alice's ticket or another cache. Rejects with its errors. */
async function printed(program: string, args: readonly string[], ofCache = cache()): Promise<string> {
  const env = { ...process.env, ...kdc.environment, KRB5CCNAME: `FILE:${ofCache}` }
  const { stdout } = await execute(program, args, { env, timeout: 120 * SECONDS, maxBuffer: 1 << 24 })
  return stdout
}

function happybase(protection: Protection, options: object = {}, ofCache?: string): Promise<string> {
  const file = fileURLToPath(new URL('test/kerberos/thrift/happybase_client.py', packageRoot()))
  const port = String(servers.get(protection)!.first.thrift.port)
  return printed(python, [file, port, JSON.stringify(options)], ofCache)
}

const QOPS: Readonly<Record<Protection, string>> = {
  authentication: 'auth',
  integrity: 'auth-int',
  privacy: 'auth-conf',
}

describe.each(PROTECTIONS)('with %s', (protection) => {
  test('happybase with thrift_sasl and pure-sasl', async () => {
    const answers = JSON.parse(await happybase(protection)) as Record<string, unknown>
    expect(answers).toMatchObject({
      tables: ['t'],
      value: 'value',
      large: 50_000,
      rows: 300,
      last: '299',
      missing: 'IOError',
    })
    expect(answers['qop']).toContain(QOPS[protection])
  }, 60_000)

  test('the DemoClient of HBase, of both Thrift services', async () => {
    const pom = fileURLToPath(new URL('test/clients/java-login/pom.xml', packageRoot()))
    const folders = [resolveJars(), mavenJars('login-2.6.1', pom)]
    const { first, store } = servers.get(protection)!
    const example = tableDescriptor(parseTableName('example'), [familyDescriptor('family1')])
    await store.catalog.createTable(example, [], OWN_CALL)
    const java = [
      '-Xmx256m',
      `-Djava.security.krb5.conf=${kdc.configuration}`,
      '-cp',
      folders.map((jars) => join(jars, '*')).join(':'),
    ]
    const args = ['localhost', String(first.thrift.port), 'true']
    const ofFirst = await printed('java', [...java, 'org.apache.hadoop.hbase.thrift.DemoClient', ...args])
    expect(ofFirst).toContain('creating table: demo_table')
    expect(ofFirst).toContain('row: 00040, values: 40; -1; 0;')
    expect(ofFirst).toContain('Scanner finished')
    const ofSecond = await printed('java', [...java, 'org.apache.hadoop.hbase.thrift2.DemoClient', ...args])
    expect(ofSecond).toContain('value1')
  }, 180_000)
})

test('a client that states a larger buffer gets values of any size', async () => {
  const options = { max_buffer: 16_777_215 }
  const answers = JSON.parse(await happybase('privacy', options)) as Record<string, unknown>
  expect(answers['large']).toBe(3_000_000)
})

test('a client without a ticket, and one that takes no protection of the server', async () => {
  await expect(happybase('privacy', {}, join(folder, 'none'))).rejects.toThrow(
    /[Nn]o credentials|No Kerberos/,
  )
  await expect(happybase('privacy', { qops: ['auth'] })).rejects.toThrow(/qop|QOP/)
})
