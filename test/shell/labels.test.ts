import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShellOnServer, type ShellOnServer } from './shell-on-server.ts'

let shell: ShellOnServer
beforeAll(async () => {
  shell = await openShellOnServer('memory', { visibilityLabels: true, superuser: 'tester', insecure: true })
})
afterAll(() => shell.close())

async function printed(...lines: string[]): Promise<string> {
  const { output } = await shell.run(lines)
  return output.replaceAll(/^(hbase:\d+:0> .*|Took .*)\n/gm, '').replaceAll(/hbase:\d+:0> .*\n?/g, '')
}

test('labels are added, assigned, listed and removed', async () => {
  await printed("add_labels ['secret', 'public'], 'third'", "set_auths 'bob', ['secret', 'third']")
  expect(await printed("get_auths 'bob'")).toContain('secret')
  await printed("clear_auths 'bob', 'third'")
  const auths = await printed("get_auths 'bob'")
  expect(auths).toContain('secret')
  expect(auths).not.toContain('third')
  const labels = await printed("list_labels '.*c.*'")
  expect(labels).toContain('secret')
  expect(labels).toContain('public')
  expect(labels).not.toContain('third')
})

test('a label that is there is refused', async () => {
  await printed("add_labels 'twice'")
  expect(await printed("add_labels 'twice'")).toContain("Label 'twice' already exists")
})

test('cells get labels by put and by set_visibility', async () => {
  await printed("add_labels 'mine'", "create 't', 'f'")
  await printed("put 't', 'r', 'f:a', '1', {VISIBILITY => 'mine'}", "put 't', 'r', 'f:b', '2'")
  expect(await printed("set_visibility 't', '!mine', {COLUMNS => ['f:b']}")).toContain('1 row(s)')
  expect(await printed("put 't', 'r', 'f:c', '3', {VISIBILITY => 'unknown'}")).toContain(
    'Invalid visibility label unknown',
  )
  const seen = await printed("get 't', 'r', {COLUMN => 'f', AUTHORIZATIONS => ['mine']}")
  expect(seen).toContain('f:a')
})

test('a server without labels says so', async () => {
  const plain = await openShellOnServer('memory')
  const { output } = await plain.run(["add_labels 'a'"])
  expect(output).toContain('DISABLED: Visibility labels feature is not available')
  await plain.close()
})
