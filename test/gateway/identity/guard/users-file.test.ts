import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  isPassword,
  parseStoredPassword,
} from '../../../../src/gateway/identity/guard/passwords/passwords.ts'
import {
  isUserName,
  readUsers,
  removeUser,
  UsersFile,
  writeUser,
} from '../../../../src/gateway/identity/guard/passwords/users-file.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidegate-users-'))
  path = join(folder, 'users')
})

afterEach(() => rmSync(folder, { recursive: true }))

test('a user has the last password that was set, and no reader of the file learns it', async () => {
  await writeUser(path, 'alice', 'first password')
  await writeUser(path, 'jürgen', 'pässwörd €')
  await writeUser(path, 'alice', 'second password')
  const users = readUsers(path)
  expect([...users.keys()].sort()).toEqual(['alice', 'jürgen'])
  expect(await isPassword('second password', users.get('alice')!)).toBe(true)
  expect(await isPassword('first password', users.get('alice')!)).toBe(false)
  expect(await isPassword('pässwörd €'.normalize('NFD'), users.get('jürgen')!)).toBe(true)
  expect(readFileSync(path, 'utf8')).not.toContain('password')
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a user who is removed is gone, and comments stay', async () => {
  writeFileSync(path, '# our users\n')
  await writeUser(path, 'alice', 'a password')
  await writeUser(path, 'alice2', 'a password')
  expect(removeUser(path, 'alice')).toBe(true)
  expect(removeUser(path, 'alice')).toBe(false)
  expect([...readUsers(path).keys()]).toEqual(['alice2'])
  expect(readFileSync(path, 'utf8')).toMatch(/^# our users\n/)
})

test('a file that is not one is refused by its line, and never written over', async () => {
  await writeUser(path, 'alice', 'a password')
  const sound = readFileSync(path, 'utf8')
  for (const line of ['alice', ':x', 'bob:plain', 'bob:scrypt$1$1$1$AA$AA', 'b b:x', sound.trim()]) {
    writeFileSync(path, `${sound}${line}\n`)
    expect(() => readUsers(path)).toThrow('line 2')
    await expect(writeUser(path, 'bob', 'a password')).rejects.toThrow('line 2')
    expect(readFileSync(path, 'utf8')).toBe(`${sound}${line}\n`)
  }
  expect(() => readUsers(join(folder, 'missing'))).toThrow(
    /there is no file .*missing: make it with "tidegate user add/,
  )
})

test('names that HTTP and HBase can tell from others', () => {
  for (const name of ['alice', 'a@b.example', 'jürgen', 'cn=alice,o=x']) expect(isUserName(name)).toBe(true)
  for (const name of ['', 'a:b', 'a b', '@group', '#a', 'a\n', 'a\0', 'x'.repeat(256)])
    expect(isUserName(name)).toBe(false)
})

test('of all texts, only those of a stored password are read as one', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(parseStoredPassword(text)).toBeUndefined()
    }),
  )
})

test('changes count at once; a broken file leaves the users as they were', async () => {
  await writeUser(path, 'alice', 'a password')
  let changes = 0
  const users = new UsersFile(path, pino({ level: 'silent' }), () => changes++, 3_600_000)
  await writeUser(path, 'bob', 'a password')
  users.look()
  expect([changes, users.get('bob') === undefined]).toEqual([1, false])
  writeFileSync(path, 'nonsense\n')
  users.look()
  expect([changes, users.get('bob') === undefined]).toEqual([1, false])
  expect(users.trouble).toMatch(/removed ones may still come in: .* line 1 is not NAME:PASSWORD/)
  writeFileSync(path, '')
  users.look()
  expect([changes, users.get('bob') === undefined]).toEqual([1, false])
  expect(users.trouble).toMatch(/is empty/)
  writeFileSync(path, '# no users\n')
  users.look()
  expect([changes, users.get('bob'), users.trouble]).toEqual([2, undefined, undefined])
  users.close()
})

const IS_ROOT = process.getuid?.() === 0
const [OWNER, GROUP, STRANGER] = [54_321, 54_322, 12_345]

test.runIf(process.platform !== 'win32')('a file keeps its mode, and a link to it stays one', async () => {
  const link = join(folder, 'link')
  writeFileSync(path, '')
  chmodSync(path, 0o640)
  symlinkSync('users', link)
  await writeUser(link, 'alice', 'a password')
  expect([...readUsers(path).keys()]).toEqual(['alice'])
  expect(statSync(path).mode & 0o777).toBe(0o640)
  expect(lstatSync(link).isSymbolicLink()).toBe(true)
  expect(readdirSync(folder).sort()).toEqual(['link', 'users'])
})

test.runIf(IS_ROOT)("a file that root changes stays its owner's", async () => {
  await writeUser(path, 'alice', 'a password')
  chownSync(path, OWNER, GROUP)
  expect(removeUser(path, 'alice')).toBe(true)
  const { uid, gid } = statSync(path)
  expect([uid, gid]).toEqual([OWNER, GROUP])
})

test.runIf(IS_ROOT)("a file that could not stay its owner's is not changed", async () => {
  await writeUser(path, 'alice', 'a password')
  const before = readFileSync(path, 'utf8')
  chmodSync(path, 0o666)
  chmodSync(folder, 0o777)
  chownSync(path, OWNER, GROUP)
  process.seteuid!(STRANGER)
  try {
    expect(() => removeUser(path, 'alice')).toThrow(`it is of user ${OWNER} and group ${GROUP}`)
  } finally {
    process.seteuid!(0)
  }
  expect(readFileSync(path, 'utf8')).toBe(before)
  expect(readdirSync(folder)).toEqual(['users'])
})

test.runIf(IS_ROOT)(
  'an unreadable file is reported with its remedy, and read once that is possible',
  async () => {
    await writeUser(path, 'alice', 'a password')
    chmodSync(folder, 0o755)
    chownSync(path, STRANGER, GROUP)
    process.seteuid!(STRANGER)
    let users: UsersFile
    try {
      users = new UsersFile(path, pino({ level: 'silent' }), () => undefined, 3_600_000)
      process.seteuid!(0)
      chownSync(path, 0, 0)
      process.seteuid!(STRANGER)
      users.look()
      expect(users.trouble).toMatch(/removed ones may still come in: .*EACCES.*"chown 12345 .*users"/)
      process.seteuid!(0)
      chownSync(path, STRANGER, GROUP)
      process.seteuid!(STRANGER)
      users.look()
      expect(users.trouble).toBeUndefined()
    } finally {
      process.seteuid!(0)
    }
    users.close()
  },
)
