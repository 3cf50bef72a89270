/**
 * Clients that log in with a password over TLS: `npm run test:logins`. Runs the examples of docs/login-clients.md on a server of its own.
 * Needs curl, and Python with venv: happybase is fetched once, below REAL_HBASE_HOME or ~/.cache/real-hbase.
 */

import { execFile, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type LoginServer, loginExample, startLoginServer } from '../test/harness/login-server.ts'

const HAPPYBASE = 'happybase==1.3.0'
const execute = promisify(execFile)

/** The path of a Python that has happybase. */
function pythonWithHappybase(): string {
  const home = process.env['REAL_HBASE_HOME'] ?? join(homedir(), '.cache', 'real-hbase')
  const folder = join(home, 'logins-1')
  const python = join(folder, 'bin', 'python')
  const has = existsSync(python) && spawnSync(python, ['-c', 'import happybase']).status === 0
  if (has) return python
  process.stderr.write('fetching happybase (a minute, once)\n')
  for (const [command, args] of [
    ['python3', ['-m', 'venv', folder]],
    [python, ['-m', 'pip', 'install', '-q', HAPPYBASE]],
  ] as const) {
    const { status, stderr } = spawnSync(command, args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${stderr.slice(-2000)}`)
  }
  return python
}

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
  const running = await startLoginServer()
  try {
    const outcomes = [
      await check('curl', 'sh', ['-c', loginExample('sh', running)], running),
      await check("npm's hbase", process.execPath, ['-e', loginExample('js', running)], running),
      await check('happybase', pythonWithHappybase(), ['-c', loginExample('python', running)], running),
    ]
    process.exitCode = outcomes.every(Boolean) ? 0 : 1
  } finally {
    await running.close()
  }
}

await main()
