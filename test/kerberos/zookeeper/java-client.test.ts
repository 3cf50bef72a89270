/** ZooKeeper's own command line with a JAAS section `Client`, which gives up at a server that takes no login. */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChildServer } from '../../harness/child-server.ts'
import { kerberosJavaOptions } from '../../harness/kerberos/java-options.ts'
import { Kdc } from '../../harness/kerberos/kdc.ts'
import { jaasText } from '../../harness/kerberos/secured-zookeeper.ts'
import { resolveJars } from '../../harness/real-hbase/jars.ts'
import { startTidegate } from '../../harness/tidegate-process.ts'

let folder: string
let kdc: Kdc
let server: ChildServer
let environment: Readonly<Record<string, string | undefined>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'zookeeper-java-'))
  kdc = await Kdc.start()
  environment = Object.fromEntries(Object.keys(kdc.environment).map((name) => [name, process.env[name]]))
  Object.assign(process.env, kdc.environment)
  const keytab = join(folder, 'service.keytab')
  for (const principal of ['hbase/localhost', 'zookeeper/localhost'])
    await kdc.addPrincipal(principal, { keytab })
  await kdc.addPrincipal('alice', { keytab: join(folder, 'alice.keytab') })
  const principal = ['--kerberos-service-principal', 'hbase/localhost@TIDEGATE.TEST']
  server = await startTidegate('memory', '--kerberos-service-keytab', keytab, ...principal)
}, 120_000)

afterAll(async () => {
  await server?.stop()
  await kdc?.close()
  for (const [name, value] of Object.entries(environment ?? {}))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  rmSync(folder, { recursive: true, force: true })
})

test("a client that must log in reads the cluster's znodes", { timeout: 60_000 }, async () => {
  const jaas = join(folder, 'jaas.conf')
  writeFileSync(jaas, jaasText('Client', 'alice@TIDEGATE.TEST', join(folder, 'alice.keytab')))
  const { stdout } = await promisify(execFile)('java', [
    ...kerberosJavaOptions(kdc),
    `-Djava.security.auth.login.config=${jaas}`,
    '-cp',
    `${resolveJars()}/*`,
    'org.apache.zookeeper.ZooKeeperMain',
    '-server',
    `localhost:${server.port('zookeeper')}`,
    'ls',
    '/hbase',
  ])
  expect(stdout).toContain('state:SaslAuthenticated')
  expect(stdout).toMatch(/\[.*\bmeta-region-server\b.*\]/)
})
