/** Unmodified Java clients of HTTP with keytabs at the built server: Hadoop's AuthenticatedURL, HBase's REST client, Hadoop's TimelineClient. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packageRoot } from '../../../src/package-root.ts'
import type { ChildServer } from '../../harness/child-server.ts'
import { runKerberosJava } from '../../harness/kerberos/kerberos-client.ts'
import type { KerberosRealm } from '../../harness/kerberos/kerberos-realm.ts'
import { startKerberosTidegate } from '../../harness/kerberos/kerberos-tidegate.ts'
import { runningRealm } from '../../harness/kerberos/running-parts.ts'
import { resolveJars } from '../../harness/real-hbase/jars.ts'
import { timelineJars } from '../../harness/real-timeline/real-timeline.ts'

const RUN_MS_MAX = 240_000
const KERBEROS = { 'hadoop.security.authentication': 'kerberos', 'hbase.rest.client.max.retries': 1 }
const RULES = [
  '--authorization',
  'true',
  '--superuser',
  'jh-alice',
  '--proxy-user',
  'jh-hue for * from 127.0.0.1,::1',
]

const source = (path: string): string => fileURLToPath(new URL(`test/clients/${path}`, packageRoot()))

let folder: string
let realm: KerberosRealm
let server: ChildServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kerberos-http-java-'))
  realm = runningRealm()
  for (const user of ['jh-alice', 'jh-bob', 'jh-hue'])
    await realm.addPrincipal(user, { keytab: join(folder, user) })
  server = await startKerberosTidegate(realm, folder, '--timeline', '0', ...RULES)
}, RUN_MS_MAX)
afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

async function run(program: string, jars: string, ...args: readonly string[]): Promise<string[]> {
  const { code, stdout, stderr } = await runKerberosJava(realm, {
    settings: KERBEROS,
    jars,
    args: [source(program), ...args],
    environment: { KRB5CCNAME: '/no-tickets' },
  })
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${stdout}\n${stderr.slice(-3000)}`)
  return stdout.trimEnd().split('\n')
}

const rest = (user: string, ...more: readonly string[]): Promise<string[]> =>
  run(
    'java-kerberos/RestLogins.java',
    resolveJars(undefined),
    `${user}@${realm.realm}`,
    join(folder, user),
    String(server.port('rest')),
    'jh',
    ...more,
  )

const OF_CLIENT = [
  'put: 200',
  'post: 200',
  'get: v1',
  `get large: ${1 << 20}`,
  'head: 200',
  'delete: 200',
  'missing: 404',
]
const BY_URL = ['url: 200 true true', 'url: 200 true true', 'url: 200 true true']

test(
  "HBase's client of REST and Hadoop's AuthenticatedURL log in, by a keytab, and have their user's rights",
  async () => {
    expect(await rest('jh-alice')).toEqual([...BY_URL, 'create: 201', ...OF_CLIENT])
    const [, , , created, put, , got] = await rest('jh-bob')
    expect([created, put, got]).toEqual([
      'create: 403',
      'put: 403',
      expect.stringMatching(/Forbidden|AccessDenied/),
    ])
  },
  RUN_MS_MAX,
)

test(
  "HBase's client of REST acts for another user by the rules",
  async () => {
    expect((await rest('jh-hue', 'jh-alice')).slice(4)).toEqual(OF_CLIENT)
    expect((await rest('jh-bob', 'jh-alice'))[4]).toBe('put: 403')
  },
  RUN_MS_MAX,
)

test(
  "Hadoop's TimelineClient puts by a keytab and by a delegation token, until the token is cancelled",
  async () => {
    const lines = await run(
      'timeline/TimelineLogins.java',
      timelineJars(),
      `jh-alice@${realm.realm}`,
      join(folder, 'jh-alice'),
      String(server.port('timeline')),
    )
    expect(lines.slice(0, 6)).toEqual([
      'put: 0 errors',
      'put again: 0 errors',
      'token: jh-alice jh-alice 7 true TIMELINE_DELEGATION_TOKEN',
      'put by token: 0 errors',
      'renew: true',
      'cancel: ok',
    ])
    expect(lines[6]).toMatch(/^put by cancelled token: .*(401|403|cancel|not found|cannot be found)/i)
  },
  RUN_MS_MAX,
)
