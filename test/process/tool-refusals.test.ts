import { spawnSync } from 'node:child_process'
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
