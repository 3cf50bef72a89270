/** Delegation tokens of Tidegate for HBase's Java client: a program with a keytab gets one, and another program with the token alone reads and writes. */

import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/package-root.ts'
import { PROTECTIONS, type Protection } from '../../src/wire/sasl/sasl.ts'
import { ChildServer } from '../harness/child-server.ts'
import { runKerberosClient } from '../harness/kerberos/kerberos-client.ts'
import { runningRealm } from '../harness/kerberos/running-parts.ts'

const realm = runningRealm()
const RUN_MS_MAX = 120_000
const TIDEGATE = fileURLToPath(new URL('dist/src/cli/main.js', packageRoot()))

let folder: string
let server: ChildServer
let alice: { readonly principal: string; readonly keytab: string }
let proxy: { readonly principal: string; readonly keytab: string }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'delegation-'))
  alice = { principal: 'dt-alice', keytab: join(folder, 'alice.keytab') }
  proxy = { principal: 'dt-oozie', keytab: join(folder, 'oozie.keytab') }
  const service = join(folder, 'service.keytab')
  await realm.addPrincipal('dthbase/localhost', { keytab: service })
  for (const { principal, keytab } of [alice, proxy]) await realm.addPrincipal(principal, { keytab })
  server = await start(service)
  const made = await runClient(alice, ['create dt f', 'put dt r0 f:q v0'])
  expect(made).toEqual(['ok', 'ok'])
}, RUN_MS_MAX)

afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

function start(service: string): Promise<ChildServer> {
  process.env['KRB5_CONFIG'] = realm.configuration
  process.env['KRB5RCACHEDIR'] = realm.folder
  return ChildServer.start(TIDEGATE, [
    'serve',
    `--store=native:${join(folder, 'data')}`,
    '--rpc=0',
    '--rest=off',
    '--thrift=off',
    '--web=off',
    '--zookeeper=0',
    `--kerberos-service-keytab=${service}`,
    '--kerberos-service-principal=dthbase/localhost',
    '--proxy-user=dt-oozie for dt-alice from *',
    `--audit-log=${join(folder, 'audit.log')}`,
    '--advertise=localhost',
  ])
}

function runClient(
  login: Parameters<typeof runKerberosClient>[1]['login'],
  steps: readonly string[],
  protection: Protection = 'authentication',
): Promise<string[]> {
  const principal = `dthbase/localhost@${realm.realm}`
  const settings = {
    'hadoop.security.authentication': 'kerberos',
    'hbase.security.authentication': 'kerberos',
    'hbase.master.kerberos.principal': principal,
    'hbase.regionserver.kerberos.principal': principal,
    'hbase.rpc.protection': protection,
    // By a registry of native RPC this release asks without a login first, and then never logs in: SaslClientAuthenticationProviders keeps the first setting.
    'hbase.client.registry.impl': 'org.apache.hadoop.hbase.client.ZKConnectionRegistry',
    'hbase.zookeeper.quorum': '127.0.0.1',
    'hbase.zookeeper.property.clientPort': server.port('zookeeper'),
  }
  return runKerberosClient(realm, { login, settings, steps })
}

describe.each(PROTECTIONS)('with the protection %s', (protection) => {
  test(
    'a program with a token alone reads and writes as the user of the ticket',
    async () => {
      const tokens = join(folder, `${protection}.tokens`)
      const saved = await runClient(alice, ['whoami', `save ${tokens}`], protection)
      expect(saved[0]).toBe('ok dt-alice KERBEROS')
      expect(saved[1]).toMatch(/^ok HBASE_AUTH_TOKEN [0-9a-f-]{36} dt-alice$/)
      const steps = [
        'whoami',
        `put dt ${protection} f:q v`,
        `get dt ${protection}`,
        'retoken',
        'as dt-bob get dt r0',
      ]
      const answers = await runClient({ tokens }, steps, protection)
      expect(answers.slice(0, 3)).toEqual(['ok dt-alice TOKEN', 'ok', `ok ${protection}=v`])
      expect(answers[3]).toContain(
        'AccessDeniedException: Token generation only allowed for Kerberos authenticated clients',
      )
      expect(answers[4]).not.toMatch(/^ok/)
    },
    RUN_MS_MAX,
  )
})

test(
  'a proxy gets a token of its user',
  async () => {
    const answers = await runClient(proxy, [
      'as dt-alice token whoami',
      'as dt-alice whoami',
      'as dt-bob whoami',
    ])
    expect(answers.slice(0, 2)).toEqual(['ok dt-alice TOKEN', 'ok dt-alice PROXY'])
    expect(answers[2]).not.toMatch(/^ok/)
  },
  RUN_MS_MAX,
)

test(
  'a token counts after a restart, and no more once its key is gone; the keys are in no table and in no log',
  async () => {
    const tokens = join(folder, 'restart.tokens')
    await runClient(alice, [`save ${tokens}`])
    await server.stop()
    server = await start(join(folder, 'service.keytab'))
    expect(await runClient({ tokens }, ['get dt r0'])).toEqual(['ok r0=v0'])
    const keys = join(folder, 'data', 'delegation-keys')
    const [name] = readdirSync(keys)
    const { secret } = JSON.parse(readFileSync(join(keys, name!), 'utf8')) as { secret: string }
    for (const path of filesBelow(join(folder, 'data'))) {
      if (path.startsWith(keys)) continue
      const bytes = readFileSync(path)
      expect(bytes.includes(secret) || bytes.includes(Buffer.from(secret, 'base64')), path).toBe(false)
    }
    expect(existsSync(join(folder, 'audit.log'))).toBe(true)
    expect(readFileSync(join(folder, 'audit.log'), 'utf8')).not.toContain(secret)
    rmSync(join(keys, name!))
    await server.stop()
    server = await start(join(folder, 'service.keytab'))
    const [refused] = await runClient({ tokens }, ['get dt r0'])
    // The client's last attempt is at a server that it holds for dead.
    expect(refused).toContain('Exception: ')
    expect(readFileSync(join(folder, 'audit.log'), 'utf8')).toContain('Unknown master key for token (id=1)')
  },
  RUN_MS_MAX,
)

function filesBelow(path: string): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}
