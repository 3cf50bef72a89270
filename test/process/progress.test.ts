/** Long commands on a pseudo terminal, and under Ctrl-C. */

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

const LONG = { timeout: 240_000 }
const hasTerminals = spawnSync('script', ['--version']).status === 0

interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly output: () => string
  readonly ended: Promise<number | null>
  /** Resolves once the output matches. */
  readonly shows: (pattern: RegExp) => Promise<void>
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
  const child = spawn(command, args, { env: { ...process.env, TERM: 'xterm', ...env } })
  let text = ''
  const waiting = new Set<() => void>()
  const take = (chunk: Buffer): void => {
    text += chunk.toString()
    for (const look of waiting) look()
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const shows = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!pattern.test(text)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
      void ended.then(() => reject(new Error(`it has ended: ${text}`)))
    })
  return { child, output: () => text, ended, shows }
}

function tidegate(...args: readonly string[]): Running {
  return run(process.execPath, [MAIN, ...args])
}

/** A folder with a table of 2000 rows. */
async function inFilledStore(work: (folder: string, store: string) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) => {
    const lines = Array.from(
      { length: 2000 },
      (_, i) => `row${String(i).padStart(4, '0')},${'x'.repeat(2000)}\n`,
    )
    const file = join(folder, 'rows.csv')
    writeFileSync(file, lines.join(''))
    const store = `native:${join(folder, 'store')}`
    const fields = ['--fields', 'HBASE_ROW_KEY,f:a', '--create']
    const imported = tidegate('import', file, ...fields, '--store', store, '--table', 't')
    expect([await imported.ended, imported.output()]).toEqual([0, expect.stringContaining('t: 2,000 rows')])
    await work(folder, store)
  })
}

test.skipIf(!hasTerminals)('a terminal has a line in place, without colours, that Ctrl-C ends', LONG, () =>
  inFilledStore(async (folder, store) => {
    const target = join(folder, 'out.ndjson')
    const words = [
      process.execPath,
      MAIN,
      'export',
      target,
      '--store',
      store,
      '--table',
      't',
      '--rate',
      '500k',
    ]
    const command = words.map((word) => `'${word}'`).join(' ')
    const exporting = run('script', ['-qec', `stty cols 40; ${command}`, '/dev/null'], { NO_COLOR: '1' })
    await exporting.shows(/t: [1-9]\d? %/)
    exporting.child.stdin.write('\x03')
    expect(await exporting.ended).toBe(130)
    const output = exporting.output()
    expect(output).toMatch(
      /tidegate: export was interrupted: t: [\d,]+ rows, [\d.]+ MB\. .*out\.ndjson has these rows/,
    )
    expect(output.replaceAll('\x1b[K', '')).not.toContain('\x1b')
    const lines = output.split('\r\x1b[K').filter((line) => line.startsWith('t: '))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line.split('\n')[0]!.length).toBeLessThan(40)
  }),
)

test('a second Ctrl-C ends a command at once that waits for its end', LONG, () =>
  inTemporaryFolder(async (folder) => {
    const copy = tidegate('copy', 'rpc:127.0.0.1:1', `native:${join(folder, 'to')}`, '--all')
    await copy.shows(/Cannot reach 127\.0\.0\.1:1, trying again \(3 s\)\n/)
    copy.child.kill('SIGINT')
    copy.child.kill('SIGINT')
    expect(await copy.ended).toBe(130)
    expect(copy.output()).toContain('tidegate: copy was interrupted: nothing was done yet. ')
  }),
)

test('a copy that Ctrl-C ends goes on from its file, and --quiet shows nothing', LONG, () =>
  inFilledStore(async (folder, store) => {
    const to = `native:${join(folder, 'to')}`
    const resume = join(folder, 'resume.json')
    const command = ['copy', store, to, '--table', 't', '--create', '--resume', resume]
    const copy = tidegate(...command, '--rate', '500k', '--json')
    await copy.shows(/"kind":"progress","command":"copy","task":"t","done":\{"rows":[1-9]/)
    copy.child.kill('SIGINT')
    expect(await copy.ended).toBe(130)
    const last = JSON.parse(copy.output().trim().split('\n').at(-1)!)
    expect(last).toMatchObject({ kind: 'interrupted', advice: `The same command goes on from ${resume}` })
    const done = last.steps[0].done.rows
    const rest = tidegate(...command, '--quiet')
    expect([done > 0, await rest.ended]).toEqual([true, 0])
    const [, rows] = /^t: ([\d,]+) rows, [^\n]*\n$/.exec(rest.output())!
    expect(Number(rows!.replace(',', ''))).toBeLessThanOrEqual(2000)
    expect(Number(rows!.replace(',', ''))).toBeLessThan(2000 - done / 2)
  }),
)
