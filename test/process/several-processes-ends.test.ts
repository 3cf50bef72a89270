import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ChildServer } from '../harness/child-server.ts'
import { defaultsBeside, FREE_PORTS, MAIN, makeTemporaryFolder } from '../harness/tidegate-process.ts'

/** Nobody serves there: a server starts all the same. */
const STORE = 'hbase:127.0.0.1:1'
const DOORS = ['rest', 'thrift', 'rpc', 'web'] as const

let folder: string

beforeEach(() => {
  folder = makeTemporaryFolder()
  vi.stubEnv('TMPDIR', folder)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function startTwo(...flags: readonly string[]): Promise<ChildServer> {
  const defaults = defaultsBeside(flags, [...FREE_PORTS, '--log-level', 'silent'])
  return ChildServer.start(MAIN, ['serve', '--store', STORE, '--processes', '2', ...defaults, ...flags])
}

function refused(...args: readonly string[]): { readonly status: number | null; readonly lines: string[] } {
  const defaults = defaultsBeside(args, [...FREE_PORTS, '--log-level', 'silent'])
  const all = ['serve', '--processes', '2', ...defaults, ...args]
  const { status, stderr } = spawnSync(process.execPath, [MAIN, ...all], { encoding: 'utf8' })
  return { status, lines: stderr.trim().split('\n') }
}

/** On Linux. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A process that has ended may wait for its parent.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.once('connect', () => socket.destroy()).once('error', () => resolve(false))
  })
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 20))
}

async function listening(): Promise<Server> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return server
}

test('a port that is taken is told once, and nothing is left', async () => {
  const rival = await listening()
  const { port } = rival.address() as AddressInfo
  const { status, lines } = refused('--store', STORE, '--rest', String(port))
  await new Promise((resolve) => rival.close(resolve))
  expect(lines).toEqual([
    `tidegate: --rest ${port}: 127.0.0.1:${port} is in use: another program listens there; choose another port with --rest PORT (0 takes a free one)`,
  ])
  expect(status).toBe(1)
  expect(readdirSync(folder)).toEqual([])
})

test.each([
  [['--store', 'memory'], 2, 'needs a cluster behind it'],
  [['--store', STORE, '--scanners-max', '1'], 2, 'is less than --processes 2'],
  [['--store', STORE, '--memory-max', '128m'], 1, 'leaves each of 2 processes 32m'],
  [['--store', STORE, '--access-log', '/nonexistent/file'], 1, 'the file cannot be opened'],
  [
    [
      '--store',
      STORE,
      '--rpc',
      'off',
      '--rest',
      'off',
      '--thrift',
      'off',
      '--zookeeper',
      'off',
      '--web',
      'off',
    ],
    1,
    'every door is off',
  ],
])('%j with two processes is refused in one line, with code %i', (args, code, reason) => {
  const { status, lines } = refused(...args)
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain(reason)
  expect(status).toBe(code)
  expect(readdirSync(folder)).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'where processes are killed, at once or one while the other starts, the next ones have the same ports at every door',
  async () => {
    // The door of ZooKeeper would wait for the cluster at each start.
    const server = await startTwo('--zookeeper', 'off')
    const serving = (): Promise<boolean> =>
      Promise.all(DOORS.map((door) => isListening(server.port(door)))).then((all) => all.every(Boolean))
    const others = (before: readonly number[]): number[] =>
      childrenOf(server.pid!).filter((pid) => pid > 0 && !before.includes(pid))
    try {
      const [one, two] = childrenOf(server.pid!) as [number, number]
      process.kill(one, 'SIGKILL')
      await until(() => others([one, two]).length === 1)
      process.kill(two, 'SIGKILL')
      await until(() => others([one, two]).length === 2)
      await until(serving)
      const before = childrenOf(server.pid!)
      for (const pid of before) process.kill(pid, 'SIGKILL')
      await until(() => others(before).length === 2)
      await until(serving)
    } finally {
      expect(await server.stop()).toBe(0)
    }
  },
  120_000,
)

test.runIf(process.platform === 'linux')(
  'a killed parent takes its processes with it, and what they kept',
  async () => {
    const server = await startTwo()
    const workers = childrenOf(server.pid!)
    await server.stop('SIGKILL')
    await until(() => workers.every((pid) => !lives(pid)))
    expect(readdirSync(folder)).toEqual([])
  },
)

test.runIf(process.platform === 'linux')('a signal while a process loads ends it, too, in time', async () => {
  const server = await startTwo()
  const before = childrenOf(server.pid!)
  process.kill(before[1]!, 'SIGKILL')
  await until(() => childrenOf(server.pid!).some((pid) => pid > 0 && !before.includes(pid)))
  const since = performance.now()
  expect(await server.stop()).toBe(0)
  expect(performance.now() - since).toBeLessThan(8000)
})
