import { expect, test } from 'vitest'
import { type ConfigFiles, defaultRealm } from '../../src/kerberos/names/default-realm.ts'

function realmOf(files: Readonly<Record<string, string>>, paths = '/krb5.conf'): string | undefined {
  const folders: ConfigFiles = {
    read: (path) => files[path] ?? missing(path),
    list: (folder) =>
      Object.keys(files)
        .filter((path) => path.startsWith(`${folder}/`))
        .map((path) => path.slice(folder.length + 1)),
  }
  return defaultRealm(paths, folders)
}

function missing(path: string): never {
  throw new Error(`no ${path}`)
}

test.each([
  ['[libdefaults]\n  default_realm = EXAMPLE.COM\n', 'EXAMPLE.COM'],
  ['# [libdefaults]\n[libdefaults]\r\n\tdefault_realm=R\r\n', 'R'],
  ['[libdefaults]\n default_realm = "Q"\n default_realm = LATER\n', 'Q'],
  ['[libdefaults]\n # default_realm = C\n ; default_realm = D\n', undefined],
  ['[realms]\n default_realm = WRONG\n', undefined],
  ['[libdefaults]\n dns = x\n[realms]\n R = {\n }\n[libdefaults]\n default_realm = SECOND\n', 'SECOND'],
  ['[libdefaults]\n default_realms = X\n', undefined],
  ['', undefined],
])('%j', (text, realm) => {
  expect(realmOf({ '/krb5.conf': text })).toBe(realm)
})

const OF = (realm: string): string => `[libdefaults]\n default_realm = ${realm}\n`

test('files that a file includes count where they stand', () => {
  expect(realmOf({ '/krb5.conf': `include /a\n${OF('B')}`, '/a': OF('A') })).toBe('A')
  expect(realmOf({ '/krb5.conf': `${OF('B')}include /a\n`, '/a': OF('A') })).toBe('B')
  const folder = {
    '/d/b.conf': OF('B'),
    '/d/a': OF('A'),
    '/d/0.rpmsave': OF('OLD'),
    '/d/.hidden.conf': OF('H'),
  }
  expect(realmOf({ '/krb5.conf': 'includedir /d\n', ...folder })).toBe('A')
  expect(realmOf({ '/krb5.conf': 'include /krb5.conf\n' })).toBeUndefined()
})

test('the first of several files with a realm counts, and one that is not there is none', () => {
  const files = { '/a': '[realms]\n', '/b': OF('B'), '/c': OF('C') }
  expect(realmOf(files, '/absent:/a:/b:/c')).toBe('B')
  expect(realmOf(files, '/absent')).toBeUndefined()
})
