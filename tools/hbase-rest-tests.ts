/**
 * HBase's own tests of its REST server and REST client, unchanged, against Tidegate or a real HBase:
 * `npm run test:hbase-rest [-- --target tidegate|real] [-- --only PATTERN] [-- --keep]`. Needs Java and Maven.
 *
 * The classes come from HBase's test jars. Those that would boot a cluster in the tests' own process find stand-ins
 * instead (test/clients/hbase-rest-tests/java), which know a running server: the REST port that is tested, and a Thrift 2
 * port over which the tests prepare their tables with HBase's own client. Tests that cannot pass are in
 * test/clients/hbase-rest-tests/expected-failures.json, each with its reason; one that passes must leave the list.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { packageRoot } from '../src/package-root.ts'
import { ChildServer } from '../test/harness/child-server.ts'
import { keepResult } from '../test/harness/client-transcripts/client-results.ts'
import {
  compileJava,
  junitOutcomes,
  readExpectedFailures,
  type TestOutcome,
  testJars,
  verdictOf,
} from '../test/harness/client-transcripts/junit-runs.ts'
import { missingTools, resolveJars } from '../test/harness/real-hbase/jars.ts'
import { realHBaseTarget } from '../test/harness/real-hbase/target.ts'

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
const SOURCES = fileURLToPath(new URL('test/clients/hbase-rest-tests/', packageRoot()))
const CLASSES = ['VersionResource', 'StatusResource', 'TableResource', 'TableScan', 'ScannerResource']
  .concat('SchemaResource', 'MultiRowResource', 'GetAndPutResource', 'DeleteRow', 'GzipFilter')
  .concat('NamespacesResource', 'NamespacesInstanceResource', 'ScannersWithFilters', 'ResourceFilter')
  .concat('SecurityHeadersFilter')
  .map((name) => `Test${name}`)
  .concat('client.TestRemoteTable', 'client.TestRemoteAdminRetries', 'client.TestRemoteHTableRetries')
  .concat('client.TestXmlParsing')
/** The slowest class takes some two minutes. */
const RUN_MS_MAX = 900_000

interface Running {
  readonly rest: number
  readonly thrift: number
  /** Of the run-time of the server, in the words of the JVM's properties. */
  readonly facts: readonly string[]
  stop(): Promise<unknown>
}

async function tidegate(): Promise<Running> {
  const doors = [
    '--rest',
    '0',
    '--thrift',
    '0',
    '--rpc',
    'off',
    '--zookeeper',
    'off',
    '--web',
    'off',
    '--log-level',
    'error',
  ]
  const server = await ChildServer.start(SERVE, ['serve', '--store', 'memory', ...doors])
  const { node, v8 } = process.versions
  return {
    rest: server.port('rest'),
    thrift: server.port('thrift'),
    facts: [
      '-Dserver.java.vm.vendor=Node.js',
      `-Dserver.java.version=${node}`,
      `-Dserver.java.vm.version=${v8}`,
    ],
    stop: () => server.stop(),
  }
}

async function real(): Promise<Running> {
  const hbase = await realHBaseTarget()
  const { rest, thrift2 } = hbase.target
  return { rest: Number(new URL(rest).port), thrift: thrift2.port, facts: [], stop: () => hbase.stop() }
}

/** Runs one class. */
function outcomes(
  name: string,
  { rest, thrift, facts }: Running,
  classPath: readonly string[],
): AsyncGenerator<TestOutcome> {
  const ports = [`-Dtidegate.rest=${rest}`, `-Dtidegate.thrift=${thrift}`]
  const ofServer = name === 'TestVersionResource' ? facts : []
  const options = ['-Xmx400m', ...ports, ...ofServer]
  return junitOutcomes({ classPath, options, main: 'RunTests', testClasses: [name], runMsMax: RUN_MS_MAX })
}

async function main(): Promise<void> {
  const target = new Option('--target <target>').choices(['tidegate', 'real']).default('tidegate')
  const options = new Command('test:hbase-rest')
    .option('--only <pattern>')
    .option('--keep', 'writes the result into docs/clients')
    .addOption(target)
    .parse()
    .opts<{ only?: string; target: string; keep?: true }>()
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no tests of HBase's: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const expected = readExpectedFailures(join(SOURCES, 'expected-failures.json'))
  const folder = mkdtempSync(join(tmpdir(), 'hbase-rest-tests-'))
  const classPath = [folder, `${testJars('rest-tests', join(SOURCES, 'pom.xml'))}/*`, `${resolveJars()}/*`]
  const counts = { passed: 0, failed: 0, expected: 0 }
  const server = await (options.target === 'real' ? real() : tidegate())
  try {
    compileJava(join(SOURCES, 'java'), folder, classPath)
    for (const name of CLASSES.filter((each) => new RegExp(options.only ?? '').test(each))) {
      for await (const { outcome, test, reason } of outcomes(name, server, classPath)) {
        if (outcome === 'ignored') continue
        const verdict = verdictOf(expected, options.target, { outcome, test, reason })
        counts[verdict]++
        if (verdict === 'failed')
          process.stdout.write(`${test}: ${reason || 'passes: take it from the list'}\n`)
      }
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  process.stdout.write(
    `${counts.passed} passed, ${counts.failed} failed, ${counts.expected} not to be passed\n`,
  )
  process.exitCode = counts.failed === 0 ? 0 : 1
  const { passed, failed, expected: mayDiffer } = counts
  if (options.keep === true && options.target === 'tidegate' && options.only === undefined)
    keepResult('hbase-rest', { passed: passed + mayDiffer, failed, mayDiffer })
}

await main()
