/** How messages name a setting: as the person wrote it. */

import type { Command } from 'commander'
import { type AdvertisedAddress, advertisedText } from './advertise-options.ts'
import type { ServeSettings, StoreSpec } from './serve-options.ts'
import { HBASE_KEYS } from './setting-keys.ts'

/** The settings that can be right in themselves and still keep the server from starting. */
export type NamedSetting = 'store' | 'host' | 'accessLog' | 'auditLog' | 'seed' | keyof ServeSettings['ports']

/** Names a setting with its value: `--rest 8080`, `TIDEGATE_REST=8080`, `hbase.rest.port=8080 in site.xml`. */
export type NameSetting = (setting: NamedSetting) => string

/** For the settings that readServeSettings has read from `command`. */
export function settingNames(command: Command): NameSetting {
  return (setting) => {
    const value = command.getOptionValue(setting) as StoreSpec | string | number
    const text = typeof value === 'object' ? storeText(value) : String(value)
    const source = command.getOptionValueSource(setting)
    if (source === 'env') return `TIDEGATE_${kebab(setting).replaceAll('-', '_').toUpperCase()}=${text}`
    if (source === 'config') {
      return `${HBASE_KEYS[setting]}=${text} in ${String(command.getOptionValue('config'))}`
    }
    return `--${kebab(setting)} ${text}${source === 'default' ? ' (the default)' : ''}`
  }
}

/** `accessLog` as in a flag. */
function kebab(setting: string): string {
  return setting.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The options that are not at their defaults, and `-D KEY` with its value, as text. */
export function statedSettings(
  command: Command,
  defined: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const stated: Record<string, string> = {}
  for (const option of command.options) {
    const name = option.attributeName()
    const value = command.getOptionValue(name) as Parameters<typeof statedText>[0] | undefined
    const source = command.getOptionValueSource(name)
    if (name === 'define' || value === undefined || source === 'default') continue
    stated[name] = statedText(value)
  }
  for (const [key, value] of defined) stated[`-D ${key}`] = value
  return stated
}

function statedText(value: StoreSpec | AdvertisedAddress | string | number | readonly string[]): string {
  if (typeof value !== 'object') return String(value)
  if ('kind' in value) return storeText(value)
  return 'host' in value ? advertisedText(value) : String(value)
}

/** As `--store` has it. */
export function storeText(spec: StoreSpec): string {
  switch (spec.kind) {
    case 'memory':
      return 'memory'
    case 'native':
      return `native:${spec.directory}`
    case 'hbase': {
      const { servers, registry, znodeParent } = spec.cluster
      const list = servers.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`)
      if (list.length === 0) return 'hbase'
      return `hbase:${list.join(',')}${registry === 'zookeeper' ? znodeParent : ''}`
    }
  }
}
