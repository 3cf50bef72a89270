import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROTECTIONS } from '../../src/wire/sasl/sasl.ts'
import { runKerberosClient } from '../harness/kerberos/kerberos-client.ts'
import { runningHBase } from '../harness/kerberos/running-parts.ts'
import { securedClientSettings } from '../harness/kerberos/secured-hbase.ts'

const { realm, ports } = runningHBase()
const RUN_MS_MAX = 90_000
const SUPERUSER = { principal: 'hbase/localhost', keytab: join(realm.folder, 'hbase.localhost.keytab') }

let folder: string
let alice: { readonly principal: string; readonly keytab: string }
let bob: { readonly cache: string }

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secured-hbase-'))
  alice = { principal: 'hb-alice', keytab: join(folder, 'alice.keytab') }
  await realm.addPrincipal('hb-alice', { keytab: alice.keytab })
  await realm.addPrincipal('hb-bob', { password: 'a secret' })
  bob = { cache: join(folder, 'bob.cache') }
  await realm.kinit(bob.cache, 'hb-bob', { password: 'a secret' })
  const steps = ['create hbt f', 'grant hb-alice RW hbt']
  const settings = securedClientSettings(realm, ports.zookeeper)
  const made = await runKerberosClient(realm, { login: SUPERUSER, settings, steps })
  expect(made).toEqual(steps.map(() => 'ok'))
}, RUN_MS_MAX)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function deniedTo(user: string): string {
  return `AccessDeniedException: Insufficient permissions for user '${user}'`
}

/** What curl prints of an answer to the user of the cache: the body, and the status as its last line. */
async function curl(cache: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...realm.environment, KRB5CCNAME: cache }
  const all = ['-s', '-w', '\n%{http_code}', '--negotiate', '-u', ':', ...args]
  return (await promisify(execFile)('curl', all, { env })).stdout
}

describe('a real HBase with Kerberos', () => {
  test.each(PROTECTIONS)(
    'serves the Java client under the protection %s: its user, its token, and no user without a right',
    async (protection) => {
      const settings = securedClientSettings(realm, ports.zookeeper, protection)
      const steps = ['whoami', 'put hbt r1 f:q v1', 'get hbt r1', 'token get hbt r1', 'as hb-bob get hbt r1']
      const answers = await runKerberosClient(realm, { login: alice, settings, steps })
      expect(answers.slice(0, 4)).toEqual(['ok hb-alice KERBEROS', 'ok', 'ok r1=v1', 'ok r1=v1'])
      // HBase logs the reason and hangs up.
      expect(answers[4]).toBe('ConnectionClosedException: Connection closed')
      const denied = await runKerberosClient(realm, { login: bob, settings, steps: ['get hbt r1'] })
      expect(denied[0]).toContain(deniedTo('hb-bob'))
    },
    RUN_MS_MAX,
  )

  test(
    'lets a gateway act as its users, with their rights',
    async () => {
      const settings = securedClientSettings(realm, ports.zookeeper)
      const steps = [
        'as hb-alice put hbt r3 f:q v3',
        'as hb-alice get hbt r3',
        'as hb-bob get hbt r3',
        'get hbt r3',
      ]
      const gateway = { principal: 'rest/localhost', keytab: join(realm.folder, 'rest.localhost.keytab') }
      const answers = await runKerberosClient(realm, { login: gateway, settings, steps })
      expect(answers.slice(0, 2)).toEqual(['ok', 'ok r3=v3'])
      expect(answers[2]).toContain(deniedTo('hb-bob'))
      expect(answers[3]).toContain(deniedTo('rest'))
    },
    RUN_MS_MAX,
  )

  test(
    'serves curl with a ticket through its REST server, as the user and as no other',
    async () => {
      const cache = join(folder, 'alice.cache')
      await realm.kinit(cache, 'hb-alice', alice)
      const url = `http://localhost:${ports.rest}/hbt/r2/f:q`
      const body = ['-X', 'PUT', '-H', 'Content-Type: application/octet-stream', '--data-binary', 'v2']
      expect(await curl(cache, ...body, url)).toBe('\n200')
      expect(await curl(cache, '-H', 'Accept: application/octet-stream', url)).toBe('v2\n200')
      expect(await curl(bob.cache, url)).toMatch(/\n403$/)
      expect(await curl(join(folder, 'none'), url)).toMatch(/\n401$/)
    },
    RUN_MS_MAX,
  )
})
