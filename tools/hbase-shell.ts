/**
 * HBase's shell 2.4.17 against Tidegate or a real HBase: `npm run test:hbase-shell [-- --target tidegate|real|HOST:PORT]
 * [-- --registry master|zookeeper] [-- --keep]`. Needs Java and Maven.
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
import { Command } from 'commander'
import { packageRoot } from '../src/package-root.ts'
import { keepResult } from '../test/harness/client-transcripts/client-results.ts'
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

interface Options {
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
  const input = readFileSync(join(SOURCES, script))
  const { stdout, stderr, status } = spawnSync('java', args, {
    input,
    encoding: 'utf8',
    timeout: RUN_MS_MAX,
    // JRuby asks the terminal for its width.
    env: { ...process.env, COLUMNS: '500' },
  })
  if (status === null) throw new Error(`the shell did not end:\n${(stdout + stderr).slice(-2000)}`)
  return stdout
}

async function main(): Promise<void> {
  const { target, registry, record, keep } = new Command('test:hbase-shell')
    .option('--target <target>', '', 'tidegate')
    .option('--record')
    .option('--keep', 'writes the result into docs/clients')
    .addOption(registryOption(['master', 'zookeeper']))
    .parse()
    .opts<Options>()
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no HBase shell: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'hbase-shell-'))
  const server = await clientTarget(target, registry, folder)
  const outputs: string[] = []
  try {
    for (const [script] of SCRIPTS) outputs.push(transcript(script, registry, server.address))
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  const sums = { passed: 0, failed: 0, mayDiffer: 0 }
  for (const [index, [, recorded]] of SCRIPTS.entries()) {
    const found = answersOfShell(outputs[index]!)
    if (record === true) write(join(SOURCES, recorded), found)
    else compare(join(SOURCES, recorded), found, target, sums)
  }
  if (keep === true && target === 'tidegate' && record !== true) keepResult('hbase-shell', sums)
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

function compare(file: string, found: Answers, target: string, sums: Sums): void {
  const wanted = answersOfShell(readFileSync(file, 'utf8'))
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

await main()
