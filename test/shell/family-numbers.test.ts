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

test('a family of no versions, which would lose its cells, is not made', async () => {
  const refusal = 'Maximum versions must be positive'
  await printed("create 'kept', 'f'", "put 'kept', 'r', 'f:q', 'v'")
  for (const number of [0, -1]) {
    expect(await printed(`create 'none', {NAME => 'f', VERSIONS => ${number}}`)).toContain(refusal)
    expect(await printed(`alter 'kept', NAME => 'f', VERSIONS => ${number}`)).toContain(refusal)
  }
  expect(await printed("exists 'none'")).toContain('does not exist')
  expect(await printed("scan 'kept'")).toContain('value=v')
  expect(await printed("alter 'kept', NAME => 'f', VERSIONS => 1")).not.toContain('ERROR')
})

test('a family has at least one copy of its files, or as many as the file system makes', async () => {
  const refusal = 'DFS replication factor cannot be less than 1 if explicitly set.'
  expect(await printed("create 'copies', {NAME => 'f', DFS_REPLICATION => -2}")).toContain(refusal)
  expect(await printed("create 'copies', {NAME => 'f', DFS_REPLICATION => 0}")).not.toContain('ERROR')
})
