import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openShellOnServer, type ShellOnServer } from './shell-on-server.ts'

let shell: ShellOnServer

beforeAll(async () => {
  shell = await openShellOnServer('memory', { authorization: true, insecure: true, superuser: 'tester' })
  await shell.run(["create 't1', 'f'", "create 't2', 'f'", "create_namespace 'ns'", "create 'ns:t1', 'f'"])
  await shell.run(["grant 'bob', 'R', 't1'", "grant 'bob', 'RW', 't2', 'f'", "grant 'bob', 'A', '@ns'"])
})

afterAll(() => shell.close())

/** The permissions that the shell prints for a command. */
async function printed(command: string): Promise<string[]> {
  const { output } = await shell.run([command])
  expect(output).not.toContain('ERROR')
  return [...output.matchAll(/^ bob +(\S+): \[Permission: actions=(\S+)\]$/gm)].map(
    ([, place, actions]) => `${place} ${actions}`,
  )
}

test('user_permission takes a regular expression of tables, or of namespaces', async () => {
  const [first, second] = [',t1,, READ', ',t2,f, READ,WRITE']
  expect(await printed("user_permission '.*'")).toEqual([first, second])
  expect(await printed("user_permission 't1'")).toEqual([first])
  expect(await printed("user_permission 't[0-9]'")).toEqual([first, second])
  expect(await printed("user_permission 'none.*'")).toEqual([])
  expect(await printed("user_permission '@n.*'")).toEqual(['ns,,, ADMIN'])
})

test('revoked permissions are not listed any more', async () => {
  await shell.run(["grant 'bob', 'W', 'ns:t1'"])
  expect(await printed("user_permission 'ns:.*'")).toEqual([',ns:t1,, WRITE'])
  await shell.run(["revoke 'bob', 'ns:t1'"])
  expect(await printed("user_permission 'ns:.*'")).toEqual([])
  expect((await shell.run(["user_permission '.*'"])).output).not.toContain('ERROR')
})

test('grant and revoke refuse a namespace that is not there, of which nothing is kept', async () => {
  for (const command of ["grant 'bob', 'R', '@later'", "revoke 'bob', '@later'"])
    expect((await shell.run([command])).output).toContain("ERROR: Can't find a namespace: later")
  await shell.run(["create_namespace 'later'"])
  expect(await printed("user_permission '@later'")).toEqual([])
})

test('list_namespace_tables shows a user without ADMIN the tables that he may see', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tidegate-shell-'))
  const started = (superuser: string): Promise<ShellOnServer> =>
    openShellOnServer(`native:${folder}`, { authorization: true, insecure: true, superuser })
  const before = await started('tester')
  await before.run([
    "create 'mine', 'f'",
    "create 'hidden', 'f'",
    "revoke 'tester', 'hidden'",
    "create_namespace 'ns'",
  ])
  await before.close()
  const asUser = await started('root')
  try {
    const listed = async (namespace: string): Promise<string> =>
      (await asUser.run([`list_namespace_tables '${namespace}'`])).output
    expect(await listed('default')).toMatch(/^TABLE\nmine\n1 row\(s\)$/m)
    for (const namespace of ['ns', 'hbase']) expect(await listed(namespace)).toMatch(/^TABLE\n0 row\(s\)$/m)
    expect(await listed('none')).toContain('ERROR')
  } finally {
    await asUser.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
