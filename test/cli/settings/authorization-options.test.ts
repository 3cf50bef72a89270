import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, test } from 'vitest'
import { readGroups, watchGroups } from '../../../src/gateway/policies/access/permissions/groups-file.ts'
import { openAuthorization } from '../../../src/gateway/policies/authorization.ts'
import { parsedSettings } from '../parsed-settings.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidegate-authorization-'))
const silent = pino({ level: 'silent' })
afterAll(() => rmSync(folder, { recursive: true }))

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

function property(name: string, value: string): string {
  return `<property><name>${name}</name><value>${value}</value></property>`
}

const ON = ['--authorization', '--superuser', 'root,@admins']

test('nobody is asked for permissions unless a setting says so', () => {
  expect(parsedSettings()).toMatchObject({ authorization: undefined, open: [] })
  expect(parsedSettings('--authorization', 'no').authorization).toBeUndefined()
  expect(parsedSettings(...ON, '--users', 'users', '--groups', 'groups')).toMatchObject({
    authorization: { superusers: ['root', '@admins'], groups: 'groups' },
    open: [],
  })
})

test('a server without logins has no permissions, unless a flag insists', () => {
  expect(() => parsedSettings(...ON)).toThrow(
    '--authorization: clients need no login, so that each could call itself a superuser; give --users FILE',
  )
  const { authorization, open } = parsedSettings(...ON, '--insecure')
  expect(authorization).toEqual({ superusers: ['root', '@admins'], groups: undefined })
  expect(open).toEqual([expect.stringContaining('without a password')])
})

test.each([
  [['--authorization', '--users', 'users'], '--authorization needs --superuser NAME'],
  [
    ['--superuser', 'root'],
    '--superuser and --groups need --authorization or --visibility-labels: without them any user',
  ],
  [
    ['--groups', 'groups'],
    '--superuser and --groups need --authorization or --visibility-labels: without them any user',
  ],
  [[...ON, '--superuser', 'a,,b'], 'It must be names with commas between them'],
  [['-D', 'hbase.security.authorization=true'], 'use --authorization'],
])('%j is refused', (args, reason) => {
  expect(() => parsedSettings(...args)).toThrow(reason)
})

test('an hbase-site.xml says it with the keys of HBase, and means a cluster’s own permissions where it names one', () => {
  const site = file(
    'site.xml',
    `<configuration>${property('hbase.security.authorization', 'true')}${property('hbase.superuser', 'root')}</configuration>`,
  )
  expect(parsedSettings('--config', site, '--users', 'users').authorization?.superusers).toEqual(['root'])
  const ofCluster = parsedSettings('--config', site, '--users', 'users', '--store', 'hbase:zk:2181')
  expect(ofCluster.authorization).toBeUndefined()
})

test('a groups file has a line for each group', () => {
  const groups = readGroups(file('groups', '# people\nreaders: alice , bob\n\nwriters:bob,bob\nempty:\n'))
  expect([...groups]).toEqual([
    ['alice', ['readers']],
    ['bob', ['readers', 'writers']],
  ])
  for (const wrong of ['readers', ': alice', '@readers: alice', 'a: x\na: y'])
    expect(() => readGroups(file('wrong', wrong))).toThrow(/wrong: line \d/)
  expect(() => readGroups(join(folder, 'none'))).toThrow('cannot be read')
})

test('groups that change count at once, and those that cannot be read do not', () => {
  const path = file('changing', 'admins: alice')
  const authorization = openAuthorization({ superusers: ['@admins'], groups: path }, silent)
  const { subjects } = authorization
  expect(subjects.of('alice').isSuperuser).toBe(true)
  authorization.close()
  const watched = watchGroups(path, silent, (memberships) => subjects.regroup(memberships), 100_000)
  file('changing', 'admins: bob, carol')
  watched.look()
  expect([subjects.of('alice').isSuperuser, subjects.of('bob').isSuperuser]).toEqual([false, true])
  file('changing', 'admins without a colon')
  watched.look()
  expect(subjects.of('bob').isSuperuser).toBe(true)
  watched.close()
})
