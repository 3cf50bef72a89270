import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROTECTIONS } from '../../src/wire/sasl/sasl.ts'
import { runningHBase } from '../harness/kerberos/running-parts.ts'
import { deniedTo, HUNG_UP, NO_REGISTRY, Scenario } from './clients/scenario.ts'

const { realm, ports } = runningHBase()
const RUN_MS_MAX = 90_000

let folder: string
let scenario: Scenario

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'secured-hbase-'))
  scenario = await Scenario.start({ realm, zookeeperPort: ports.zookeeper, folder }, 'hb')
}, RUN_MS_MAX)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The text that curl prints of an answer to the user of the cache: the body, and the status as its last line. */
async function curl(cache: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...realm.environment, KRB5CCNAME: cache }
  const all = ['-s', '-w', '\n%{http_code}', '--negotiate', '-u', ':', ...args]
  return (await promisify(execFile)('curl', all, { env })).stdout
}

describe('a real HBase with Kerberos', () => {
  test.each(PROTECTIONS)(
    'serves the Java client under the protection %s: its user, its token, and no other user',
    async (protection) => {
      expect(await scenario.answers(protection)).toEqual(scenario.expected)
    },
    RUN_MS_MAX,
  )

  test(
    'refuses users without a right, of another realm, and without a login',
    async () => {
      expect((await scenario.denied())[0]).toContain(deniedTo('hb-bob'))
      expect((await scenario.ofOtherRealm())[0]).toMatch(HUNG_UP)
      expect((await scenario.withoutLogin())[0]).toMatch(HUNG_UP)
    },
    RUN_MS_MAX,
  )

  test(
    'has no login for the Java client of 2.6.1 that asks a region server for the cluster',
    async () => {
      expect((await scenario.byRpcRegistry(ports.regionServer))[0]).toContain(NO_REGISTRY)
    },
    RUN_MS_MAX,
  )

  test(
    'lets a gateway act as its users, with their rights',
    async () => {
      const answers = await scenario.asGateway()
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
      await realm.kinit(cache, 'hb-alice', { keytab: join(folder, 'hb-alice.keytab') })
      const url = `http://localhost:${ports.rest}/hb/r2/f:q`
      const body = ['-X', 'PUT', '-H', 'Content-Type: application/octet-stream', '--data-binary', 'v2']
      expect(await curl(cache, ...body, url)).toBe('\n200')
      expect(await curl(cache, '-H', 'Accept: application/octet-stream', url)).toBe('v2\n200')
      expect(await curl(join(folder, 'hb-bob'), url)).toMatch(/\n403$/)
      expect(await curl(join(folder, 'none'), url)).toMatch(/\n401$/)
    },
    RUN_MS_MAX,
  )
})
