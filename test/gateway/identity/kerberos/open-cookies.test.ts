import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openCookies } from '../../../../src/gateway/identity/kerberos/open-cookies.ts'

const folder = mkdtempSync(join(tmpdir(), 'tidegate-cookies-'))
afterAll(() => rmSync(folder, { recursive: true }))

const SETTINGS = { secretFile: undefined, validitySeconds: 60, domain: undefined, path: undefined }

test('without a file the secret is the server’s own', () => {
  const first = openCookies(SETTINGS)
  expect(first).toMatchObject({ validityMs: 60_000, domain: undefined, path: '/' })
  expect(first.secret).toHaveLength(32)
  expect(openCookies(SETTINGS).secret).not.toEqual(first.secret)
  const secret = new Uint8Array(32).fill(7)
  expect(openCookies({ ...SETTINGS, secret }).secret).toEqual(Buffer.from(secret))
})

test('of a file all bytes count, as in Hadoop, and go before a secret of the server’s own', () => {
  const secretFile = join(folder, 'secret')
  writeFileSync(secretFile, 'a secret of HBase\n')
  const { secret } = openCookies({ ...SETTINGS, secretFile, secret: new Uint8Array(32) })
  expect(secret.toString()).toBe('a secret of HBase\n')
})

test('a file that is short or not there is refused', () => {
  const secretFile = join(folder, 'short')
  writeFileSync(secretFile, 'hadoop\n')
  expect(() => openCookies({ ...SETTINGS, secretFile })).toThrow(/short has 7 bytes: it must have 16 or more/)
  expect(() => openCookies({ ...SETTINGS, secretFile: join(folder, 'absent') })).toThrow(
    /absent: .*no such file/,
  )
})
