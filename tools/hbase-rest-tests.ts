/**
 * HBase's own tests of its REST server and REST client, unchanged, against Tidegate or a real HBase:
 * `npm run test:hbase-rest [-- --target tidegate|real] [-- --only PATTERN] [-- --keep]`. Needs Java and Maven.
 *
 * The classes come from HBase's test jars. Those that would boot a cluster in the tests' own process find stand-ins
 * instead (test/clients/hbase-rest-tests/java), which know a running server: the REST port that is tested, and a Thrift 2
 * port over which the tests prepare their tables with HBase's own client. Tests that cannot pass are in
 * test/clients/hbase-rest-tests/expected-failures.json, each with its reason; one that passes must leave the list.
 */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { packageRoot } from '../src/package-root.ts'
import { ChildServer } from '../test/harness/child-server.ts'
import { keepResult } from '../test/harness/client-transcripts/client-results.ts'
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
const OPENED = ['java.lang', 'java.lang.reflect', 'java.net', 'java.nio', 'java.util', 'java.util.concurrent']
  .concat('java.util.concurrent.atomic', 'sun.nio.ch')
  .map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`)

interface ExpectedFailures {
  readonly reason: string
  /** Only with this target; with both where it is left out. */
  readonly target?: string
  /** `CLASS METHOD`, or with `*` at its end. */
  readonly tests: readonly string[]
}

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

/** The jars of the tests, fetched once. */
function resolveTestJars(): string {
  const lib = join(process.env['REAL_HBASE_HOME'] ?? join(homedir(), '.cache', 'real-hbase'), 'rest-tests')
  const complete = join(lib, '.complete')
  if (existsSync(complete)) return lib
  mkdirSync(lib, { recursive: true })
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${lib}`, '-DexcludeTransitive=true']
  run('mvn', ['-q', '-B', '-f', join(SOURCES, 'pom.xml'), ...goal])
  writeFileSync(complete, '')
  return lib
}

function run(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed:\n${(stdout + stderr).slice(-2000)}`)
}

function compileStandIns(folder: string, jars: readonly string[]): void {
  const java = join(SOURCES, 'java')
  const sources = readdirSync(java, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.java'),
  )
  run('javac', ['-nowarn', '-d', folder, '-cp', jars.join(':'), ...sources.map((file) => join(java, file))])
}

/** Runs one class; yields `passed|failed|ignored`, `CLASS METHOD` and the reason of a failure. */
async function* outcomes(
  name: string,
  { rest, thrift, facts }: Running,
  classPath: readonly string[],
): AsyncGenerator<readonly [outcome: string, test: string, reason: string]> {
  const ports = [`-Dtidegate.rest=${rest}`, `-Dtidegate.thrift=${thrift}`]
  const ofServer = name === 'TestVersionResource' ? facts : []
  const args = [...OPENED, '-Xmx400m', ...ports, ...ofServer, '-cp', classPath.join(':'), 'RunTests', name]
  const child = spawn('java', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const [outcome = '', where = '', what = '', reason = ''] = line.split('\t')
    if (!/^(?:passed|failed|ignored)$/.test(outcome)) continue
    count++
    yield [outcome, `${where} ${what}`, reason]
  }
  if (count === 0) yield ['failed', `${name} class`, 'Java ended before its first test']
}

function isExpected(list: readonly ExpectedFailures[], target: string, test: string): boolean {
  const names = (pattern: string): boolean =>
    pattern.endsWith('*') ? test.startsWith(pattern.slice(0, -1)) : test === pattern
  return list.some((each) => (each.target ?? target) === target && each.tests.some(names))
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
  const expected = JSON.parse(
    readFileSync(join(SOURCES, 'expected-failures.json'), 'utf8'),
  ) as ExpectedFailures[]
  const folder = mkdtempSync(join(tmpdir(), 'hbase-rest-tests-'))
  const classPath = [folder, `${resolveTestJars()}/*`, `${resolveJars()}/*`]
  const counts = { passed: 0, failed: 0, expected: 0 }
  const server = await (options.target === 'real' ? real() : tidegate())
  try {
    compileStandIns(folder, classPath)
    for (const name of CLASSES.filter((each) => new RegExp(options.only ?? '').test(each))) {
      for await (const [outcome, test, reason] of outcomes(name, server, classPath)) {
        if (outcome === 'ignored') continue
        const surprise = (outcome === 'failed') !== isExpected(expected, options.target, test)
        if (!surprise) counts[outcome === 'failed' ? 'expected' : 'passed']++
        else counts.failed++
        if (surprise) process.stdout.write(`${test}: ${reason || 'passes: take it from the list'}\n`)
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
