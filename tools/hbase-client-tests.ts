/**
 * HBase's own tests of its client, unchanged, against Tidegate or a real HBase, through ZooKeeper and native RPC:
 * `npm run test:hbase-client [-- --target tidegate|proxy|real] [-- --only PATTERN] [-- --method PATTERN] [-- --results FILE] [-- --keep]`. Needs Java and Maven.
 *
 * The classes come from HBase's test jars. HBaseTestingUtility, which would boot a cluster in the tests' own process, is
 * theirs, but for its methods that start one: those connect to the running server (test/clients/hbase-client-tests/java).
 * A test that then asks for an object of a server's counts as out of reach. Other tests that cannot pass are in
 * test/clients/hbase-client-tests/expected-failures.json, each with its reason; one that passes must leave the list. `--target
 * real` starts an HBase of its own, since each class begins by dropping all tables. `--results` writes a line of JSON for
 * each test into a file that is not there yet, so that two runs can be compared test by test.
 */

import { appendFileSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { packageRoot } from '../src/package-root.ts'
import { keepResult } from '../test/harness/client-transcripts/client-results.ts'
import { clientTarget } from '../test/harness/client-transcripts/client-target.ts'
import {
  compileJava,
  type ExpectedFailures,
  junitOutcomes,
  methodPattern,
  readExpectedFailures,
  runJava,
  testJars,
  verdictOf,
} from '../test/harness/client-transcripts/junit-runs.ts'
import { missingTools, resolveJars } from '../test/harness/real-hbase/jars.ts'
import { CLIENT_TEST_CLASSES } from './hbase-client-test-classes.ts'

const SOURCES = fileURLToPath(new URL('test/clients/hbase-client-tests/', packageRoot()))
const JAVA = join(SOURCES, 'java')
/** The slowest class takes some five minutes. */
const RUN_MS_MAX = 900_000
/** Classes that share a JVM, whose start takes as long as an average class. */
const GROUP_SIZE = 12

/** Tidegate has the endpoint for every table; the tests' own cluster loads it by this key, too. */
const SETTINGS = {
  real: {
    'hbase.coprocessor.user.region.classes': 'org.apache.hadoop.hbase.coprocessor.MultiRowMutationEndpoint',
  },
  // With less, TestSizeFailures' 100 MB keep it collecting for so long that ZooKeeper takes it for dead.
  heap: '1500m',
}

interface Options {
  readonly only: string
  readonly method: string
  readonly target: 'tidegate' | 'real' | 'proxy'
  readonly results?: string
  readonly keep?: true
}

interface Counts {
  passed: number
  failed: number
  expected: number
  outOfReach: number
}

/** The folder of compiled stand-ins comes first, so that they hide HBase's classes of the same names. */
function prepare(folder: string): string[] {
  const jars = [testJars('client-tests', join(SOURCES, 'pom.xml')), resolveJars()].map((lib) => `${lib}/*`)
  const classPath = [folder, ...jars]
  compileJava(JAVA, folder, classPath)
  runJava(classPath, ['tidegate.PatchUtility', folder])
  return classPath
}

async function runGroup(
  testClasses: readonly string[],
  address: string,
  { classPath, expected, target, method, counts, results }: Readonly<RunContext>,
): Promise<void> {
  const port = address.slice(address.lastIndexOf(':') + 1)
  const options = [
    '-Xmx800m',
    // The run takes much less time where the JVM does not optimize what runs once.
    '-XX:TieredStopAtLevel=1',
    '-XX:+UseSerialGC',
    `-Dlog4j.configuration=file:${join(JAVA, 'log4j.properties')}`,
    `-Dtidegate.zookeeper=${port}`,
    `-Dtidegate.method=${methodPattern(expected, method, { isShared: target !== 'tidegate' })}`,
  ]
  const run = { classPath, options, main: 'tidegate.RunTests', testClasses, runMsMax: RUN_MS_MAX }
  for await (const { outcome, test, reason } of junitOutcomes(run)) {
    if (outcome === 'ignored') continue
    if (results !== undefined) appendFileSync(results, `${JSON.stringify({ test, outcome, reason })}\n`)
    if (outcome === 'out-of-reach') {
      counts.outOfReach++
      continue
    }
    const verdict = verdictOf(expected, target, { outcome, test, reason })
    counts[verdict]++
    if (verdict === 'failed') process.stdout.write(`${test}: ${reason || 'passes: take it from the list'}\n`)
  }
}

function textOf({ passed, failed, expected, outOfReach }: Readonly<Counts>): string {
  return `${passed} passed, ${failed} failed, ${expected} not to be passed, ${outOfReach} out of reach`
}

interface RunContext {
  readonly classPath: readonly string[]
  readonly expected: readonly ExpectedFailures[]
  readonly target: string
  readonly method: string
  readonly counts: Counts
  readonly results?: string
}

/** Each group gets a new Tidegate, but all share one real HBase, which takes half a minute to start. */
async function runClasses(context: RunContext, { only, target }: Options): Promise<void> {
  const names = CLIENT_TEST_CLASSES.filter((each) => new RegExp(only).test(each))
  const shared = target === 'tidegate' ? undefined : await clientTarget(target, 'zookeeper', '', SETTINGS)
  try {
    for (let start = 0; start < names.length; start += GROUP_SIZE) {
      const folder = mkdtempSync(join(tmpdir(), 'hbase-client-tests-data-'))
      const server = shared ?? (await clientTarget(target, 'zookeeper', folder))
      try {
        await runGroup(names.slice(start, start + GROUP_SIZE), server.address, context)
        const run = Math.min(start + GROUP_SIZE, names.length)
        process.stdout.write(`${run} of ${names.length} classes: ${textOf(context.counts)}\n`)
      } finally {
        if (shared === undefined) await server.stop()
        rmSync(folder, { recursive: true, force: true })
      }
    }
  } finally {
    await shared?.stop()
  }
}

/** False, with a line of the reason, where the file is there: it may be the result of an earlier hour. */
function beginsResults(file: string): boolean {
  if (existsSync(file)) {
    process.stderr.write(`${file} is there already: name another file for --results, or move this one away\n`)
    process.exitCode = 2
    return false
  }
  writeFileSync(file, '')
  return true
}

async function main(): Promise<void> {
  const options = new Command('test:hbase-client')
    .option('--only <pattern>', 'the classes to run', '')
    .option('--method <pattern>', 'the methods to run', '')
    .option('--results <file>', 'writes the outcome of each test into this file, a line of JSON each')
    .option('--keep', 'writes the result into docs/clients')
    .addOption(new Option('--target <target>').choices(['tidegate', 'real', 'proxy']).default('tidegate'))
    .parse()
    .opts<Options>()
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no tests of HBase's: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  if (options.results !== undefined && !beginsResults(options.results)) return
  const folder = mkdtempSync(join(tmpdir(), 'hbase-client-tests-'))
  const expected = readExpectedFailures(join(SOURCES, 'expected-failures.json'))
  const counts: Counts = { passed: 0, failed: 0, expected: 0, outOfReach: 0 }
  try {
    const context = { classPath: prepare(folder), expected, counts, ...options }
    await runClasses(context, options)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const { passed, failed, expected: mayDiffer } = counts
  process.exitCode = failed === 0 ? 0 : 1
  if (options.keep === true && options.target !== 'real' && `${options.only}${options.method}` === '')
    keepResult('hbase-client', { passed: passed + mayDiffer, failed, mayDiffer }, options.target)
}

await main()
