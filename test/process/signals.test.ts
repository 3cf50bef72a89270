import { openSync, readFileSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { writeUser } from '../../src/gateway/identity/guard/passwords/users-file.ts'
import { ChildServer } from '../harness/child-server.ts'
import { FREE_PORTS, MAIN, makeTemporaryFolder } from '../harness/tidegate-process.ts'

let folder: string

beforeEach(() => {
  folder = makeTemporaryFolder()
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

/** On Linux. */
function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return text === '' ? [] : text.split(' ').map(Number)
}

async function until(isSo: () => boolean): Promise<void> {
  await vi.waitFor(() => expect(isSo()).toBe(true), 20_000)
}

const [MEMORY, TWO] = [
  ['--store', 'memory'],
  // Nobody serves there: a server starts all the same.
  ['--store', 'hbase:127.0.0.1:1', '--processes', '2'],
]

test.runIf(process.platform === 'linux').each([
  ['one process', MEMORY, 1],
  ['two processes', TWO, 2],
])(
  'SIGHUP has every part of a server of %s read its files, and SIGUSR1 opens no debugger',
  async (_, args, count) => {
    const [log, users] = [`${folder}/log`, `${folder}/users`]
    await writeUser(users, 'alice', 'the password of alice')
    const server = await ChildServer.start(
      MAIN,
      ['serve', ...args, ...FREE_PORTS, '--users', users],
      openSync(log, 'a'),
    )
    for (const pid of [server.pid!, ...childrenOf(server.pid!)]) process.kill(pid, 'SIGUSR1')
    process.kill(server.pid!, 'SIGHUP')
    await until(() => readFileSync(log, 'utf8').split('users read again').length === 1 + count)
    expect(await server.stop()).toBe(0)
    expect(readFileSync(log, 'utf8')).not.toMatch(/debugger|inspector/i)
  },
)

test.runIf(process.platform !== 'win32').each([
  ['one process', MEMORY],
  ['two processes', TWO],
])('SIGHUP ends no server of %s that has no files', async (_, args) => {
  const log = `${folder}/log`
  const server = await ChildServer.start(MAIN, ['serve', ...args, ...FREE_PORTS], openSync(log, 'a'))
  process.kill(server.pid!, 'SIGHUP')
  expect((await fetch(`http://127.0.0.1:${server.port('web')}/health/live`)).status).toBe(200)
  expect(await server.stop()).toBe(0)
})
