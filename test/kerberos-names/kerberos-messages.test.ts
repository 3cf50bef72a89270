/** Messages about Kerberos that no KDC is needed for. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { missingKoffi } from '../../src/kerberos/gss/gss-library.ts'
import { adviceFor } from '../../src/kerberos/gss/kerberos-advice.ts'
import { checkKeytabFile } from '../../src/kerberos/gss/keytab-file.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'keytabs-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function keytab(name: string, bytes: Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return path
}

const check = (path: string) => (): void => checkKeytabFile(path, 'cannot log in as a@R')

test('a keytab that is missing, empty or another file is refused as that, with what makes one', () => {
  expect(check(join(folder, 'none'))).toThrow(/^cannot log in as a@R: ENOENT: .*none.* \(make it by ktadd/)
  expect(check(folder)).toThrow(/^cannot log in as a@R: EISDIR: [^(]*$/)
  const empty = keytab('empty', Buffer.alloc(0))
  expect(check(empty)).toThrow(/: the file is empty \(make it/)
  expect(check(`FILE:${empty}`)).toThrow('the file is empty')
  for (const bytes of [Buffer.from('garbage'), Buffer.from([5]), Buffer.from([5, 4, 0, 0])])
    expect(check(keytab('other', bytes))).toThrow(/: the file is no keytab: .*05 02 \(make it/)
  for (const version of [1, 2]) expect(check(keytab('sound', Buffer.from([5, version])))).not.toThrow()
  expect(check('MEMORY:one')).not.toThrow()
})

test('a package that does not load is named in a line, with the command that brings it', () => {
  let cause: unknown
  try {
    createRequire(import.meta.url)('no-such-package')
  } catch (error) {
    cause = error
  }
  expect(missingKoffi(cause).message).toMatch(
    /^the package koffi, [^\n]* run `npm install --include=optional` [^\n]*\(Cannot find module 'no-such-package'\)$/,
  )
})

test.each([
  ["Can't find client principal a@R in cache collection", '--kerberos-keytab FILE, or get a ticket by kinit'],
  ['Server hbase/h@R not found in Kerberos database', '--server-principal'],
  ['Success', ''],
])('the advice for %s', (message, advice) => {
  expect(adviceFor(message)).toContain(advice)
  expect(adviceFor(message) === '').toBe(advice === '')
})
