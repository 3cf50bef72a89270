/** Programs of others, unchanged, that log in to Thrift with tickets of a real KDC, with each protection. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { familyDescriptor, tableDescriptor } from '../../../src/model/descriptor.ts'
import { parseTableName } from '../../../src/model/table-name.ts'
import { packageRoot } from '../../../src/package-root.ts'
import { OWN_CALL } from '../../../src/store/call.ts'
import { PROTECTIONS, type Protection } from '../../../src/wire/sasl/sasl.ts'
import { mavenJars } from '../../harness/client-transcripts/maven-jars.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { kerberosPython } from '../../harness/kerberos/kerberos-python.ts'
import { resolveJars } from '../../harness/real-hbase/jars.ts'
import {
  happybase,
  KerberosDoors,
  keytabIn,
  printedWith,
  RealmVariables,
  VALUE_BYTES,
} from './kerberos-thrift.ts'

let folder: string
let kdc: Kdc
let variables: RealmVariables | undefined
let doors: KerberosDoors | undefined
let cache: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'thrift-kerberos-'))
  kdc = await Kdc.start()
  variables = new RealmVariables(kdc)
  const keytab = keytabIn(folder, 'service')
  cache = join(folder, 'alice.cache')
  await kdc.addPrincipal('alice', { password: 'a secret' })
  await kdc.addPrincipal('hbase/localhost', { keytab })
  await kdc.kinit(cache, 'alice', { password: 'a secret' })
  doors = await KerberosDoors.open('hbase/localhost@TIDEGATE.TEST', keytab, PROTECTIONS)
  kerberosPython()
}, 300_000)

afterAll(async () => {
  await doors?.close()
  await kdc?.close()
  variables?.restore()
  rmSync(folder, { recursive: true, force: true })
})

function portOf(protection: Protection): number {
  return doors!.with(protection).first.thrift.port
}

const QOPS: Readonly<Record<Protection, string>> = {
  authentication: 'auth',
  integrity: 'auth-int',
  privacy: 'auth-conf',
}

describe.each(PROTECTIONS)('with %s', (protection) => {
  test('happybase with thrift_sasl and pure-sasl', async () => {
    const answers = await happybase(kdc, cache, { port: portOf(protection) })
    expect(answers).toMatchObject({
      value: 'value',
      large: VALUE_BYTES.map(() => true),
      rows: 300,
      wide: 6_000_000,
      last: '299',
      missing: 'IOError',
    })
    expect(answers['qop']).toContain(QOPS[protection])
  }, 60_000)

  test('the DemoClient of HBase, of both Thrift services', async () => {
    const pom = fileURLToPath(new URL('test/clients/java-login/pom.xml', packageRoot()))
    const folders = [resolveJars(), mavenJars('login-2.6.1', pom)]
    const { store } = doors!.with(protection)
    const example = tableDescriptor(parseTableName('example'), [familyDescriptor('family1')])
    await store.catalog.createTable(example, [], OWN_CALL)
    const java = [
      '-Xmx256m',
      `-Djava.security.krb5.conf=${kdc.configuration}`,
      '-cp',
      folders.map((jars) => join(jars, '*')).join(':'),
    ]
    const args = ['localhost', String(portOf(protection)), 'true']
    const ofFirst = await printedWith(kdc, cache, 'java', [
      ...java,
      'org.apache.hadoop.hbase.thrift.DemoClient',
      ...args,
    ])
    expect(ofFirst).toContain('creating table: demo_table')
    // Changes within a millisecond are one version.
    expect(ofFirst).toMatch(/row: 00040, values: 40; (?:-1; )?0;/)
    expect(ofFirst).toContain('Scanner finished')
    const ofSecond = await printedWith(kdc, cache, 'java', [
      ...java,
      'org.apache.hadoop.hbase.thrift2.DemoClient',
      ...args,
    ])
    expect(ofSecond).toContain('value1')
  }, 180_000)
})

test('a client that states a buffer of a few bytes gets values of any size', async () => {
  const answers = await happybase(kdc, cache, { port: portOf('privacy'), options: { max_buffer: 100 } })
  expect(answers['large']).toEqual(VALUE_BYTES.map(() => true))
})

test('a client without a ticket, and one that takes no protection of the server', async () => {
  const port = portOf('privacy')
  await expect(happybase(kdc, join(folder, 'none'), { port })).rejects.toThrow(
    /[Nn]o credentials|No Kerberos/,
  )
  await expect(happybase(kdc, cache, { port, options: { qops: ['auth'] } })).rejects.toThrow(/qop|QOP/)
})
