/** `tidegate user add` where no person can be asked. */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isPassword } from '../../../src/gateway/identity/guard/passwords/passwords.ts'
import { readUsers } from '../../../src/gateway/identity/guard/passwords/users-file.ts'
import { MAIN } from '../../harness/tidegate-process.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'user-command-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function addUser(name: string, input: string, variable: string): { code: number | null; said: string } {
  const env = { ...process.env, TIDEGATE_PASSWORD: variable }
  const args = [MAIN, 'user', 'add', name, '--users', join(folder, 'users')]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { input, env, encoding: 'utf8' })
  return { code: status, said: stdout + stderr }
}

async function has(name: string, password: string): Promise<boolean> {
  const stored = readUsers(join(folder, 'users')).get(name)
  return stored !== undefined && isPassword(password, stored)
}

test('takes the password of stdin, or else that of TIDEGATE_PASSWORD', async () => {
  expect(addUser('alice', 'of-the-pipe\n', 'of-the-variable').code).toBe(0)
  expect(await has('alice', 'of-the-pipe')).toBe(true)
  expect(addUser('bob', '', 'of-the-variable').code).toBe(0)
  expect(await has('bob', 'of-the-variable')).toBe(true)
})

test('says where a password comes from where there is none, and which one is too short', () => {
  const none = addUser('carol', '', '')
  expect(none).toMatchObject({
    code: 2,
    said: expect.stringContaining('write it to stdin, or state TIDEGATE_'),
  })
  const short = addUser('carol', '', 'short')
  expect(short).toMatchObject({ code: 2, said: expect.stringContaining('the password has 5 characters') })
  expect(readUsers(join(folder, 'users')).has('carol')).toBe(false)
})
