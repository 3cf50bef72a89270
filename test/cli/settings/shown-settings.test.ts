import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { expect, test } from 'vitest'
import { readServeSettings } from '../../../src/cli/settings/serve-options.ts'
import { flagOf } from '../../../src/cli/settings/setting.ts'
import { SETTING_NAMES } from '../../../src/cli/settings/settings-table.ts'
import { addServeOptions } from '../../../src/cli/settings/stated-values.ts'
import type { ShownSetting } from '../../../src/doors/web/status/server-facts.ts'
import { inTemporaryFolder } from '../../harness/tidegate-process.ts'

function shown(...args: string[]): ReadonlyMap<string, ShownSetting> {
  const command = addServeOptions(new Command('serve')).exitOverride()
  const { shown: settings } = readServeSettings(command.parse(args, { from: 'user' }))
  return new Map(settings.map((setting) => [setting.name, setting]))
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

test('passwords, tokens and the logins in addresses are hidden', () => {
  const all = shown(
    '--store',
    'hbase:127.0.0.1:2181',
    '-D',
    'hbase.zookeeper.ssl.trustStore.location=/tmp/trust.p12',
    '-D',
    'hbase.rpc.tls.truststore.password=open sesame',
    '--jwt-key-set',
    'https://reader:open-sesame@keys.example/set?token=open-sesame',
  )
  expect(JSON.stringify([...all])).not.toMatch(/open.sesame/)
  expect(all.get('hbase.rpc.tls.truststore.password')!.value).toBe('(hidden)')
  expect(all.get('--jwt-key-set')!.value).toBe('https://keys.example/set (hidden)')
})
