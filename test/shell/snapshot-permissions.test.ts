import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShellOnServer, type ShellOnServer } from './shell-on-server.ts'

let folder: string
let shell: ShellOnServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-shell-'))
  const settings = { authorization: true, insecure: true, superuser: 'tester' }
  shell = await openShellOnServer(`native:${folder}`, settings)
  await shell.run([
    "create 't', 'f'",
    "grant 'bob', 'R', 't', 'f'",
    "snapshot 't', 's'",
    "revoke 'bob', 't', 'f'",
  ])
})

afterAll(async () => {
  await shell.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Whether bob may read the table after these commands. */
async function isGranted(table: string, ...commands: string[]): Promise<boolean> {
  const { output } = await shell.run([...commands, `user_permission '${table}'`])
  expect(output).not.toContain('ERROR')
  return / bob +\S+: \[Permission: actions=READ\]/.test(output)
}

test('RESTORE_ACL grants what the snapshot has kept, and nothing else does', async () => {
  expect(await isGranted('c1', "clone_snapshot 's', 'c1', {RESTORE_ACL => true}")).toBe(true)
  expect(await isGranted('c2', "clone_snapshot 's', 'c2', {RESTORE_ACL => false}")).toBe(false)
  expect(await isGranted('c3', "clone_snapshot 's', 'c3'")).toBe(false)
  expect(await isGranted('t', "disable 't'", "restore_snapshot 's'", "enable 't'")).toBe(false)
  const restore = "restore_snapshot 's', {RESTORE_ACL => true}"
  expect(await isGranted('t', "disable 't'", restore, "enable 't'")).toBe(true)
})
