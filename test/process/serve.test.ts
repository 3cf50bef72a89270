import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  defaultsBeside,
  FREE_PORTS,
  inTemporaryFolder,
  MAIN,
  startTidegate,
} from '../harness/tidegate-process.ts'

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

const DOOR_FLAGS = ['--rest', '--thrift', '--rpc', '--zookeeper', '--web']

const run = (...args: string[]): Promise<Ended> => runIn(process.env, ...args)

const runIn = (env: NodeJS.ProcessEnv, ...args: string[]): Promise<Ended> =>
  ended(spawn(process.execPath, [MAIN, ...args], { env }))

async function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}

test.concurrent('--version and --help answer on stdout and end with 0', async () => {
  expect(await run('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
  })
  const help = await run('serve', '--help')
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('--thrift <port>') as string })
  expect((await run('serve', '--help', 'all')).stdout).toContain('TIDEGATE_REQUEST_BYTES_MAX')
  expect(help.stdout).toContain('Exit codes: 0 after SIGTERM')
})

test.concurrent.each([
  [['serve', '--rest', 'x'], "--rest <port>' argument 'x' is invalid"],
  [['serve', '--rest', '127.0.0.1:8080'], 'The address of all doors is --host.'],
  [['--rest', '0'], "unknown option '--rest'. It is an option of serve: tidegate serve --rest"],
  [['serve', '--host='], "--host <address>' argument '' is invalid. It must be an IP address"],
  [['serve', '--frobnicate'], "unknown option '--frobnicate'"],
  [['serve', '--stor', 'memory'], '(Did you mean --store?)'],
  [['serve', '--users', 'a', '--users', 'b'], "option '--users <file>' is given twice, and takes one value"],
  [['dance'], "unknown command 'dance'"],
  [['serve', '--config', '/nonexistent.xml'], 'config file cannot be read'],
])('%j ends with 2 and says why in a line', async (args, reason) => {
  const { code, stdout, stderr } = await run(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(reason)
  expect(stderr).toMatch(/^tidegate: .*\n$/)
})

test.runIf(process.platform === 'linux')(
  'too low a limit of open files is told in a line, with the least one',
  async () => {
    const { code, stdout, stderr } = await ended(
      spawn('sh', ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, MAIN, 'serve']),
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /^tidegate: this process may open only 64 files: raise the limit to 256 or more .*\n$/,
    )
  },
)

test('a definition that Tidegate does not read is told before anything opens', async () => {
  const doors = DOOR_FLAGS.flatMap((flag) => [flag, 'off'])
  const { stderr } = await run('serve', '--store', 'memory', ...doors, '-D', 'hbase.rest.prot=1')
  expect(stderr).toMatch(/^[{].*-D hbase\.rest\.prot has no effect.*\ntidegate: every door is off/)
})

test.concurrent.each(['thrift', 'web'])(
  'a port that is taken, of %s, is named, and nothing stays open',
  async (door) => {
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const { port } = holder.address() as { port: number }
    try {
      const taken = [`--${door}`, String(port)]
      const others = defaultsBeside(taken, FREE_PORTS)
      const { code, stderr } = await run('serve', '--store', 'memory', ...others, ...taken)
      expect(code).toBe(1)
      expect(stderr).toBe(
        `tidegate: --${door} ${port}: 127.0.0.1:${port} is in use: another program listens there; choose another port ` +
          `with --${door} PORT (0 takes a free one)\n`,
      )
    } finally {
      holder.close()
    }
  },
)

test.concurrent('all ports that are taken are named at once', async () => {
  const holders = [createServer().listen(0, '127.0.0.1'), createServer().listen(0, '127.0.0.1')]
  await Promise.all(holders.map((holder) => new Promise((resolve) => holder.once('listening', resolve))))
  const [first, second] = holders.map((holder) => (holder.address() as { port: number }).port)
  try {
    const taken = ['--rest', String(first), '--zookeeper', String(second)]
    const { code, stderr } = await run(
      'serve',
      '--store',
      'memory',
      ...defaultsBeside(taken, FREE_PORTS),
      ...taken,
    )
    expect(code).toBe(1)
    expect(stderr).toContain(`with --rest PORT (0 takes a free one). Also in use: --zookeeper ${second}\n`)
  } finally {
    for (const holder of holders) holder.close()
  }
})

test.concurrent('the ready line names every door, and SIGTERM ends with 0 and keeps the data', () =>
  inTemporaryFolder(async (folder) => {
    const first = await startTidegate(`native:${folder}`, '--master', '0')
    expect(first.readyLine).toMatch(
      /^ready store=native rest=127\.0\.0\.1:\d+ thrift=127\.0\.0\.1:\d+ rpc=127\.0\.0\.1:\d+ master=127\.0\.0\.1:\d+ zookeeper=127\.0\.0\.1:\d+ web=127\.0\.0\.1:\d+ timeline=off$/,
    )
    const url = `http://127.0.0.1:${first.port('rest')}`
    const json = { 'content-type': 'application/json' }
    const schema = '{"name":"t","ColumnSchema":[{"name":"f"}]}'
    expect((await fetch(`${url}/t/schema`, { method: 'PUT', headers: json, body: schema })).status).toBe(201)
    const octets = { 'content-type': 'application/octet-stream' }
    expect((await fetch(`${url}/t/r/f:q`, { method: 'PUT', headers: octets, body: 'kept' })).status).toBe(200)
    expect(await first.stop('SIGTERM')).toBe(0)

    const second = await startTidegate(
      `native:${folder}`,
      '--thrift',
      'off',
      '--zookeeper',
      'off',
      '--web',
      'off',
    )
    expect(second.readyLine).toContain('thrift=off')
    expect(second.readyLine).toContain('web=off')
    const answer = await fetch(`http://127.0.0.1:${second.port('rest')}/t/r/f:q`, {
      headers: { accept: 'application/octet-stream' },
    })
    expect(await answer.text()).toBe('kept')
    expect(await second.stop('SIGINT')).toBe(0)
  }))

test.concurrent('start and stop have a line each: what runs, what somebody has stated, and why it ends', async () => {
  const child = spawn(process.execPath, [
    MAIN,
    'serve',
    '--store',
    'memory',
    ...FREE_PORTS,
    '--batch-max',
    '9',
  ])
  child.stdout.once('data', () => child.kill('SIGTERM'))
  const { code, stderr } = await ended(child)
  expect(code).toBe(0)
  const [serving, stopping, stopped, ...more] = stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
  expect(serving).toMatchObject({
    version: expect.stringMatching(/^\d/) as string,
    store: '--store memory',
    rest: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
    rpc: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
    settings: { store: 'memory', rest: '0', thrift: '0', web: '0', batchMax: '9' },
  })
  expect(stopping).toMatchObject({ reason: 'SIGTERM' })
  expect(stopped).toMatchObject({ reason: 'SIGTERM', msg: 'stopped, because of SIGTERM' })
  expect(more).toEqual([])
})

test.concurrent('a stop whose data folder somebody has removed says so, and ends with 1', () =>
  inTemporaryFolder(async (folder) => {
    const store = join(folder, 'store')
    const child = spawn(process.execPath, [MAIN, 'serve', '--store', `native:${store}`, ...FREE_PORTS])
    child.stdout.once('data', () => {
      rmSync(store, { recursive: true })
      child.kill('SIGTERM')
    })
    const { code, stderr } = await ended(child)
    expect(code).toBe(1)
    expect(stderr).toContain(`stopping failed: the store has lost its folder (${store}/LOCK is gone)`)
    expect(existsSync(store)).toBe(false)
  }))

test.concurrent('a data folder in use is refused with the setting, its name and its owner', () =>
  inTemporaryFolder(async (folder) => {
    const first = await startTidegate(`native:${folder}`)
    const { code, stderr } = await run('serve', '--store', `native:${folder}`, ...FREE_PORTS)
    expect(code).toBe(1)
    expect(stderr).toBe(
      `tidegate: --store native:${folder}: the directory ${folder} is in use by process ${first.pid}; end that process, ` +
        'or choose another folder with --store native:DIRECTORY\n',
    )
    await first.stop()
  }))

test.concurrent('a data folder that cannot be made is refused in a line, by the variable that names it', () =>
  inTemporaryFolder(async (folder) => {
    const file = join(folder, 'file')
    writeFileSync(file, '')
    const environment = { ...process.env, TIDEGATE_STORE: `native:${file}/data` }
    const { code, stderr } = await runIn(environment, 'serve', ...FREE_PORTS)
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^tidegate: TIDEGATE_STORE=native:\S+\/file\/data: a part of its path is a file, .*\n$/,
    )
  }))

test.concurrent('a pipe in the place of a file of the store is named, and holds nothing up', () =>
  inTemporaryFolder(async (folder) => {
    spawnSync('mkfifo', [join(folder, 'manifest')])
    const { code, stderr } = await run('serve', '--store', `native:${folder}`, ...FREE_PORTS)
    expect(code).toBe(1)
    expect(stderr).toBe(
      `tidegate: --store native:${folder}: ${folder}/manifest is a pipe, not a file: move it away\n`,
    )
  }))

test.concurrent('a server without a door is refused', async () => {
  const off = DOOR_FLAGS.flatMap((flag) => [flag, 'off'])
  const { code, stderr } = await run('serve', '--store', 'memory', ...off)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: 'tidegate: every door is off: give at least one of them a port\n',
  })
})

test.concurrent('the log tells at the start what is served where, at the end why it ends; a second signal breaks nothing off', async () => {
  const child = spawn(process.execPath, [MAIN, 'serve', '--store', 'memory', ...FREE_PORTS])
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString()
    if (log.includes('serving')) child.kill('SIGTERM')
  })
  await new Promise((resolve) => child.once('close', resolve))
  const lines = log.trim().split('\n')
  const [start, stopping, stopped] = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(lines).toHaveLength(3)
  expect(start).toMatchObject({
    store: '--store memory',
    rest: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
    rpc: expect.stringMatching(/^127\.0\.0\.1:\d+$/) as string,
  })
  expect(stopping).toMatchObject({ reason: 'SIGTERM', msg: expect.stringMatching(/^stopping/) as string })
  expect(stopped).toMatchObject({ msg: 'stopped, because of SIGTERM' })
})
