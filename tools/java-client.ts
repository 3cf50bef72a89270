/**
 * HBase's own Java client against Tidegate or a real HBase: `npm run test:java-client [-- --target tidegate|real|HOST:PORT]
 * [-- --registry rpc|zookeeper] [-- --only PATTERN]`. Needs Java and Maven.
 *
 * Each class of test/clients/java that has a `main` does one kind of work, and prints a line `NAME: ANSWER` for each step of
 * it, without times, ids and addresses. What a real HBase answered is in test/clients/java/recorded: `--target real --record`
 * writes it anew. Tidegate must answer the same, but for the steps in expected-differences.json, each with its reason; one
 * that is equal must leave the list.
 */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Command } from 'commander'
import { packageRoot } from '../src/package-root.ts'
import {
  clientTarget,
  type Registry,
  registryOption,
} from '../test/harness/client-transcripts/client-target.ts'
import {
  type Answers,
  addAnswer,
  compareAnswers,
  expectedDifferences,
} from '../test/harness/client-transcripts/compare-answers.ts'
import { missingTools, resolveJars } from '../test/harness/real-hbase/jars.ts'

const SOURCES = fileURLToPath(new URL('test/clients/java/', packageRoot()))
const RUN_MS_MAX = 300_000
const OPENED = ['java.lang', 'java.nio', 'jdk.internal.misc'].map(
  (name) => `--add-opens=java.base/${name}=ALL-UNNAMED`,
)

interface Options {
  readonly target: string
  readonly registry: Registry
  readonly only: string
  readonly record?: true
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

function compare(program: string, output: string, target: string): string[] {
  const recorded = join(SOURCES, 'recorded', `${program}.txt`)
  if (!existsSync(recorded)) return [`${program}: nothing is recorded: run it with --target real --record`]
  const listed = join(SOURCES, 'expected-differences.json')
  const differing = target === 'real' ? new Set<string>() : expectedDifferences(listed, program)
  const [wanted, found] = [answersOf(readFileSync(recorded, 'utf8')), answersOf(output)]
  process.stdout.write(`${program}: ${found.size} steps, ${differing.size} may differ\n`)
  return compareAnswers({ program, wanted, found, differing })
}

async function main(): Promise<void> {
  const { target, registry, only, record } = new Command('test:java-client')
    .option('--target <target>', '', 'tidegate')
    .option('--only <pattern>', '', '')
    .option('--record')
    .addOption(registryOption(['rpc', 'zookeeper']))
    .parse()
    .opts<Options>()
  const missing = missingTools()
  if (missing.length > 0) {
    process.stdout.write(`no Java client: this machine has no ${missing.join(' and no ')}\n`)
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'java-client-'))
  const classPath = `${folder}:${resolveJars()}/*`
  const sources = readdirSync(SOURCES).filter((file) => file.endsWith('.java'))
  const programs = sources
    .filter((file) => readFileSync(join(SOURCES, file), 'utf8').includes(' static void main('))
    .map((file) => file.slice(0, -'.java'.length))
    .filter((name) => new RegExp(only).test(name))
  const surprises: string[] = []
  const server = await clientTarget(target, registry, folder)
  try {
    run('javac', ['-nowarn', '-d', folder, '-cp', classPath, ...sources.map((file) => join(SOURCES, file))])
    const settings = [`-Dregistry=${registry}`, `-Dlog4j.configuration=file:${SOURCES}log4j.properties`]
    for (const program of programs) {
      const args = [...OPENED, '-Xmx300m', ...settings, '-cp', classPath, program, server.address]
      const output = run('java', args)
      if (record === true) writeFileSync(join(SOURCES, 'recorded', `${program}.txt`), output)
      else surprises.push(...compare(program, output, target))
    }
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  for (const surprise of surprises) process.stdout.write(`${surprise}\n`)
  process.exitCode = surprises.length === 0 ? 0 : 1
}

await main()
