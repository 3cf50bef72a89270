/**
 * Clients that log in with a password over TLS: `npm run test:logins`. Runs the examples of docs/login-clients.md on a server of its own. `-- --keep` keeps the result.
 * Needs curl, Python with venv, Java and Maven: happybase and the jars of HBase's client are fetched once, below REAL_HBASE_HOME or
 * ~/.cache/real-hbase.
 */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packageRoot } from '../src/package-root.ts'
import { keepResult, verdictLine } from '../test/harness/client-transcripts/client-results.ts'
import { mavenJars } from '../test/harness/client-transcripts/maven-jars.ts'
import { type LoginServer, loginExample, startLoginServer } from '../test/harness/login-server.ts'
import { pythonPackages } from '../test/harness/python-packages.ts'
import { missingTools, resolveJars } from '../test/harness/real-hbase/jars.ts'

const execute = promisify(execFile)

/** The arguments of the JVM for the Java example, which it compiles itself. */
function javaArguments(running: LoginServer): string[] {
  const pom = fileURLToPath(new URL('test/clients/java-login/pom.xml', packageRoot()))
  const folders = [resolveJars(), mavenJars('login-2.6.1', pom)]
  const program = running.folder.file('Login.java', loginExample('java', running))
  return ['-Xmx256m', '-cp', folders.map((folder) => join(folder, '*')).join(':'), program]
}

async function said(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    return (await execute(command, args, { env: environment, timeout: 120_000 })).stdout
  } catch (error) {
    return String((error as { readonly stderr?: string }).stderr ?? error)
  }
}

/** Prints a line, and says whether the right password is let in and a wrong one is not. */
async function check(
  name: string,
  command: string,
  args: readonly string[],
  { environment }: LoginServer,
): Promise<boolean> {
  const right = await said(command, args, environment)
  const wrong = await said(command, args, { ...environment, PASSWORD: 'another password' })
  const isFine = right.trim() === 'hello' && !wrong.includes('hello')
  process.stdout.write(`${name}: ${isFine ? 'logs in' : `FAILS: ${right}`}\n`)
  if (!isFine) process.stdout.write(`with a wrong password: ${wrong.slice(-300)}\n`)
  return isFine
}

async function main(): Promise<void> {
  const missing = missingTools()
  if (missing.length > 0) throw new Error(`this script needs ${missing.join(' and ')} on the path`)
  const python = join(pythonPackages('logins-2', ['happybase==1.3.0']), 'python')
  const running = await startLoginServer()
  try {
    const outcomes = [
      await check('curl', 'sh', ['-c', loginExample('sh', running)], running),
      await check("npm's hbase", process.execPath, ['-e', loginExample('js', running)], running),
      await check("HBase's Java client", 'java', javaArguments(running), running),
      await check('happybase', python, ['-c', loginExample('python', running)], running),
    ]
    process.exitCode = outcomes.every(Boolean) ? 0 : 1
    const passed = outcomes.filter(Boolean).length
    const failed = outcomes.length - passed
    process.stdout.write(verdictLine({ passed, failed }))
    if (process.argv.includes('--keep')) keepResult('logins', { passed, failed, mayDiffer: 0 })
  } finally {
    await running.close()
  }
}

await main()
