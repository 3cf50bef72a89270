import { chmodSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { loginWarnings } from '../../../src/cli/serve/login-warnings.ts'
import type { GuardSettings } from '../../../src/gateway/identity/guard/guard.ts'
import { readUsers, writeUser } from '../../../src/gateway/identity/guard/passwords/users-file.ts'
import type { AuthorizationSettings } from '../../../src/gateway/policies/authorization.ts'
import { PemFolder } from '../../harness/certificates.ts'

let folder: PemFolder
let users: string
beforeEach(async () => {
  folder = new PemFolder()
  users = `${folder.path}/users`
  await writeUser(users, 'alice', 'a long password')
})
afterEach(() => folder.remove())

function warnings(superusers: string[], more: Partial<GuardSettings & AuthorizationSettings> = {}): string[] {
  const guard = { users, tokens: undefined, certificates: false, proxyRules: new Map(), ...more }
  const { groups } = more
  return [
    ...loginWarnings(
      guard,
      { superusers, groups },
      guard.users === undefined ? undefined : readUsers(guard.users),
    ),
  ]
}

test('a server whose people can log in is warned of nothing', () => {
  expect(warnings(['alice'])).toEqual([])
  expect(warnings(['alice', '@staff'], { groups: 'file' })).toEqual([])
  expect(warnings(['of a token'], { certificates: true })).toEqual([])
})

test('the users are those that the guard has read, whatever the file has now', async () => {
  const read = readUsers(users)
  await writeUser(users, 'root', 'a long password')
  const guard = { users, certificates: false }
  const words = [expect.stringContaining('--superuser root: ')]
  expect(loginWarnings(guard, { superusers: ['root'], groups: undefined }, read)).toEqual(words)
  expect(loginWarnings(guard, { superusers: ['root'], groups: undefined }, readUsers(users))).toEqual([])
})

test('superusers that nobody can be are named, with the remedy', () => {
  expect(warnings(['root', '@staff'])).toEqual([
    '--superuser @staff: without --groups FILE no user is in this group; give the file, or name a user',
    `--superuser root: ${users} has no such user; add him with "tidegate user add root --users ${users}"`,
  ])
})

test.runIf(process.platform !== 'win32')(
  'a file that every account can read is told, and one of no user',
  () => {
    const empty = folder.file('empty', '# nobody\n')
    chmodSync(empty, 0o644)
    expect(warnings([], { users: empty })).toEqual([
      expect.stringContaining(
        `every account of this machine can read it (mode 644) and guess passwords; chmod 600 ${empty}`,
      ),
      expect.stringContaining('has no user, so that no password is right; add one with "tidegate user add'),
    ])
    chmodSync(empty, 0o640)
    expect(warnings([], { users: empty })).toHaveLength(1)
  },
)

test('rules of proxy users for groups that nobody is in, and of names that nobody has, are told', () => {
  const rule = { users: [], groups: ['staff', '*'], hosts: ['*'] }
  const proxyRules = new Map([
    ['alice', rule],
    ['knox', { ...rule, groups: [] }],
  ])
  expect(warnings([], { proxyRules })).toEqual([
    expect.stringMatching(/^--proxy-user alice for @staff: without --groups FILE no user is in this group/),
    `--proxy-user knox ...: ${users} has no such user; add him with "tidegate user add knox --users ${users}"`,
  ])
  expect(warnings([], { proxyRules, groups: 'file', certificates: true })).toEqual([])
})
