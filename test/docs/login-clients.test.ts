import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LoginServer, loginExample, startLoginServer } from '../harness/login-server.ts'

const execute = promisify(execFile)
const HAS_CURL = spawnSync('curl', ['--version'], { stdio: 'ignore' }).status === 0

let running: LoginServer

beforeAll(async () => {
  running = await startLoginServer()
})
afterAll(() => running.close())

async function shell(script: string, environment = running.environment): Promise<string> {
  const { stdout } = await execute('sh', ['-c', script], { env: environment })
  return stdout
}

test.skipIf(!HAS_CURL)('curl logs in over TLS, and not with another password', async () => {
  expect(await shell(loginExample('sh', running))).toBe('hello')
  const wrong = { ...running.environment, PASSWORD: 'another password' }
  expect(await shell(loginExample('sh', running), wrong)).not.toContain('hello')
})

test.skipIf(!HAS_CURL)("npm's hbase logs in over TLS", async () => {
  await shell(loginExample('sh', running))
  const program = loginExample('js', running)
  const run = (PASSWORD: string): Promise<{ stdout: string }> =>
    execute(process.execPath, ['-e', program], { env: { ...running.environment, PASSWORD } })
  expect((await run(running.environment['PASSWORD']!)).stdout).toBe('hello\n')
  expect((await run('another password')).stdout).not.toContain('hello')
})
