/**
 * Clients that log in with a password over TLS: `npm run test:logins`. Runs the examples of docs/login-clients.md on a server of its own. `-- --keep` keeps the result.
 * Needs curl, and Python with venv: happybase is fetched once, below REAL_HBASE_HOME or ~/.cache/real-hbase.
 */

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { keepResult } from '../test/harness/client-transcripts/client-results.ts'
import { type LoginServer, loginExample, startLoginServer } from '../test/harness/login-server.ts'
import { pythonPackages } from '../test/harness/python-packages.ts'

const execute = promisify(execFile)

async function said(
  command: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  try {
    return (await execute(command, args, { env: environment, timeout: 60_000 })).stdout
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
  const python = join(pythonPackages('logins-2', ['happybase==1.3.0']), 'python')
  const running = await startLoginServer()
  try {
    const outcomes = [
      await check('curl', 'sh', ['-c', loginExample('sh', running)], running),
      await check("npm's hbase", process.execPath, ['-e', loginExample('js', running)], running),
      await check('happybase', python, ['-c', loginExample('python', running)], running),
    ]
    process.exitCode = outcomes.every(Boolean) ? 0 : 1
    const passed = outcomes.filter(Boolean).length
    if (process.argv.includes('--keep'))
      keepResult('logins', { passed, failed: outcomes.length - passed, mayDiffer: 0 })
  } finally {
    await running.close()
  }
}

await main()
