/** This shell on Tidegate must print what HBase's shell 2.4.17 printed on a real HBase. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseTableName } from '../../src/model/table-name.ts'
import { packageRoot } from '../../src/package-root.ts'
import { OWN_CALL } from '../../src/store/call.ts'
import { compareAnswers } from '../harness/client-transcripts/compare-answers.ts'
import { commandsOf, isOfHBaseAlone, MERGE_PROGRAM } from '../harness/client-transcripts/ruby-lines.ts'
import { answersOfShell } from '../harness/client-transcripts/shell-transcript.ts'
import { openShellOnServer, type ShellOnServer } from './shell-on-server.ts'

const FOLDER = fileURLToPath(new URL('test/clients/shell/', packageRoot()))

let folder: string
let shell: ShellOnServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shell-transcripts-'))
  shell = await openShellOnServer(`native:${join(folder, 'data')}`)
})

afterAll(async () => {
  await shell.close()
  rmSync(folder, { recursive: true })
})

const linesOf = (file: string): string[] => readFileSync(join(FOLDER, file), 'utf8').trimEnd().split('\n')

async function* translated(lines: readonly string[]): AsyncGenerator<string> {
  for (const line of lines) {
    const table = MERGE_PROGRAM.exec(line)?.[1]
    const regions =
      table === undefined ? [] : await shell.store.catalog.regions(parseTableName(table), OWN_CALL)
    const names = regions.map(({ encodedName }) => encodedName)
    yield* commandsOf(line, names)
  }
}

test('the usual commands print what they print on HBase', async () => {
  const { output } = await shell.run(translated(linesOf('usual-commands.rb')))
  const found = new Map(answersOfShell(output))
  const wanted = new Map(answersOfShell(readFileSync(join(FOLDER, 'recorded.txt'), 'utf8')))
  const own = [...wanted.keys()].filter((step) => isOfHBaseAlone(step))
  expect(own).toHaveLength(3)
  for (const step of own) wanted.delete(step)
  for (const step of found.keys()) if (!wanted.has(step)) found.delete(step)
  expect(found.size).toBe(195)
  expect(compareAnswers({ program: 'shell', wanted, found, differing: new Set() })).toEqual([])
})

test('literals, references of tables, options and refusals print what they print on HBase', async () => {
  const { output } = await shell.run(linesOf('more-commands.rb'))
  const found = answersOfShell(output)
  const wanted = answersOfShell(readFileSync(join(FOLDER, 'recorded-more.txt'), 'utf8'))
  expect(wanted.size).toBe(156)
  expect(compareAnswers({ program: 'shell', wanted, found, differing: new Set() })).toEqual([])
})
