/** Commands and servers whose output has lost its reader, or goes to a full disk. */

import { spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

const LONG = { timeout: 240_000 }
const FULL = '/dev/full'
const hasFull = existsSync(FULL)

/** A folder with a table of 3000 rows, more than a pipe holds. */
async function inFilledStore(work: (store: string, rows: string) => Promise<void> | void): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const rows = join(folder, 'rows.csv')
    writeFileSync(rows, Array.from({ length: 3000 }, (_, i) => `row${i},${'x'.repeat(1000)}\n`).join(''))
    const store = `native:${join(folder, 'store')}`
    expect(run('import', rows, ...FIELDS, '--create', '--store', store, '--table', 't').status).toBe(0)
    await work(store, rows)
  })
}

const FIELDS = ['--fields', 'HBASE_ROW_KEY,f:a'] as const

function run(...args: readonly string[]): ReturnType<typeof spawnSync> {
  return spawnSync(process.execPath, [MAIN, ...args])
}

/** Runs the command with stdout or stderr on a full disk. */
function onFullDisk(stream: 'stdout' | 'stderr', ...args: readonly string[]): ReturnType<typeof spawnSync> {
  const full = openSync(FULL, 'w')
  const stdio = ['ignore', stream === 'stdout' ? full : 'pipe', stream === 'stderr' ? full : 'pipe'] as const
  const result = spawnSync(process.execPath, [MAIN, ...args], { stdio: [...stdio] })
  closeSync(full)
  return result
}

test('an export whose reader goes ends, and says that its output is not whole', LONG, () =>
  inFilledStore(async (store) => {
    const args = [MAIN, 'export', '-', '--format', 'csv', '--store', store, '--table', 't']
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.stdout.once('data', () => child.stdout.destroy())
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(2)
    expect(said).toBe('tidegate: the output is not whole: its reader has gone\n')
  }),
)

test.skipIf(!hasFull)(
  'a command whose output finds no space says so, without a stack, with exit code 2',
  LONG,
  () =>
    inFilledStore((store) => {
      const fault = 'tidegate: the output cannot be written: ENOSPC: no space left on device, write\n'
      const exported = onFullDisk(
        'stdout',
        'export',
        '-',
        '--format',
        'csv',
        '--store',
        store,
        '--table',
        't',
      )
      expect([exported.status, String(exported.stderr)]).toEqual([
        2,
        `${fault}tidegate: the output is not whole\n`,
      ])
      const checked = onFullDisk('stdout', 'check', store.slice('native:'.length))
      expect([checked.status, String(checked.stderr)]).toEqual([2, fault])
    }),
)

test.skipIf(!hasFull)('a command goes on whose stderr finds no space', LONG, () =>
  inFilledStore((store, rows) => {
    const again = ['import', rows, ...FIELDS, '--store', store, '--table', 't', '--json'] as const
    const imported = onFullDisk('stderr', ...again, '--rate', '2m')
    expect(imported.status).toBe(0)
    const last = JSON.parse(String(imported.stdout).trim().split('\n').at(-1)!)
    expect(last).toMatchObject({ rows: 3000, isDone: true })
  }),
)

test.skipIf(!hasFull).each(['stdout', 'stderr'] as const)(
  'a server serves on whose %s finds no space',
  LONG,
  async (stream) => {
    const ports = ['rest', 'thrift', 'rpc', 'zookeeper', 'web'].flatMap((door) => [`--${door}`, '0'])
    const full = openSync(FULL, 'w')
    const stdio = [
      'ignore',
      stream === 'stdout' ? full : 'pipe',
      stream === 'stderr' ? full : 'pipe',
    ] as const
    const child = spawn(process.execPath, [MAIN, 'serve', '--store', 'memory', ...ports], {
      stdio: [...stdio],
    })
    closeSync(full)
    const shown = stream === 'stdout' ? child.stderr! : child.stdout!
    const ended = new Promise((resolve) => child.once('close', resolve))
    const rest = await new Promise<string>((resolve, reject) => {
      let text = ''
      shown.on('data', (chunk: Buffer) => {
        text += chunk.toString()
        const address = /rest(?:=|":")(127\.0\.0\.1:\d+)\b/.exec(text)?.[1]
        if (address !== undefined) resolve(address)
      })
      void ended.then(() => reject(new Error(text)))
    })
    expect((await fetch(`http://${rest}/version`)).status).toBe(200)
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  },
)
