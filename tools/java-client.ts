/**
 * HBase's own Java client against Tidegate or a real HBase: `npm run test:java-client [-- --target TARGET] [-- --only PATTERN]`.
 * Needs Java and Maven.
 *
 * Each program of test/clients/java does one kind of work, and prints a line `NAME = ANSWER` for each step of it, without times, ids and
 * addresses. What a real HBase answered is in test/clients/java/recorded: `--target real --record` writes it anew. Tidegate
 * must answer the same, but for the steps in expected-differences.json, each with its reason; one that is equal must leave
 * the list.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { packageRoot } from '../src/package-root.ts'
import { ChildServer } from '../test/harness/child-server.ts'
import { missingTools, resolveJars } from '../test/harness/real-hbase/jars.ts'
import { RealHBase } from '../test/harness/real-hbase/real-hbase.ts'

const SERVE = new URL('../src/cli/main.js', import.meta.url).pathname
const SOURCES = fileURLToPath(new URL('test/clients/java/', packageRoot()))
const RUN_MS_MAX = 300_000
const CLIENT = 'org.apache.hadoop.hbase.client.'
const OPENED = ['java.lang', 'java.nio', 'jdk.internal.misc'].map(
  (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
)

type Registry = 'rpc' | 'zookeeper'

interface Options {
  /** `tidegate`, `real`, or the `HOST:PORT` of a running server's registry. */
  readonly target: string
  readonly registry: Registry
  readonly only: string
  readonly record?: true
}

interface Running {
  /** Of the port that the registry of the wanted kind has. */
  readonly address: string
  stop(): Promise<unknown>
}

interface ExpectedDifference {
  readonly reason: string
  readonly program: string
  readonly steps: readonly string[]
}

async function tidegate(registry: Registry, folder: string): Promise<Running> {
  const doors = ['--rest', 'off', '--thrift', 'off', '--web', 'off', '--rpc', '0']
  if (registry === 'zookeeper') doors.push('--zookeeper', '0')
  const store = `native:${join(folder, 'data')}`
  const server = await ChildServer.start(SERVE, ['serve', '--store', store, ...doors, '--log-level', 'error'])
  return { address: `127.0.0.1:${server.port(registry)}`, stop: () => server.stop() }
}

async function real(registry: Registry): Promise<Running> {
  const { ports, stop } = await RealHBase.start({ gateways: false }).then((hbase) => ({
    ports: hbase.ports,
    stop: () => hbase.stop(),
  }))
  return { address: `127.0.0.1:${registry === 'rpc' ? ports.regionServer : ports.zookeeper}`, stop }
}

function running({ target, registry }: Options, folder: string): Promise<Running> {
  if (target === 'tidegate') return tidegate(registry, folder)
  if (target === 'real') return real(registry)
  return Promise.resolve({ address: target, stop: () => Promise.resolve() })
}

/** The client's settings that name the server. */
function connectionTo(registry: Registry, address: string): string[] {
  if (registry === 'rpc') {
    return [
      `hbase.client.registry.impl=${CLIENT}RpcConnectionRegistry`,
      `hbase.client.bootstrap.servers=${address}`,
    ]
  }
  const [host, port] = address.split(':')
  return [
    `hbase.client.registry.impl=${CLIENT}ZKConnectionRegistry`,
    `hbase.zookeeper.quorum=${host}`,
    `hbase.zookeeper.property.clientPort=${port}`,
  ]
}

function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', timeout: RUN_MS_MAX })
  if (status !== 0) throw new Error(`${command} failed:\n${(stdout + stderr).slice(-2000)}`)
  return stdout
}

/** The answers by the names of their steps, which get a number where they come again. Lines of other kinds are not answers. */
function answersOf(output: string): Map<string, string> {
  const answers = new Map<string, string>()
  for (const line of output.split('\n')) {
    const [, name, answer] = /^([^=]+?) = (.*)$/.exec(line) ?? []
    if (name === undefined) continue
    let unique = name
    for (let count = 2; answers.has(unique); count++) unique = `${name} (${count})`
    answers.set(unique, answer!)
  }
  return answers
}

/** The surprises, of which a person is told. */
function compare(program: string, output: string, isTidegate: boolean): string[] {
  const recorded = join(SOURCES, 'recorded', `${program}.txt`)
  if (!existsSync(recorded)) return [`${program}: nothing is recorded: run it with --target real --record`]
  const wanted = answersOf(readFileSync(recorded, 'utf8'))
  const found = answersOf(output)
  const expected = readFileSync(join(SOURCES, 'expected-differences.json'), 'utf8')
  const differing = new Set(
    (JSON.parse(expected) as ExpectedDifference[]).flatMap((each) =>
      each.program === program && isTidegate ? each.steps : [],
    ),
  )
  const surprises: string[] = []
  for (const name of new Set([...wanted.keys(), ...found.keys()])) {
    const isEqual = wanted.get(name) === found.get(name)
    if (isEqual !== differing.has(name)) continue
    if (isEqual) surprises.push(`${program}: ${name} is equal: take it from the list`)
    else surprises.push(`${program}: ${name}\n  HBase: ${wanted.get(name)}\n  found: ${found.get(name)}`)
  }
  process.stdout.write(`${program}: ${found.size} steps, ${differing.size} differ as expected\n`)
  return surprises
}

async function main(): Promise<void> {
  const registry = new Option('--registry <kind>').choices(['rpc', 'zookeeper']).default('rpc')
  const options = new Command('test:java-client')
    .option('--target <target>', '', 'tidegate')
    .option('--only <pattern>', '', '')
    .option('--record')
    .addOption(registry)
    .parse()
    .opts<Options>()
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no Java client: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'java-client-'))
  const classPath = `${folder}:${resolveJars()}/*`
  const programs = readdirSync(SOURCES).flatMap((file) => /^(\w+)\.java$/.exec(file)?.[1] ?? [])
  const surprises: string[] = []
  const server = await running(options, folder)
  try {
    run('javac', [
      '-nowarn',
      '-d',
      folder,
      '-cp',
      classPath,
      ...programs.map((name) => `${SOURCES}${name}.java`),
    ])
    const quiet = `-Dlog4j.configuration=file:${join(SOURCES, 'log4j.properties')}`
    for (const program of programs.filter((name) => new RegExp(options.only).test(name))) {
      const settings = connectionTo(options.registry, server.address)
      const output = run('java', [...OPENED, '-Xmx300m', quiet, '-cp', classPath, program, ...settings])
      if (options.record === true) writeFileSync(join(SOURCES, 'recorded', `${program}.txt`), output)
      else surprises.push(...compare(program, output, options.target !== 'real'))
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  for (const surprise of surprises) process.stdout.write(`${surprise}\n`)
  process.exitCode = surprises.length === 0 ? 0 : 1
}

await main()
