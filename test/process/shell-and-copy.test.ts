/** The built commands `shell`, `copy`, `export` and `import` against a server. */

import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTidegate, type Tidegate } from '../../src/library/start-tidegate.ts'
import { inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

let server: Tidegate
let address: string

beforeAll(async () => {
  server = await startTidegate({ rest: 0, thrift: 0, rpc: 0, zookeeper: 0 })
  address = `rpc:127.0.0.1:${server.ports.rpc}`
})

afterAll(() => server.stop())

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** `killAt`: ends the command by SIGKILL as soon as this is so. */
async function ran(args: readonly string[], input = '', killAt?: () => boolean): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, ...args])
  const [out, err]: [Buffer[], Buffer[]] = [[], []]
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const watch = killAt === undefined ? undefined : setInterval(() => killAt() && child.kill('SIGKILL'), 5)
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve))
  clearInterval(watch)
  return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }
}

const shell = (args: readonly string[], input?: string): Promise<Ran> =>
  ran(['shell', '--address', address, ...args], input)

test('the shell runs commands, scripts and pipes, with exit codes', { timeout: 60_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const made = await shell([
      '-e',
      "create 's1', 'f'",
      '-e',
      "put 's1', 'r', 'f:q', 'v', 5",
      '-e',
      "scan 's1'",
    ])
    expect(made.code).toBe(0)
    expect(made.stdout).toContain(' r column=f:q, timestamp=1970-01-01T00:00:00.005, value=v\n1 row(s)\n')
    expect(made.stdout).not.toContain('hbase:')
    const failed = await shell(['-e', "get 'none', 'r'", '-e', 'list'])
    expect([
      failed.code,
      failed.stdout.includes('Unknown table none!'),
      failed.stdout.includes('TABLE'),
    ]).toEqual([1, true, false])
    const script = join(folder, 'script.rb')
    writeFileSync(script, "count 's1'\nget 'none', 'r'\nexit 4\n")
    const scripted = await shell([script])
    expect([scripted.code, scripted.stdout.includes('hbase:003:0> exit 4')]).toEqual([4, true])
    expect((await shell(['-n', script])).code).toBe(1)
    const cut = await shell(['-n'], "scan 's1',\n")
    expect([cut.code, cut.stdout.includes('within a command that begins in line 1')]).toEqual([1, true])
    writeFileSync(script, "disable_all 's1'\nlist\n")
    const unanswered = await shell([script], '')
    expect(unanswered.stdout).toContain('There is no answer on stdin: nothing is done.')
    expect(unanswered.stdout).toContain('=> ["s1"]')
    expect((await shell([script], 'y\n')).stdout).toContain('1 tables successfully disabled')
    expect((await shell(['-e', "drop_all 's1'", '-e', 'list'], 'n\n')).stdout).toContain('=> ["s1"]')
    await shell(['-e', "enable 's1'"])
    const zookeeper = `zookeeper:127.0.0.1:${server.ports.zookeeper}`
    const piped = await ran(['shell', '--address', zookeeper], 'list\n')
    expect([piped.code, piped.stdout.includes('=> ["s1"]')]).toEqual([0, true])
    const away = await ran(['shell', '--address', 'rest:http://x'])
    expect([
      away.code,
      away.stderr.includes('is not HOST:PORT; for TLS there are --tls and --tls-ca'),
    ]).toEqual([2, true])
    const { rest, thrift } = server.ports
    for (const other of [
      `rest:127.0.0.1:${rest}`,
      `thrift:127.0.0.1:${thrift}`,
      `thrift:127.0.0.1:${thrift}/framed`,
      `thrift:127.0.0.1:${thrift}/http`,
    ]) {
      const counted = await ran(['shell', '--address', other, '-e', "count 's1'", '-e', 'flush'])
      expect([counted.code, counted.stdout.includes('=> 1\n')]).toEqual([1, true])
    }
  }),
)

test('an input that stays open keeps no script', { timeout: 60_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const script = join(folder, 'script.rb')
    writeFileSync(script, "create 'o1', 'f'\ndisable_all 'o1'\nlist 'o1'\n")
    const child = spawn(process.execPath, [MAIN, 'shell', '--address', address, script])
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (said.endsWith('(y/n)?\n')) child.stdin.write('y\n')
    })
    const code = await new Promise((resolve) => child.once('close', resolve))
    expect([code, said.includes('1 tables successfully disabled')]).toEqual([0, true])
  }),
)

test('a server that does not answer at once is asked again', { timeout: 60_000 }, async () => {
  let connections = 0
  const front = createServer((socket) => {
    socket.on('error', () => undefined)
    if (connections++ === 0) {
      socket.destroy()
      return
    }
    const onward = connect(server.ports.rpc!, '127.0.0.1')
    onward.on('error', () => undefined)
    onward.on('close', () => socket.destroy())
    socket.pipe(onward).pipe(socket)
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const late = `rpc:127.0.0.1:${(front.address() as AddressInfo).port}`
  try {
    const listed = await ran(['shell', '--address', late, '-e', 'list'])
    expect([listed.code, listed.stdout.includes('row(s)')]).toEqual([0, true])
    connections = 0
    const exported = await ran(['export', '-', '--format', 'csv', '--store', late, '--table', 'none'])
    expect([exported.code, exported.stderr]).toEqual([2, 'tidegate: there is no table none\n'])
  } finally {
    await new Promise((resolve) => front.close(resolve))
  }
})

test('what is not there, or is there already, is said', { timeout: 60_000 }, () =>
  inTemporaryFolder(async (folder) => {
    await shell(['-e', "create 'p1', 'f'"])
    const file = join(folder, 'p1.csv')
    const store = ['--store', address, '--table']
    expect((await ran(['export', file, ...store, 'none'])).stderr).toBe('tidegate: there is no table none\n')
    expect(existsSync(file)).toBe(false)
    const missing = await ran(['import', file, ...store, 'p1'])
    expect([missing.code, missing.stderr]).toEqual([2, `tidegate: ${file} is not there\n`])
    writeFileSync(file, 'row,column,timestamp,type,value\nr,f:q,1,Put,v\n')
    expect((await ran(['import', file, ...store, 'none'])).stderr).toBe(
      `tidegate: ${file}: there is no table none: create it first, or let --create make it\n`,
    )
    writeFileSync(file, 'row,column,timestamp,type,value\nr,g:q,1,Put,v\n')
    expect((await ran(['import', file, ...store, 'p1'])).stderr).toBe(
      `tidegate: ${file}: the table p1 has no family g: add it in the shell (alter 'p1', 'g'), or correct the names of the columns\n`,
    )
    expect((await ran(['export', file, ...store, 'p1'])).stderr).toContain(`${file} is there already`)
    const copied = await ran(['copy', address, `native:${join(folder, 'data')}`, '--table', 'p1'])
    expect(copied.stderr).toContain('the destination has no table p1: create it there, or let --create')
  }),
)

test('files of cells go out and in, and are not overwritten', { timeout: 60_000 }, () =>
  inTemporaryFolder(async (folder) => {
    await shell([
      '-e',
      "create 'e1', {NAME => 'f', VERSIONS => 3}",
      '-e',
      "put 'e1', 'r', 'f:q', \"\\xff\", 7",
      '-e',
      "create 'e2', 'f'",
    ])
    const file = join(folder, 'e1.ndjson')
    const store = ['--store', address, '--table']
    expect((await ran(['export', file, ...store, 'e1'])).code).toBe(0)
    const line = '{"key":"r","cells":[{"column":"f:q","timestamp":7,"value":"\\\\xFF"}]}\n'
    expect(readFileSync(file, 'utf8')).toBe(line)
    expect((await ran(['export', file, ...store, 'e1'])).code).toBe(2)
    expect((await ran(['import', '-', '--format', 'ndjson', ...store, 'e2'], line)).code).toBe(0)
    const out = await ran(['export', '-', '--format', 'ndjson', ...store, 'e2', '--json'])
    expect([out.code, out.stdout, JSON.parse(out.stderr).isDone]).toEqual([0, line, true])
    const bad = await ran(['import', '-', '--format', 'ndjson', ...store, 'e2'], `${line}{`)
    expect([bad.code, bad.stderr.startsWith('tidegate: the input: line 2: ')]).toEqual([2, true])
    const folderOut = join(folder, 'sequence')
    expect((await ran(['export', folderOut, '--format', 'sequence', ...store, 'e1'])).code).toBe(0)
    expect((await ran(['import', folderOut, '--format', 'sequence', ...store, 'e2'])).stdout).toContain(
      'e2: 1 row,',
    )
  }),
)

test('a copy that is killed goes on from where it was', { timeout: 120_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const rows = Array.from({ length: 8000 }, (_, i) => `r${String(i).padStart(6, '0')},${'v'.repeat(400)}\n`)
    await shell(['-e', "create 'k1', 'f', SPLITS => ['r002000', 'r004000']"])
    const store = ['--store', address, '--table', 'k1']
    const filled = await ran(
      ['import', '-', '--format', 'csv', '--fields', 'HBASE_ROW_KEY,f:q', ...store],
      rows.join(''),
    )
    expect(filled.code).toBe(0)
    const [data, state] = [join(folder, 'data'), join(folder, 'state')]
    const copy = ['copy', address, `native:${data}`, '--table', 'k1', '--create', '--resume', state]
    const killed = await ran([...copy, '--rate', '1m'], '', () => existsSync(state))
    expect(killed.code).toBeNull()
    const rest = await ran([...copy, '--json', '--quiet'])
    expect([rest.code, rest.stderr]).toEqual([0, ''])
    const told = JSON.parse(rest.stdout.trimEnd().split('\n').at(-1)!)
    expect(told.rows).toBeLessThan(8000)
    expect(told).toMatchObject({ isDone: true, regions: 3, regionsDone: 3 })
    const both = await Promise.all(
      [address, `native:${data}`].map((from) =>
        ran(['export', '-', '--format', 'csv', '--store', from, '--table', 'k1']),
      ),
    )
    expect(both[1]!.stdout.length).toBeGreaterThan(3_200_000)
    expect(both[1]!.stdout === both[0]!.stdout).toBe(true)
  }),
)

const copied = (from: string, to: string, table: string): Promise<Ran> =>
  ran(['copy', from, to, '--table', table, '--create', '--json'])

test('tables go from server to server over REST and Thrift, and what is lost is said', {
  timeout: 60_000,
}, async () => {
  await shell([
    '-e',
    "create 'c1', {NAME => 'f', VERSIONS => 3}",
    '-e',
    'put \'c1\', "\\x00\\xff,*/", \'f:q\', "\\xff", 7',
    '-e',
    "put 'c1', 'r', 'f:q', 'v', {TTL => 3600000000}",
  ])
  const { rest, thrift } = server.ports
  const [overRest, overThrift] = [`rest:127.0.0.1:${rest}`, `thrift:127.0.0.1:${thrift}`]
  const first = await copied(address, overThrift, 'c1=c2')
  expect([first.code, first.stderr]).toEqual([
    0,
    'warning: c1 to c2: cells lose their tags (a TTL, labels or permissions of their own), which the destination does not take\n',
  ])
  expect(JSON.parse(first.stdout.trimEnd())).toMatchObject({
    rows: 2,
    cells: 2,
    losses: [expect.stringContaining('tags')],
  })
  const second = await copied(overThrift, overRest, 'c2=c3')
  expect([second.code, second.stderr]).toEqual([0, ''])
  const third = await copied(overRest, address, 'c3=c4')
  expect(third.code).toBe(0)
  expect(third.stderr).toContain('REST shows no markers of deletes')
  const out = await Promise.all(
    [
      ['c1', address],
      ['c4', address],
      ['c4', overRest],
      ['c4', overThrift],
    ].map(([table, from]) => ran(['export', '-', '--format', 'csv', '--store', from!, '--table', table!])),
  )
  expect(out[0]!.stdout.split('\n')).toHaveLength(4)
  for (const { stdout } of out) expect(stdout).toBe(out[0]!.stdout)
})
