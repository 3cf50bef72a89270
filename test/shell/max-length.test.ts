import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShellOnServer, type ShellOnServer } from './shell-on-server.ts'

let shell: ShellOnServer
beforeAll(async () => {
  shell = await openShellOnServer()
})
afterAll(() => shell.close())

async function printed(...lines: string[]): Promise<string> {
  return (await shell.run(lines)).output
}

test('of a long value MAXLENGTH shows as much as of a whole one, to the character', async () => {
  // A byte of four characters may be cut within.
  await printed("create 't', 'f'", `put 't', 'r', 'f:q', "${'a\\x00'.repeat(40)}", 5`)
  const whole = / (timestamp=.*)/.exec(await printed("get 't', 'r', 'f:q'"))![1]!
  expect(whole).toContain('value=a\\x00a')
  for (const length of [1, 30, 50, 51, 52, 53, 54, 55, 120]) {
    const cut = await printed(`get 't', 'r', {COLUMN => 'f:q', MAXLENGTH => ${length}}`)
    expect(cut).toContain(` ${whole.slice(0, length)}\n`)
  }
  expect(await printed("get 't', 'r', {COLUMN => 'f:q:toHex', MAXLENGTH => 80}")).toContain(
    'value=610061006100',
  )
})
