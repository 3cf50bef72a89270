/** The commands that a new user reads on a terminal, and in the help, each run as it stands. */

import { execFile, spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { SERVE_EXAMPLES } from '../../src/cli/settings/serve-help.ts'
import { ChildServer } from '../harness/child-server.ts'
import { own } from '../harness/processes/owned-children.ts'
import { HAS_TERMINALS, onTerminal } from '../harness/processes/program-on-terminal.ts'
import { defaultsBeside, FREE_PORTS, inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

const execute = promisify(execFile)
const TIDEGATE = `"${process.execPath}" "${MAIN}"`

interface OnTerminal {
  /** The lines of both outputs, as the terminal shows them. */
  readonly lines: readonly string[]
  end(): Promise<number | null>
}

/** Runs the command in a pseudo terminal until it has printed how to stop it. */
async function whileServing(
  command: string,
  folder: string,
  work: (terminal: OnTerminal) => Promise<void>,
): Promise<void> {
  const { child, kill } = onTerminal(command, folder)
  // Also where the server is never ready, and the test's time is over.
  onTestFinished(kill)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let text = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString().replaceAll('\r', '')
      if (/^Stop .*\n[\s\S]*\n/m.test(text)) resolve()
    })
    void ended.then((code) => reject(new Error(`ended with ${code}: ${text}`)))
  })
  const end = (): Promise<number | null> => {
    // Ctrl-C, as the terminal passes it on.
    if (child.exitCode === null) child.stdin.write('\x03')
    return ended
  }
  try {
    await work({ lines: text.split('\n'), end })
  } finally {
    await end()
  }
}

/** The command of the line that begins with the word. */
function commandOf({ lines }: OnTerminal, word: string): string {
  const line = lines.find((text) => text.startsWith(word))
  if (line === undefined) throw new Error(`no line ${word} in ${lines.join('\n')}`)
  return line.slice(word.length).trim()
}

async function pasted(command: string, folder: string): Promise<string> {
  const { stdout } = await execute('sh', ['-ec', command], { cwd: folder })
  return stdout
}

describe.runIf(HAS_TERMINALS)('on a terminal', { timeout: 120_000 }, () => {
  test('the lines of a server work as they stand, and Ctrl-C ends it', () =>
    inTemporaryFolder(async (folder) => {
      const ports = FREE_PORTS.join(' ')
      await whileServing(`${TIDEGATE} serve --log-level error ${ports}`, folder, async (server) => {
        const [, ready] = /^(ready store=native .*)$/m.exec(server.lines.join('\n')) ?? []
        expect(ready).toBeDefined()
        expect(await pasted(`curl -fs ${commandOf(server, 'Console')}`, folder)).toContain('<title>')
        expect(await pasted(commandOf(server, 'REST'), folder)).toContain('2.')
        const shell = commandOf(server, 'Shell')
        expect(await pasted(`${shell} -n -e 'create "t", "f"' -e list`, folder)).toContain('t\n')
        expect(await server.end()).toBe(0)
        expect(existsSync(join(folder, 'data', 'LOCK'))).toBe(false)
      })
    }))

  test('the demo has its cities, and its folder goes with it', () =>
    inTemporaryFolder(async (folder) => {
      const command = `env TMPDIR="${folder}" ${TIDEGATE} demo ${FREE_PORTS.join(' ')}`
      await whileServing(command, folder, async (server) => {
        expect(readdirSync(folder)).toEqual([expect.stringMatching(/^tidegate-demo-/)])
        expect(await pasted(commandOf(server, 'REST'), folder)).toContain('"CH/ZH/Zürich"')
        expect(await pasted(`curl -fs ${commandOf(server, 'Console')}`, folder)).toContain('<title>')
        const shell = commandOf(server, 'Shell')
        expect(await pasted(`${shell} -n -e 'count "cities"'`, folder)).toMatch(/^\d{4,5} row\(s\)/m)
        expect(await server.end()).toBe(0)
        expect(readdirSync(folder)).toEqual([])
      })
    }))
})

test('a program that starts a server reads no commands for people', () =>
  inTemporaryFolder(async (folder) => {
    const child = spawn(process.execPath, [MAIN, 'serve', ...FREE_PORTS], { cwd: folder })
    own(child)
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString()
      if (stderr.includes('serving, until')) child.kill('SIGTERM')
    })
    expect(await ended).toBe(0)
    expect(stdout).toMatch(/^ready [^\n]*\n$/)
    for (const line of stderr.trim().split('\n')) expect(line).toMatch(/^\{.*\}$/)
  }))

test('--data keeps the demo, and the next one finds it', { timeout: 120_000 }, () =>
  inTemporaryFolder(async (folder) => {
    const args = ['demo', '--data', join(folder, 'kept'), ...FREE_PORTS]
    for (const value of ['first', 'second']) {
      const server = await ChildServer.start(MAIN, args, openSync(join(folder, `${value}.log`), 'w'))
      const url = `http://127.0.0.1:${server.port('rest')}/cities/LI%2F/f:name`
      const before = await fetch(url)
      expect(before.status).toBe(value === 'first' ? 404 : 200)
      await fetch(url, {
        method: 'PUT',
        body: value,
        headers: { 'content-type': 'application/octet-stream' },
      })
      expect(await server.stop()).toBe(0)
    }
  }),
)

test.each(SERVE_EXAMPLES)('the example of the help runs: $command', { timeout: 120_000 }, ({ command }) =>
  inTemporaryFolder(async (folder) => {
    const [, , ...flags] = command.split(' ')
    const words = flags.map((word) => (word.startsWith('hbase:') ? 'hbase:127.0.0.1:1,127.0.0.1:2' : word))
    const store = words.includes('--store') ? [] : ['--store', `native:${folder}`]
    const server = await ChildServer.start(MAIN, [
      'serve',
      ...words,
      ...store,
      ...defaultsBeside(words, [...FREE_PORTS, '--log-level', 'silent']),
    ])
    expect(await server.stop()).toBe(0)
  }),
)
