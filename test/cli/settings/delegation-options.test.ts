/** The settings of delegation tokens. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parsedSettings } from '../parsed-settings.ts'

const DAY_MS = 86_400_000
const USERS = '--users=users'

test('a native store has a folder for the keys', () => {
  expect(parsedSettings('--store=native:data', USERS).guard!.delegation).toEqual({
    folder: 'data/delegation-keys',
    keyMs: DAY_MS,
    tokenMs: 7 * DAY_MS,
  })
})

test.each(['--store=memory', '--store=hbase:127.0.0.1:2181'])('%s has none unless one is stated', (store) => {
  expect(parsedSettings(store, USERS).guard!.delegation).toBeUndefined()
  expect(parsedSettings(store, USERS, '--delegation-keys=keys').guard!.delegation).toMatchObject({
    folder: 'keys',
  })
})

test("the times are flags, or HBase's keys in milliseconds", () => {
  const flags = ['--delegation-key-interval=12h', '--delegation-token-lifetime=3d']
  const times = { keyMs: DAY_MS / 2, tokenMs: 3 * DAY_MS }
  expect(parsedSettings(USERS, ...flags).guard!.delegation).toMatchObject(times)
  const folder = mkdtempSync(join(tmpdir(), 'site-'))
  try {
    const site = join(folder, 'hbase-site.xml')
    const properties = [
      ['hbase.auth.key.update.interval', 43_200_000],
      ['hbase.auth.token.max.lifetime', 259_200_000],
    ].map(([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`)
    writeFileSync(site, `<configuration>${properties.join('')}</configuration>`)
    expect(parsedSettings(USERS, `--config=${site}`).guard!.delegation).toMatchObject(times)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each(['0', '999', '4000d', 'soon', '-1'])('a lifetime of %s is refused', (text) => {
  expect(() => parsedSettings(USERS, `--delegation-token-lifetime=${text}`)).toThrow('It must be')
})

test('without logins there are no tokens', () => {
  expect(parsedSettings('--store=native:data').guard).toBeUndefined()
})
