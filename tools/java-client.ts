/**
 * HBase's own Java clients against Tidegate or a real HBase: `npm run test:java-client [-- --client 2.6.1|2.4.17|1.7.2|1.4.14|1.2.12|1.1.13|endpoint|quotas] [--
 * --target tidegate|real|proxy|HOST:PORT] [-- --registry rpc|master|zookeeper] [-- --only PATTERN]`. Needs Java and Maven.
 *
 * Each class of test/clients/java (java-1.7) that has a `main` does one kind of work, and prints a line `NAME: ANSWER` for each
 * step of it, without times, ids and addresses. What a real HBase answered is in its folder `recorded`: `--target real
 * --record` writes it anew. Tidegate must answer the same, but for the steps in expected-differences.json, each with its reason; one
 * that is equal must leave the list.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { packageRoot } from '../src/package-root.ts'
import { keepResult, verdictLine } from '../test/harness/client-transcripts/client-results.ts'
import {
  clientTarget,
  type Registry,
  type ServerSettings,
} from '../test/harness/client-transcripts/client-target.ts'
import {
  type Answers,
  addAnswer,
  compareAnswers,
  expectedDifferences,
} from '../test/harness/client-transcripts/compare-answers.ts'
import { mavenJars } from '../test/harness/client-transcripts/maven-jars.ts'
import { siteOf, withReadmeBlock } from '../test/harness/client-transcripts/readme-block.ts'
import { missingTools, resolveJars } from '../test/harness/real-hbase/jars.ts'

const CLIENTS_FOLDER = fileURLToPath(new URL('test/clients/', packageRoot()))

interface Client {
  /** Of its programs and recordings. */
  readonly sources: string
  readonly recorded: string
  readonly programs: RegExp
  /** How it can find a cluster, the usual way first. */
  readonly registries: readonly Registry[]
  /** The folder of its jars. */
  readonly jars: () => string
  /** Of the servers that it is for. */
  readonly settings?: ServerSettings
}

const CHORES = [
  'master.quotas.observer',
  'regionserver.quotas.region.size.reporting',
  'regionserver.quotas.policy.refresher',
  'regionserver.quotas.fs.utilization',
]

/** With chores that run once a second, and a cache of throttles that is not older. */
const REAL_QUOTAS: Readonly<Record<string, string | number>> = {
  'hbase.quota.enabled': 'true',
  'hbase.quota.refresh.period': 1000,
  ...Object.fromEntries(
    CHORES.flatMap((name) => ['period', 'delay'].map((what) => [`hbase.${name}.chore.${what}`, 1000])),
  ),
}

function endpointJars(): string {
  return mavenJars('endpoint-2.6.1', join(CLIENTS_FOLDER, 'java-endpoint', 'pom.xml'))
}

function oldClient(release: string, recorded = `recorded-${release}`): Client {
  const pom = join(CLIENTS_FOLDER, 'java-1.7', 'pom.xml')
  return {
    sources: 'java-1.7',
    recorded: `java-1.7/${recorded}`,
    programs: /./,
    registries: ['zookeeper'],
    jars: () => mavenJars(`client-${release}`, pom, { client: release }),
  }
}

const CLIENTS: Readonly<Record<string, Client>> = {
  '2.6.1': {
    sources: 'java',
    recorded: 'java/recorded',
    programs: /./,
    registries: ['rpc', 'zookeeper', 'master'],
    jars: resolveJars,
  },
  // Its Admin is what the shell of that release is made of: npm run test:hbase-shell.
  '2.4.17': {
    sources: 'java',
    recorded: 'java/recorded-2.4.17',
    programs: /^(?:Table|Scan|AsyncTable)Client$/,
    registries: ['zookeeper', 'master'],
    jars: () => mavenJars('shell', join(CLIENTS_FOLDER, 'shell', 'pom.xml')),
  },
  // A real HBase has the endpoint once hbase-endpoint is on its class path.
  endpoint: {
    sources: 'java-endpoint',
    recorded: 'java-endpoint/recorded',
    programs: /./,
    registries: ['rpc', 'zookeeper'],
    jars: endpointJars,
    settings: { jars: () => [join(endpointJars(), 'hbase-endpoint-2.6.1.jar')] },
  },
  // Of servers that keep quotas.
  quotas: {
    sources: 'java-quotas',
    recorded: 'java-quotas/recorded',
    programs: /./,
    registries: ['rpc', 'zookeeper'],
    jars: resolveJars,
    settings: { tidegate: { 'hbase.quota.enabled': 'true' }, real: REAL_QUOTAS },
  },
  '1.7.2': oldClient('1.7.2', 'recorded'),
  // HBase answers each of these otherwise: see src/doors/rpc/contract/client-release.ts.
  '1.4.14': oldClient('1.4.14'),
  '1.2.12': oldClient('1.2.12'),
  '1.1.13': oldClient('1.1.13'),
}

const RUN_MS_MAX = 300_000
const OPENED = ['java.lang', 'java.net', 'java.nio', 'java.util', 'jdk.internal.misc', 'sun.nio.ch'].map(
  (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
)

interface Options {
  readonly client: string
  readonly target: string
  readonly registry?: Registry
  readonly only: string
  readonly record?: true
  readonly keep?: true
}

/** Of a run. */
interface Found {
  readonly surprises: string[]
  steps: number
  mayDiffer: number
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: RUN_MS_MAX })
  if (status !== 0) throw new Error(`${command} failed:\n${(stdout + stderr).slice(-2000)}`)
  return stdout
}

/** Lines of other kinds are no answers. */
function answersOf(output: string): Answers {
  const answers = new Map<string, string>()
  for (const line of output.split('\n')) {
    const [, name, answer] = /^(.+?): (.*)$/.exec(line) ?? []
    if (name !== undefined) addAnswer(answers, name, answer!)
  }
  return answers
}

function compare(client: Client, program: string, output: string, target: string): Found {
  const recorded = join(CLIENTS_FOLDER, client.recorded, `${program}.txt`)
  if (!existsSync(recorded)) {
    const surprises = [`${program}: nothing is recorded: run it with --target real --record`]
    return { surprises, steps: 1, mayDiffer: 0 }
  }
  const listed = join(CLIENTS_FOLDER, client.sources, 'expected-differences.json')
  const differing = target === 'real' ? new Set<string>() : expectedDifferences(listed, program, target)
  const [wanted, found] = [answersOf(readFileSync(recorded, 'utf8')), answersOf(output)]
  process.stdout.write(`${program}: ${found.size} steps, ${differing.size} may differ\n`)
  const surprises = compareAnswers({ program, wanted, found, differing })
  return { surprises, steps: found.size, mayDiffer: differing.size }
}

async function runPrograms(client: Client, { target, registry, only, record }: Options): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'java-client-'))
  const sources = join(CLIENTS_FOLDER, client.sources)
  const kind = registry ?? client.registries[0]!
  const found: Found = { surprises: [], steps: 0, mayDiffer: 0 }
  const classPath = `${folder}:${client.jars()}/*`
  const programs = programsOf(client).filter((name) => new RegExp(only).test(name))
  const server = await clientTarget(target, kind, folder, client.settings)
  try {
    const files = programs.map((program) => sourceOf(program, sources, folder))
    writeFileSync(join(folder, 'hbase-site.xml'), siteOf(kind, server.address))
    run('javac', [
      '-nowarn',
      '-d',
      folder,
      '-sourcepath',
      `${sources}:${join(CLIENTS_FOLDER, 'java')}`,
      '-cp',
      classPath,
      ...files,
    ])
    const settings = [`-Dregistry=${kind}`, `-Dlog4j.configuration=file:${sources}/log4j.properties`]
    for (const program of programs) {
      const args = [...OPENED, '-Xmx300m', ...settings, '-cp', classPath, program, server.address]
      const output = run('java', args)
      const recorded = join(CLIENTS_FOLDER, client.recorded, `${program}.txt`)
      if (record === true) {
        writeFileSync(recorded, output)
        continue
      }
      const { surprises, steps, mayDiffer } = compare(client, program, output, target)
      found.surprises.push(...surprises)
      found.steps += steps
      found.mayDiffer += mayDiffer
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  return found
}

/** The program's file, or a copy that has the block of README.md. */
function sourceOf(program: string, sources: string, folder: string): string {
  const file = join(sources, `${program}.java`)
  const filled = withReadmeBlock(readFileSync(file, 'utf8'))
  if (filled === undefined) return file
  const copy = join(folder, `${program}.java`)
  writeFileSync(copy, filled)
  return copy
}

function programsOf({ sources, programs }: Client): string[] {
  const folder = join(CLIENTS_FOLDER, sources)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.java'))
    .filter((file) => readFileSync(join(folder, file), 'utf8').includes(' static void main('))
    .map((file) => file.slice(0, -'.java'.length))
    .filter((name) => programs.test(name))
}

async function main(): Promise<void> {
  const options = new Command('test:java-client')
    .addOption(
      new Option('--client <release>', 'whose programs run').choices(Object.keys(CLIENTS)).default('2.6.1'),
    )
    .option(
      '--target <target>',
      'tidegate, real, proxy (Tidegate before a real HBase) or HOST:PORT',
      'tidegate',
    )
    .option('--only <pattern>', 'runs the programs with such names', '')
    .option('--record', 'writes down the answers instead of comparing them')
    .option('--keep', 'writes the result into docs/clients')
    .addOption(
      new Option('--registry <kind>', 'how the client finds the server').choices([
        'rpc',
        'master',
        'zookeeper',
      ]),
    )
    .parse()
    .opts<Options>()
  const client = CLIENTS[options.client]!
  if (options.registry !== undefined && !client.registries.includes(options.registry))
    throw new Error(`the client ${options.client} finds a cluster by ${client.registries.join(' or ')} only`)
  const { target } = options
  const keptTarget = target === 'tidegate' || target === 'proxy' ? target : undefined
  if (options.keep === true && (options.only !== '' || keptTarget === undefined))
    throw new Error('--keep is for all programs of a client, against Tidegate')
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no Java client: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const { surprises, steps, mayDiffer } = await runPrograms(client, options)
  for (const surprise of surprises) process.stdout.write(`${surprise}\n`)
  if (options.record === true) return
  const failed = surprises.length
  process.stdout.write(verdictLine({ passed: steps - failed, failed }))
  if (options.keep === true)
    keepResult(`java-client-${options.client}`, { passed: steps - failed, failed, mayDiffer }, keptTarget)
  process.exitCode = failed === 0 && steps > 0 ? 0 : 1
}

await main()
