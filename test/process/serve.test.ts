import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { FREE_PORTS, inTemporaryFolder, MAIN, startTidegate } from '../harness/tidegate-process.ts'

async function run(...args: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [MAIN, ...args])
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  return { code, stdout, stderr }
}

test('--version and --help answer on stdout and end with 0', async () => {
  expect(await run('--version')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) as string,
  })
  const help = await run('serve', '--help')
  expect(help).toMatchObject({ code: 0, stdout: expect.stringContaining('--thrift <port>') as string })
  expect(help.stdout).toContain('TIDEGATE_REQUEST_BYTES_MAX')
})

test.each([
  [['serve', '--rest', 'x'], "--rest <port>' argument 'x' is invalid"],
  [['serve', '--frobnicate'], "unknown option '--frobnicate'"],
  [['dance'], "unknown command 'dance'"],
  [['serve', '--config', '/nonexistent.xml'], 'config file cannot be read'],
])('%j ends with 2 and says why', async (args, reason) => {
  const { code, stdout, stderr } = await run(...args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  expect(stderr).toContain(reason)
})

test.each(['thrift', 'web'])(
  'a port that is taken, of %s, is named, and nothing stays open',
  async (door) => {
    const holder = createServer().listen(0, '127.0.0.1')
    await new Promise((resolve) => holder.once('listening', resolve))
    const { port } = holder.address() as { port: number }
    try {
      const taken = [`--${door}`, String(port)]
      const { code, stderr } = await run('serve', '--store', 'memory', ...FREE_PORTS, ...taken)
      expect(code).toBe(1)
      expect(stderr).toContain(`127.0.0.1:${port}`)
    } finally {
      holder.close()
    }
  },
)

test('the ready line names every door, and SIGTERM ends with 0 and keeps the data', () =>
  inTemporaryFolder(async (folder) => {
    const first = await startTidegate(`native:${folder}`)
    expect(first.readyLine).toMatch(
      /^ready store=native rest=127\.0\.0\.1:\d+ thrift=127\.0\.0\.1:\d+ rpc=off zookeeper=off web=127\.0\.0\.1:\d+$/,
    )
    const url = `http://127.0.0.1:${first.port('rest')}`
    const json = { 'content-type': 'application/json' }
    const schema = '{"name":"t","ColumnSchema":[{"name":"f"}]}'
    expect((await fetch(`${url}/t/schema`, { method: 'PUT', headers: json, body: schema })).status).toBe(201)
    const octets = { 'content-type': 'application/octet-stream' }
    expect((await fetch(`${url}/t/r/f:q`, { method: 'PUT', headers: octets, body: 'kept' })).status).toBe(200)
    expect(await first.stop('SIGTERM')).toBe(0)

    const second = await startTidegate(`native:${folder}`, '--thrift', 'off', '--web', 'off')
    expect(second.readyLine).toContain('thrift=off')
    expect(second.readyLine).toContain('web=off')
    const answer = await fetch(`http://127.0.0.1:${second.port('rest')}/t/r/f:q`, {
      headers: { accept: 'application/octet-stream' },
    })
    expect(await answer.text()).toBe('kept')
    expect(await second.stop('SIGINT')).toBe(0)
  }))

test('a data folder in use is refused with its name', () =>
  inTemporaryFolder(async (folder) => {
    const first = await startTidegate(`native:${folder}`)
    const { code, stderr } = await run('serve', '--store', `native:${folder}`, ...FREE_PORTS)
    expect(code).toBe(1)
    expect(stderr).toContain(folder)
    await first.stop()
  }))
