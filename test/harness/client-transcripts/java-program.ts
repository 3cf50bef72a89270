/** A Java program on a class path of jars and of a folder with the files that configure it. */

import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const OPENED = [
  'java.io',
  'java.lang',
  'java.lang.invoke',
  'java.lang.reflect',
  'java.net',
  'java.nio',
  'java.util',
  'java.util.concurrent',
  'java.util.concurrent.atomic',
  'jdk.internal.misc',
  'sun.nio.ch',
  'sun.nio.cs',
  'sun.security.action',
  'sun.util.calendar',
].map((name) => `--add-opens=java.base/${name}=ALL-UNNAMED`)
/** For programs that end in seconds: the better of Java's two compilers costs them more than it brings. */
const SHORT_LIVED = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']
const RUN_MS_MAX = 600_000

export interface JavaProgram {
  readonly classPath: readonly string[]
  /** The class, its arguments, and before them options of the JVM. */
  readonly args: readonly string[]
  readonly cwd: string
  readonly input?: string
  /** More variables. */
  readonly environment?: Readonly<Record<string, string>>
}

export interface JavaOutcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export function runJava({
  classPath,
  args,
  cwd,
  input = '',
  environment = {},
}: JavaProgram): Promise<JavaOutcome> {
  const all = [...OPENED, ...SHORT_LIVED, '-Xmx512m', '-cp', classPath.join(':'), ...args]
  return new Promise((resolve, reject) => {
    const child = spawn('java', all, {
      cwd,
      timeout: RUN_MS_MAX,
      env: { ...process.env, ...environment },
    })
    const [out, err]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (piece: Buffer) => out.push(piece))
    child.stderr.on('data', (piece: Buffer) => err.push(piece))
    child.once('error', reject)
    child.once('close', (code) =>
      resolve({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    )
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
  })
}

/** Writes hbase-site.xml and a log4j.properties for warnings into the folder, which goes first on a class path. */
export function writeClientSettings(
  folder: string,
  settings: Readonly<Record<string, string | number>>,
): void {
  mkdirSync(folder, { recursive: true })
  const properties = Object.entries(settings).map(
    ([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`,
  )
  writeFileSync(join(folder, 'hbase-site.xml'), `<configuration>${properties.join('\n')}</configuration>\n`)
  const appender = 'log4j.appender.E'
  const lines = [
    'log4j.rootLogger=WARN,E',
    `${appender}=org.apache.log4j.ConsoleAppender`,
    `${appender}.target=System.err`,
    `${appender}.layout=org.apache.log4j.PatternLayout`,
    `${appender}.layout.ConversionPattern=%p %c: %m%n`,
  ]
  writeFileSync(join(folder, 'log4j.properties'), `${lines.join('\n')}\n`)
}
