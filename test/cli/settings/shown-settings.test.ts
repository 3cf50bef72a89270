import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { readServeSettings, type ServeSettings } from '../../../src/cli/settings/serve-options.ts'
import { flagOf } from '../../../src/cli/settings/setting.ts'
import { SETTING_NAMES } from '../../../src/cli/settings/settings-table.ts'
import { addServeOptions } from '../../../src/cli/settings/stated-values.ts'
import type { ShownSetting } from '../../../src/doors/web/status/server-facts.ts'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'

function settingsOf(...args: string[]): ServeSettings {
  const command = addServeOptions(new Command('serve')).exitOverride()
  return readServeSettings(command.parse(args, { from: 'user' }))
}

function shown(...args: string[]): ReadonlyMap<string, ShownSetting> {
  return new Map(settingsOf(...args).shown.map((setting) => [setting.name, setting]))
}

function property(name: string, value: string): string {
  return `<property><name>${name}</name><value>${value}</value></property>`
}

test('every setting is shown with its value, its default and where the value comes from', () =>
  inTemporaryFolder(async (folder) => {
    const config = join(folder, 'site.xml')
    writeFileSync(
      config,
      `<configuration>${property('hbase.rest.port', '8123')}${property('hbase.rest.readonly', 'true')}${property('hbase.unknown', '1')}</configuration>`,
    )
    process.env['TIDEGATE_SCANNERS_MAX'] = '77'
    try {
      const all = shown('--store', 'memory', '--config', config, '--slow-log-ms', '50')
      expect([...all.keys()]).toEqual(
        expect.arrayContaining(SETTING_NAMES.filter((name) => name !== 'define').map(flagOf)),
      )
      expect(all.get('--slow-log-ms')).toMatchObject({ value: '50', source: 'flag', isDefault: false })
      expect(all.get('--scanners-max')).toMatchObject({
        value: '77',
        source: 'variable TIDEGATE_SCANNERS_MAX',
      })
      expect(all.get('--rest')).toMatchObject({
        value: '8123',
        fallback: '8080',
        source: `hbase.rest.port in ${config}`,
      })
      expect(all.get('hbase.rest.readonly')).toMatchObject({ value: 'true', source: config })
      expect(all.has('hbase.unknown')).toBe(false)
      expect(all.get('--host')).toMatchObject({ source: 'default', isDefault: true })
      expect(all.get('--users')).toMatchObject({ value: '', isDefault: true })
      // The value that counts, which depends on other settings.
      expect(Number(all.get('--block-cache')!.value)).toBeGreaterThan(0)
    } finally {
      delete process.env['TIDEGATE_SCANNERS_MAX']
    }
  }))

test.each<['shown' | 'stated']>([['shown'], ['stated']])(
  'passwords, tokens and the logins in addresses are hidden: %s',
  (name) => {
    const settings = settingsOf(
      '--store',
      'hbase:127.0.0.1:2181',
      '-D',
      'hbase.rpc.tls.truststore.location=/tmp/trust.p12',
      '-D',
      'hbase.rpc.tls.truststore.password=open sesame',
      '-D',
      'hbase.rest.ssl.keystore.keypassword=open sesame',
      '--jwt-key-set',
      'https://reader:open-sesame@keys.example/set?token=open-sesame',
      '--otlp-endpoint',
      'http://collector.example/?key=open-sesame',
    )[name]
    const text = JSON.stringify(settings)
    expect(text).not.toMatch(/open.sesame/)
    expect(text).toContain('https://keys.example/set (hidden)')
    expect(text).toContain('http://collector.example/ (hidden)')
    expect(text).toContain('/tmp/trust.p12')
  },
)

test('the path of a secret, and how long a token counts, are no secrets', () => {
  const all = shown(
    '-D',
    'hbase.rest.authentication.signature.secret.file=/etc/cookies',
    '-D',
    'hbase.rest.authentication.token.validity=70',
  )
  expect(all.get('hbase.rest.authentication.signature.secret.file')!.value).toBe('/etc/cookies')
  expect(all.get('hbase.rest.authentication.token.validity')!.value).toBe('70')
})
