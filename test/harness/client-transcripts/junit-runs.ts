/** Classes of JUnit tests of other people, run in a JVM of their own beside a list of tests that cannot pass. */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface ExpectedFailures {
  readonly reason: string
  /** Only with this target; with both where it is left out. */
  readonly target?: string
  /** `CLASS METHOD`, or with `*` at its end. */
  readonly tests: readonly string[]
}

export type Outcome = 'passed' | 'failed' | 'ignored' | 'out-of-reach'

export interface TestOutcome {
  readonly outcome: Outcome
  /** `CLASS METHOD`. */
  readonly test: string
  /** Of a failure; empty where there is none. */
  readonly reason: string
}

const OPENED = ['java.lang', 'java.lang.reflect', 'java.net', 'java.nio', 'java.util', 'java.util.concurrent']
  .concat('java.util.concurrent.atomic', 'sun.nio.ch', 'jdk.internal.misc')
  .map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`)

function run(command: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} failed:\n${(stdout + stderr).slice(-2000)}`)
}

/** The folder with the jars that the pom.xml names, without those that they depend on; fetched once, below REAL_HBASE_HOME or ~/.cache/real-hbase. */
export function testJars(name: string, pom: string): string {
  const lib = join(process.env['REAL_HBASE_HOME'] ?? join(homedir(), '.cache', 'real-hbase'), name)
  const complete = join(lib, '.complete')
  if (existsSync(complete)) return lib
  rmSync(lib, { recursive: true, force: true })
  mkdirSync(lib, { recursive: true })
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${lib}`, '-DexcludeTransitive=true']
  run('mvn', ['-q', '-B', '-f', pom, ...goal])
  writeFileSync(complete, '')
  return lib
}

/** Compiles all sources below a folder into another one. */
export function compileJava(sources: string, folder: string, classPath: readonly string[]): void {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.java'))
    .map((file) => join(sources, file))
  run('javac', ['-nowarn', '-d', folder, '-cp', classPath.join(':'), ...files])
}

/** Runs a program of Java to its end; throws if it fails. */
export function runJava(classPath: readonly string[], args: readonly string[]): void {
  run('java', ['-cp', classPath.join(':'), ...args])
}

export interface JunitRun {
  readonly classPath: readonly string[]
  /** Of the JVM. */
  readonly options: readonly string[]
  /** The class that runs the tests, and prints a line a test: `OUTCOME CLASS METHOD REASON`, with tabs between them. */
  readonly main: string
  readonly testClass: string
  /** Afterwards the JVM is ended, and the class counts as failed. */
  readonly runMsMax: number
}

/** Runs a class of tests. A JVM that ends before its first test is a failed test of the name `class`. */
export async function* junitOutcomes(wanted: JunitRun): AsyncGenerator<TestOutcome> {
  const { classPath, options, main, testClass } = wanted
  const args = [...OPENED, ...options, '-cp', classPath.join(':'), main, testClass]
  const child = spawn('java', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, wanted.runMsMax)
  let count = 0
  for await (const line of createInterface({ input: child.stdout })) {
    const [outcome = '', where = '', what = '', reason = ''] = line.split('\t')
    if (!/^(?:passed|failed|ignored|out-of-reach)$/.test(outcome)) continue
    count++
    yield { outcome: outcome as Outcome, test: `${where} ${what}`, reason }
  }
  clearTimeout(late)
  const test = `${testClass} class`
  if (isLate) yield { outcome: 'failed', test, reason: `Java was ended after ${wanted.runMsMax} ms` }
  else if (count === 0) yield { outcome: 'failed', test, reason: 'Java ended before its first test' }
}

export function readExpectedFailures(file: string): ExpectedFailures[] {
  return JSON.parse(readFileSync(file, 'utf8')) as ExpectedFailures[]
}

export function isExpectedFailure(list: readonly ExpectedFailures[], target: string, test: string): boolean {
  const names = (pattern: string): boolean =>
    pattern.endsWith('*') ? test.startsWith(pattern.slice(0, -1)) : test === pattern
  return list.some((each) => (each.target ?? target) === target && each.tests.some(names))
}
