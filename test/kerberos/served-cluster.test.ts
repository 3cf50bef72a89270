/** The built server in front of a secured HBase: logins by flags and by HBase's keys, each protection, several processes, its users' names. */

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { PROTECTIONS } from '../../src/wire/sasl/sasl.ts'
import type { ChildServer } from '../harness/child-server.ts'
import { runKerberosClient } from '../harness/kerberos/kerberos-client.ts'
import { runningHBase } from '../harness/kerberos/running-parts.ts'
import { securedClientSettings } from '../harness/kerberos/secured-hbase.ts'
import { MAIN, startTidegate } from '../harness/tidegate-process.ts'

const SECONDS = 1000
const { realm, ports } = runningHBase()
const TABLE = `sc${process.pid}`
const ALICE = `sc-alice-${process.pid}`
const GATEWAY = `tidegate/sc-${process.pid}`
const STORE = `hbase:127.0.0.1:${ports.zookeeper}/hbase`

let folder: string
let environment: Readonly<Record<string, string | undefined>> = {}
let server: ChildServer | undefined
const file = (name: string): string => join(folder, name)
const full = (name: string): string => `${name}@${realm.realm}`

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'served-cluster-'))
  environment = Object.fromEntries(Object.keys(realm.environment).map((name) => [name, process.env[name]]))
  Object.assign(process.env, realm.environment)
  await realm.addPrincipal(ALICE, { keytab: file('alice') })
  await realm.addPrincipal(GATEWAY, { keytab: file('gateway') })
  await realm.kinit(file('alice.cache'), ALICE, { keytab: file('alice') })
  await realm.kinit(file('gateway.cache'), GATEWAY, { keytab: file('gateway') })
  const login = { principal: 'hbase/localhost', keytab: join(realm.folder, 'hbase.localhost.keytab') }
  const steps = [`create ${TABLE} f`, `grant ${ALICE} RW ${TABLE}`]
  const settings = securedClientSettings(realm, ports.zookeeper)
  expect(await runKerberosClient(realm, { login, settings, steps })).toEqual(['ok', 'ok'])
}, 120 * SECONDS)

afterEach(async () => {
  await server?.stop()
  server = undefined
})

afterAll(() => {
  for (const [name, value] of Object.entries(environment))
    if (value === undefined) delete process.env[name]
    else process.env[name] = value
  rmSync(folder, { recursive: true, force: true })
})

const FLAGS = (): string[] => ['--kerberos-principal', full(GATEWAY), '--kerberos-keytab', file('gateway')]
const DOORS = (): string[] => ['--kerberos-service-keytab', join(realm.folder, 'HTTP.localhost.keytab')]

/** Puts a row through REST as the owner of the cache's ticket, and reads it. The statuses of both. */
async function putAndGet(row: string): Promise<readonly string[]> {
  const url = `http://localhost:${server!.port('rest')}/${TABLE}/${row}/f:q`
  const curl = async (...args: string[]): Promise<string> => {
    const all = ['-s', '-o', '/dev/null', '-w', '%{http_code}', '--negotiate', '-u', ':', ...args, url]
    const env = { ...process.env, KRB5CCNAME: `FILE:${file('alice.cache')}` }
    return (await promisify(execFile)('curl', all, { env })).stdout
  }
  return [await curl('-X', 'PUT', '-H', 'Content-Type: application/octet-stream', '-d', row), await curl()]
}

test.each(PROTECTIONS)(
  'clients’ users act on the cluster, with the protection %s',
  async (protection) => {
    const protecting = ['-D', `hbase.rpc.protection=${protection}`]
    server = await startTidegate(STORE, ...FLAGS(), ...DOORS(), ...protecting, '--cluster-user', 'proxy')
    expect(await putAndGet(`r-${protection}`)).toEqual(['200', '200'])
  },
  90 * SECONDS,
)

test(
  'processes each log in, by the keys of HBase’s REST server; a user without a right is refused by the cluster',
  async () => {
    const config = file('hbase-site.xml')
    const keys = {
      'hbase.security.authentication': 'kerberos',
      'hbase.zookeeper.quorum': `127.0.0.1:${ports.zookeeper}`,
      'hbase.regionserver.kerberos.principal': full('hbase/_HOST'),
      'hbase.rest.kerberos.principal': full(GATEWAY),
      'hbase.rest.keytab.file': file('gateway'),
    }
    const properties = Object.entries(keys).map(
      ([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`,
    )
    writeFileSync(config, `<configuration>${properties.join('')}</configuration>`)
    server = await startTidegate('hbase', '--config', config, '--processes', '2', ...DOORS())
    // The cluster sees the gateway, which has no right on the table.
    expect(await putAndGet('r-own')).toEqual(['403', '403'])
  },
  90 * SECONDS,
)

test(
  'commands log in to the cluster, by a ticket and by a keytab',
  async () => {
    const address = ['shell', '--address', `zookeeper:127.0.0.1:${ports.zookeeper}/hbase`]
    const count = ['-n', '-e', `count '${TABLE}'`]
    for (const login of [
      ['--kerberos-cache', `FILE:${file('alice.cache')}`],
      ['--kerberos-principal', full(ALICE), '--kerberos-keytab', file('alice')],
    ]) {
      const run = promisify(execFile)(process.execPath, [MAIN, ...address, ...login, ...count], {
        timeout: 60 * SECONDS,
      })
      expect((await run).stdout).toMatch(/\d row\(s\)/)
    }
  },
  90 * SECONDS,
)

test(
  'a server without a login says at its start, in /health and in each answer, that the cluster asks for Kerberos',
  async () => {
    server = await startTidegate(STORE)
    const health = `http://localhost:${server.port('web')}/health`
    await expect
      .poll(async () => (await fetch(health)).text())
      .toContain('the cluster asks for Kerberos: serve with --kerberos-principal')
    const begun = performance.now()
    const answer = await fetch(`http://localhost:${server.port('rest')}/${TABLE}/r/f:q`)
    expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('--kerberos-keytab')])
    expect(performance.now() - begun).toBeLessThan(10 * SECONDS)
  },
  90 * SECONDS,
)
