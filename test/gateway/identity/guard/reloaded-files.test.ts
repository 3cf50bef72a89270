/** Users files and groups files that change while the server runs. */

import { EventEmitter, once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storedPassword } from '../../../../src/gateway/identity/guard/passwords/passwords.ts'
import {
  readUsers,
  removeUser,
  UsersFile,
  writeUser,
} from '../../../../src/gateway/identity/guard/passwords/users-file.ts'
import { readGroups, watchGroups } from '../../../../src/gateway/policies/access/permissions/groups-file.ts'
import type { Memberships } from '../../../../src/gateway/policies/access/permissions/subject.ts'

const LOOK_MS = 1 << 30
let folder: string
let path: string
let lines: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-reloaded-'))
  path = join(folder, 'file')
  lines = []
})

afterEach(() => rmSync(folder, { recursive: true }))

const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })

function usersFile(changed: () => void = () => undefined): UsersFile {
  return new UsersFile(path, logger, changed, LOOK_MS)
}

test('an empty file leaves the users as they were, one with a comment has none', async () => {
  await writeUser(path, 'alice', 'a password')
  let changes = 0
  const users = usersFile(() => changes++)
  writeFileSync(path, '')
  users.look()
  expect([users.get('alice') !== undefined, changes]).toEqual([true, 0])
  expect(lines.join('')).toContain('the users stay as they were')
  writeFileSync(path, '# no users\n')
  users.look()
  expect([users.get('alice'), changes]).toEqual([undefined, 1])
  users.close()
})

test('the last user who is removed is gone', async () => {
  await writeUser(path, 'alice', 'a password')
  const users = usersFile()
  removeUser(path, 'alice')
  users.look()
  expect(users.get('alice')).toBeUndefined()
  users.close()
  await writeUser(path, 'bob', 'a password')
  expect([...readUsers(path).keys()]).toEqual(['bob'])
})

test('many users are read while other work has its turns, and the last change counts', async () => {
  await writeUser(path, 'alice', 'a password')
  const stored = await storedPassword('a password')
  const many = Array.from({ length: 50_000 }, (_, index) => `user${index}:${stored}\n`).join('')
  const changed = new EventEmitter()
  const promise = once(changed, 'changed')
  const users = usersFile(() => changed.emit('changed'))
  writeFileSync(path, many)
  users.look()
  expect(users.get('user0')).toBeUndefined()
  writeFileSync(path, `bob:${stored}\n${many}`)
  users.look()
  let turns = 0
  const count = (): void => {
    turns++
    if (users.get('bob') === undefined) setImmediate(count)
  }
  setImmediate(count)
  await promise
  expect(turns).toBeGreaterThan(2)
  expect(
    [users.get('bob'), users.get('user9999'), users.get('alice')].map((each) => each !== undefined),
  ).toEqual([true, true, false])
  expect(lines.filter((line) => line.includes('users read again'))).toHaveLength(1)
  users.close()
})

test('groups stay where their file is empty, and many are read in turns', async () => {
  writeFileSync(path, 'ops: ann , bob,ann\ndev:bob\n')
  expect(readGroups(path)).toEqual(
    new Map([
      ['ann', ['ops']],
      ['bob', ['ops', 'dev']],
    ]),
  )
  const changed = new EventEmitter()
  const promise = once(changed, 'changed') as Promise<[Memberships]>
  const groups = watchGroups(path, logger, (read) => changed.emit('changed', read), LOOK_MS)
  writeFileSync(path, '')
  groups.look()
  expect(lines.join('')).toContain('the groups stay as they were')
  writeFileSync(path, `all:${Array.from({ length: 10_000 }, (_, index) => `user${index}`).join(',')}\n`)
  groups.look()
  expect(lines.join('')).not.toContain('groups read again')
  const [memberships] = await promise
  expect([memberships.size, memberships.get('user9999')]).toEqual([10_000, ['all']])
  groups.close()
})
