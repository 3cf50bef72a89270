/**
 * HBase's shell 2.4.17 against Tidegate or a real HBase: `npm run test:hbase-shell [-- --target tidegate|proxy|real|HOST:PORT]
 * [-- --registry master|zookeeper] [-- --keep]`, or with `--shell tidegate` Tidegate's shell. Needs Java and Maven.
 *
 * It runs the commands of test/clients/shell/usual-commands.rb and more-commands.rb. What it printed on a real HBase is in
 * recorded.txt and recorded-more.txt beside them: `--target real --record` writes these anew. On Tidegate it must print the
 * same, but for times, ids, addresses, the stacks of errors, and the commands in expected-differences.json.
 */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command, Option } from 'commander'
import { packageRoot } from '../src/package-root.ts'
import { keepResult, verdictLine } from '../test/harness/client-transcripts/client-results.ts'
import {
  clientTarget,
  type Registry,
  registryOption,
} from '../test/harness/client-transcripts/client-target.ts'
import {
  type Answers,
  compareAnswers,
  expectedDifferences,
} from '../test/harness/client-transcripts/compare-answers.ts'
import { mavenJars } from '../test/harness/client-transcripts/maven-jars.ts'
import { commandsOf, isOfHBaseAlone, MERGE_PROGRAM } from '../test/harness/client-transcripts/ruby-lines.ts'
import { answersOfShell } from '../test/harness/client-transcripts/shell-transcript.ts'
import { missingTools } from '../test/harness/real-hbase/jars.ts'

const SOURCES = fileURLToPath(new URL('test/clients/shell/', packageRoot()))
const SCRIPTS = [
  ['usual-commands.rb', 'recorded.txt'],
  ['more-commands.rb', 'recorded-more.txt'],
] as const
const RUN_MS_MAX = 300_000
const CLIENT = 'org.apache.hadoop.hbase.client.'
const OPENED = ['java.io', 'java.lang', 'java.nio', 'java.util', 'jdk.internal.misc', 'sun.nio.ch'].map(
  (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
)

const MAIN = fileURLToPath(new URL('dist/src/cli/main.js', packageRoot()))

interface Options {
  readonly shell: 'hbase' | 'tidegate'
  readonly target: string
  readonly registry: Registry
  readonly record?: true
  readonly keep?: true
}

/** The client's settings that name the server. */
function connectionTo(registry: Registry, address: string): string[] {
  const [host, port] = address.split(':')
  const settings =
    registry === 'zookeeper'
      ? [`hbase.zookeeper.quorum=${host}`, `hbase.zookeeper.property.clientPort=${port}`]
      : [`hbase.client.registry.impl=${CLIENT}MasterRegistry`, `hbase.masters=${address}`]
  return settings.map((setting) => `-D${setting}`)
}

function transcript(script: string, registry: Registry, address: string): string {
  const shell = [...OPENED, '-Xmx400m', '-cp', `${SOURCES}:${mavenJars('shell', join(SOURCES, 'pom.xml'))}/*`]
  const args = [...shell, 'org.jruby.JarBootstrapMain', ...connectionTo(registry, address)]
  return printed('java', args, linesOf(script))
}

function linesOf(script: string): string[] {
  return readFileSync(join(SOURCES, script), 'utf8').trimEnd().split('\n')
}

function printed(command: string, args: readonly string[], lines: readonly string[]): string {
  const { stdout, stderr, status } = spawnSync(command, args, {
    input: `${lines.join('\n')}\n`,
    encoding: 'utf8',
    timeout: RUN_MS_MAX,
    // JRuby asks the terminal for its width.
    env: { ...process.env, COLUMNS: '500' },
  })
  if (status === null) throw new Error(`the shell did not end:\n${(stdout + stderr).slice(-2000)}`)
  return stdout
}

/** A line about the names of regions begins another session, since the regions are there by then. */
function transcriptOfTidegate(script: string, registry: Registry, address: string): string {
  const place = registry === 'zookeeper' ? `zookeeper:${address}` : `rpc:${address}`
  const run = (lines: readonly string[]): string =>
    printed('node', [MAIN, 'shell', '--no-history', '--address', place], lines)
  let output = ''
  let lines: string[] = []
  for (const line of linesOf(script)) {
    const table = MERGE_PROGRAM.exec(line)?.[1]
    const names: string[] = []
    if (table !== undefined) {
      output += run(lines)
      lines = []
      for (const [, name] of run([`list_regions '${table}'`]).matchAll(/\.([0-9a-f]{32})\. /g))
        names.push(name!)
    }
    lines.push(...commandsOf(line, names))
  }
  return output + run(lines)
}

async function main(): Promise<void> {
  const { shell, target, registry, record, keep } = new Command('test:hbase-shell')
    .addOption(new Option('--shell <shell>', 'whose').choices(['hbase', 'tidegate']).default('hbase'))
    .option(
      '--target <target>',
      'tidegate, real, proxy (Tidegate before a real HBase) or HOST:PORT',
      'tidegate',
    )
    .option('--record', 'writes down the answers instead of comparing them')
    .option('--keep', 'writes the result into docs/clients')
    .addOption(registryOption(['master', 'zookeeper']))
    .parse()
    .opts<Options>()
  if (shell === 'tidegate' && (record === true || keep === true))
    throw new Error("--record and --keep are for HBase's shell")
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no HBase shell: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'hbase-shell-'))
  const server = await clientTarget(target, registry, folder)
  const outputs: string[] = []
  try {
    const run = shell === 'hbase' ? transcript : transcriptOfTidegate
    for (const [script] of SCRIPTS) outputs.push(run(script, registry, server.address))
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const sums = { passed: 0, failed: 0, mayDiffer: 0 }
  for (const [index, [, recorded]] of SCRIPTS.entries()) {
    const found = new Map(answersOfShell(outputs[index]!))
    if (record === true) write(join(SOURCES, recorded), found)
    else compare(join(SOURCES, recorded), found, { shell, target }, sums)
  }
  if (record === true) return
  process.stdout.write(verdictLine(sums))
  if (keep === true && (target === 'tidegate' || target === 'proxy')) keepResult('hbase-shell', sums, target)
}

function write(file: string, answers: Answers): void {
  const lines = [...answers].map(([command, answer]) => `hbase:001:0> ${command}\n${answer}`)
  writeFileSync(file, `${lines.join('\n').replaceAll('\n         ', '\n')}\n`)
}

interface Sums {
  passed: number
  failed: number
  mayDiffer: number
}

function compare(
  file: string,
  found: Map<string, string>,
  { shell, target }: Pick<Options, 'shell' | 'target'>,
  sums: Sums,
): void {
  const wanted = new Map(answersOfShell(readFileSync(file, 'utf8')))
  if (shell === 'tidegate') withoutOwn(wanted, found)
  const listed = join(SOURCES, 'expected-differences.json')
  const differing = target === 'real' ? new Set<string>() : expectedDifferences(listed, 'shell', target)
  process.stdout.write(`shell: ${found.size} commands, ${differing.size} may differ\n`)
  const surprises = compareAnswers({ program: 'shell', wanted, found, differing })
  for (const surprise of surprises) process.stdout.write(`${surprise}\n`)
  sums.passed += found.size - surprises.length
  sums.failed += surprises.length
  // Both scripts have one list.
  sums.mayDiffer = differing.size
  if (surprises.length > 0) process.exitCode = 1
}

/** Takes the steps of HBase's shell alone from the recording, and what stands in their place from the answers. */
function withoutOwn(wanted: Map<string, string>, found: Map<string, string>): void {
  for (const step of wanted.keys()) if (isOfHBaseAlone(step)) wanted.delete(step)
  for (const step of found.keys()) if (!wanted.has(step)) found.delete(step)
}

await main()
