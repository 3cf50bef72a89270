/** Examples of a page: commands behind `$ `, with their answers. `…` in an answer stands for any text. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { MAIN } from '../harness/tidegate-process.ts'

interface Example {
  readonly command: string
  readonly answer: readonly string[]
}

function examplesOf(page: string): Example[] {
  const lines = [...readFileSync(page, 'utf8').matchAll(/^```console\n([\s\S]*?)^```/gm)].flatMap((match) =>
    match[1]!.trimEnd().split('\n'),
  )
  const found: { command: string; answer: string[] }[] = []
  for (const line of lines) {
    if (line.startsWith('$ ')) found.push({ command: line.slice(2), answer: [] })
    else found.at(-1)!.answer.push(line)
  }
  return found
}

async function ran(command: string, folder: string): Promise<string[]> {
  const script = `tidegate() { "${process.execPath}" "${MAIN}" "$@"; }\n${command}`
  const child = spawn('sh', ['-c', script], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  const [output, [status]] = await Promise.all([text(child.stdout), once(child, 'close')])
  const lines = output.trimEnd().split('\n')
  return status === 0 ? lines : [...lines, `(exit code ${status})`]
}

function pattern(line: string): RegExp {
  const parts = line.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

/** Runs the examples one after the other in the folder, and compares their answers. `changed`: makes the command fit the test's servers. */
export async function expectExamples(
  page: string,
  folder: string,
  least: number,
  changed: (command: string) => string = (command) => command,
): Promise<void> {
  const found = examplesOf(page)
  expect(found.length).toBeGreaterThanOrEqual(least)
  for (const { command, answer } of found) {
    const lines = await ran(changed(command), folder)
    expect(lines, command).toEqual(answer.map((line) => expect.stringMatching(pattern(line))))
  }
}
