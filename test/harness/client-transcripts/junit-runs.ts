/** Classes of JUnit tests of other people, run in a JVM of their own beside a list of tests that cannot pass. */

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export interface ExpectedFailures {
  readonly reason: string
  /** Only with this target; with all where it is left out. */
  readonly target?: string
  /** True for tests that end the server: they do not run where all classes share one. */
  readonly endsServer?: true
  /** True where chance decides, so that a test of these which passes does not have to leave the list. */
  readonly passesSometimes?: true
  /** In the message of each of these failures. One with another message is not expected. */
  readonly says?: string
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
  const wanted = readFileSync(pom, 'utf8')
  if (existsSync(complete) && readFileSync(complete, 'utf8') === wanted) return lib
  rmSync(lib, { recursive: true, force: true })
  mkdirSync(lib, { recursive: true })
  const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${lib}`, '-DexcludeTransitive=true']
  run('mvn', ['-q', '-B', '-f', pom, ...goal])
  writeFileSync(complete, wanted)
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
  /**
   * The class that runs the tests. It prints a line before each class, `class CLASS`, a line a test, `OUTCOME CLASS METHOD
   * REASON`, with tabs between the words, and `done` at the end.
   */
  readonly main: string
  /** One JVM runs them in turn. */
  readonly testClasses: readonly string[]
  /** Of one class: afterwards the JVM is ended, the class counts as failed, and another JVM runs the classes behind it. */
  readonly runMsMax: number
}

/** Runs classes of tests. A class in which the JVM ends has a failed test of the name `class`. */
export async function* junitOutcomes(wanted: JunitRun): AsyncGenerator<TestOutcome> {
  let { testClasses } = wanted
  while (testClasses.length > 0) {
    const unfinished = yield* outcomesOfJvm({ ...wanted, testClasses })
    testClasses = unfinished === undefined ? [] : testClasses.slice(testClasses.indexOf(unfinished) + 1)
  }
}

/** Returns the class in which the JVM has ended, or undefined where it has run all of them. */
async function* outcomesOfJvm(wanted: JunitRun): AsyncGenerator<TestOutcome, string | undefined> {
  const { classPath, options, main, testClasses, runMsMax } = wanted
  const args = [...OPENED, ...options, '-cp', classPath.join(':'), main, ...testClasses]
  const child = spawn('java', args, { stdio: ['ignore', 'pipe', 'ignore'] })
  let isDone = false
  let isLate = false
  const end = (): void => {
    isLate = true
    child.kill('SIGKILL')
  }
  let late = setTimeout(end, runMsMax)
  let running = testClasses[0]!
  for await (const line of createInterface({ input: child.stdout })) {
    const [outcome = '', where = '', what = '', reason = ''] = line.split('\t')
    if (outcome === 'class') {
      running = where
      clearTimeout(late)
      late = setTimeout(end, runMsMax)
    }
    if (outcome === 'done') isDone = true
    if (!/^(?:passed|failed|ignored|out-of-reach)$/.test(outcome)) continue
    yield { outcome: outcome as Outcome, test: `${where} ${what}`, reason }
  }
  clearTimeout(late)
  if (isDone) return undefined
  const reason = isLate ? `Java was ended after ${runMsMax} ms` : 'Java ended within the class'
  yield { outcome: 'failed', test: `${running} class`, reason }
  return running
}

export function readExpectedFailures(file: string): ExpectedFailures[] {
  return JSON.parse(readFileSync(file, 'utf8')) as ExpectedFailures[]
}

/** A pattern of the methods to run: those that `method` matches, without those that end a server which all classes share. */
export function methodPattern(
  list: readonly ExpectedFailures[],
  method: string,
  { isShared }: { readonly isShared: boolean },
): string {
  const ending = isShared ? list.filter(({ endsServer }) => endsServer).flatMap(({ tests }) => tests) : []
  if (ending.length === 0) return method
  const methods = ending.map((test) => test.replace(/^\S+ /, ''))
  return `^(?!(?:${methods.join('|')})(?:\\[|$)).*${method}`
}

export type Verdict = 'passed' | 'expected' | 'failed'

/** The verdict on a test that has run. One that passes though it is on the list has failed, and is to leave it. */
export function verdictOf(
  list: readonly ExpectedFailures[],
  target: string,
  { outcome, test, reason }: TestOutcome,
): Verdict {
  const names = (pattern: string): boolean =>
    pattern.endsWith('*') ? test.startsWith(pattern.slice(0, -1)) : test === pattern
  const listed = list.filter((each) => (each.target ?? target) === target && each.tests.some(names))
  if (outcome === 'failed')
    return listed.some(({ says = '' }) => reason.includes(says)) ? 'expected' : 'failed'
  return listed.every(({ passesSometimes }) => passesSometimes) ? 'passed' : 'failed'
}
