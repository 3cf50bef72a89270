import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inTemporaryFolder, MAIN } from '../harness/tidegate-process.ts'

test(
  'tools say what is wrong with a folder that has no store, and make none there',
  { timeout: 60_000 },
  () =>
    inTemporaryFolder(async (cwd) => {
      mkdirSync(`${cwd}/empty`)
      writeFileSync(`${cwd}/note.txt`, 'hello')
      for (const [args, message] of [
        [['check', 'nowhere'], 'nowhere is not there'],
        [['check', 'note.txt'], 'note.txt is a file: name the folder of --store native:DIRECTORY'],
        [['repair', 'empty'], 'empty has no store: it is empty'],
        [['export', 'out', '--store', 'native:nowhere', '--table', 't'], 'nowhere is not there'],
      ] as const) {
        const { status, stderr } = spawnSync(process.execPath, [MAIN, ...args], { cwd, encoding: 'utf8' })
        expect([status, stderr]).toEqual([2, `tidegate: ${message}\n`])
      }
      expect(readdirSync(cwd).sort()).toEqual(['empty', 'note.txt'])
      expect(readdirSync(`${cwd}/empty`)).toEqual([])
    }),
)

test(
  'a backup of a server that is away fails with one sentence, and leaves no folder',
  { timeout: 60_000 },
  () =>
    inTemporaryFolder(async (cwd) => {
      const child = spawn(
        process.execPath,
        [MAIN, 'backup', 'create', 'x/y', '--address', 'rpc:127.0.0.1:1'],
        {
          cwd,
          stdio: ['ignore', 'ignore', 'pipe'],
        },
      )
      const ended = once(child, 'exit')
      let output = ''
      for await (const chunk of child.stderr) output += String(chunk)
      expect((await ended)[0]).toBe(2)
      const lines = output
        .split('\n')
        .filter((line) => line !== '' && !/^Cannot reach .* trying again/.test(line))
      expect(lines).toEqual([
        expect.stringMatching(/^tidegate: nothing answers at 127\.0\.0\.1:1: see whether/),
      ])
      expect(readdirSync(cwd)).toEqual([])
    }),
)

test('a command says that its server is away while it tries again', { timeout: 60_000 }, async () => {
  const args = ['export', '-', '--format', 'ndjson', '--store', 'rpc:127.0.0.1:1', '--table', 't']
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  try {
    let output = ''
    for await (const chunk of child.stderr) {
      output += String(chunk)
      if (output.includes('trying again')) break
    }
    expect(output).toMatch(/^Cannot reach 127\.0\.0\.1:1, trying again \(\d+ s\)\n/)
  } finally {
    child.kill()
    await ended
  }
})
