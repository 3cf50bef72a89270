/** Answers of Tidegate to HBase's Java client as several users: those of a real HBase in secured-hbase.test.ts. Releases and protections: test/kerberos/rpc. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChildServer } from '../../harness/child-server.ts'
import { startKerberosTidegate } from '../../harness/kerberos/kerberos-tidegate.ts'
import { runningRealm } from '../../harness/kerberos/running-parts.ts'
import { deniedTo, HUNG_UP, NO_REGISTRY, Scenario } from './scenario.ts'

const RUN_MS_MAX = 120_000
const RULES = ['--authorization', 'true', '--superuser', 'hbase', '--proxy-user', 'rest for * from 127.0.0.1']

let folder: string
let server: ChildServer
let scenario: Scenario

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kerberos-java-'))
  const realm = runningRealm()
  server = await startKerberosTidegate(realm, folder, ...RULES)
  scenario = await Scenario.start({ realm, zookeeperPort: server.port('zookeeper'), folder }, 'tj')
}, RUN_MS_MAX)

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe("HBase's Java client on Tidegate with Kerberos", () => {
  test(
    'has the user of its keytab and of its token, and acts for no other',
    async () => {
      expect(await scenario.answers('privacy')).toEqual(scenario.expected)
    },
    RUN_MS_MAX,
  )

  test(
    'users without a right, of another realm and without a login are refused as by HBase',
    async () => {
      expect((await scenario.denied())[0]).toContain(deniedTo('tj-bob'))
      expect((await scenario.ofOtherRealm())[0]).toMatch(HUNG_UP)
      expect((await scenario.withoutLogin())[0]).toMatch(HUNG_UP)
    },
    RUN_MS_MAX,
  )

  test(
    'of 2.6.1 has no login where it asks the server, and not ZooKeeper, for the cluster',
    async () => {
      expect((await scenario.byRpcRegistry(server.port('rpc')))[0]).toContain(NO_REGISTRY)
    },
    RUN_MS_MAX,
  )

  test(
    'a gateway acts as its users, with their rights',
    async () => {
      const answers = await scenario.asGateway()
      expect(answers.slice(0, 2)).toEqual(['ok', 'ok r3=v3'])
      expect(answers[2]).toContain(deniedTo('tj-bob'))
      expect(answers[3]).toContain(deniedTo('rest'))
    },
    RUN_MS_MAX,
  )
})
