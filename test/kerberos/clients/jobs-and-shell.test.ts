/** HBase's shell and a MapReduce job, unchanged, on Tidegate's native RPC with Kerberos. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packageRoot } from '../../../src/package-root.ts'
import type { ChildServer } from '../../harness/child-server.ts'
import { mavenJars } from '../../harness/client-transcripts/maven-jars.ts'
import { runKerberosJava } from '../../harness/kerberos/kerberos-client.ts'
import { startKerberosTidegate } from '../../harness/kerberos/kerberos-tidegate.ts'
import { runningRealm } from '../../harness/kerberos/running-parts.ts'
import { securedClientSettings } from '../../harness/kerberos/secured-hbase.ts'
import { resolveJars } from '../../harness/real-hbase/jars.ts'
import { Scenario } from './scenario.ts'

const RUN_MS_MAX = 180_000
const SHELL_POM = fileURLToPath(new URL('test/clients/shell/pom.xml', packageRoot()))
const ROW_COUNTER = 'org.apache.hadoop.hbase.mapreduce.RowCounter'

const realm = runningRealm()
let folder: string
let server: ChildServer
let scenario: Scenario
let settings: Readonly<Record<string, string | number>>

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kerberos-jobs-'))
  server = await startKerberosTidegate(realm, folder, '--authorization', 'true', '--superuser', 'hbase')
  const zookeeperPort = server.port('zookeeper')
  settings = {
    ...securedClientSettings(realm, zookeeperPort),
    'hbase.client.retries.number': 1,
    // A job names the one who renews its tokens of file systems.
    'yarn.resourcemanager.principal': 'yarn/localhost@TIDEGATE.TEST',
  }
  scenario = await Scenario.start({ realm, zookeeperPort, folder }, 'job')
  await realm.kinit(join(folder, 'alice'), 'job-alice', { keytab: join(folder, 'job-alice.keytab') })
}, RUN_MS_MAX)

afterAll(async () => {
  await server?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The number of rows that the job has counted, or what it printed. */
async function countedRows(environment: Readonly<Record<string, string>>): Promise<string> {
  const args = [ROW_COUNTER, '-Dmapreduce.framework.name=local', 'job']
  const jars = resolveJars()
  const { code, stdout, stderr } = await runKerberosJava(realm, { settings, jars, args, environment })
  const rows = /ROWS=(\d+)/.exec(stdout + stderr)?.[1]
  return code === 0 && rows !== undefined ? rows : `${code}: ${stderr.slice(-2000)}`
}

describe("HBase's shell and jobs on Tidegate with Kerberos", () => {
  test(
    'the shell works with a ticket, as its user',
    async () => {
      const lines = ["put 'job', 's1', 'f:q', 'by the shell'", "get 'job', 's1'", 'whoami', "disable 'job'"]
      const { stdout } = await runKerberosJava(realm, {
        settings,
        jars: mavenJars('shell', SHELL_POM),
        args: ['org.jruby.JarBootstrapMain'],
        environment: { KRB5CCNAME: join(folder, 'alice'), COLUMNS: '500' },
        input: `${lines.join('\n')}\nexit\n`,
      })
      expect(stdout).toContain('value=by the shell')
      expect(stdout).toContain('job-alice@TIDEGATE.TEST (auth:KERBEROS)')
      expect(stdout).toContain('AccessDeniedException: Insufficient permissions (user=job-alice')
    },
    RUN_MS_MAX,
  )

  test(
    'a job counts rows with a ticket, by which it gets a token, and with a token alone',
    async () => {
      await scenario.answers()
      expect(await countedRows({ KRB5CCNAME: join(folder, 'alice') })).toBe('2')
      const token = join(folder, 'token')
      await scenario.saveToken(token)
      const none = join(folder, 'none')
      expect(await countedRows({ KRB5CCNAME: none, HADOOP_TOKEN_FILE_LOCATION: token })).toBe('2')
      expect(await countedRows({ KRB5CCNAME: none })).toContain('Found no valid authentication method')
    },
    RUN_MS_MAX,
  )
})
