/** The names of settings in messages: as the operator wrote them. */

import { withoutLogin } from '../../model/without-login.ts'
import { advertisedText } from './advertise-options.ts'
import type { DoorName } from './door-ports.ts'
import { withoutSecret } from './secret-values.ts'
import { flagOf, variableOf } from './setting.ts'
import { SETTING_NAMES, SETTINGS, type SettingName, type SettingValues } from './settings-table.ts'
import type { StatedValues } from './stated-values.ts'
import type { StoreSpec } from './store-options.ts'

/** Settings whose values may be valid and still keep the server from starting. */
export type NamedSetting = 'store' | 'host' | 'accessLog' | 'auditLog' | 'archiveLog' | 'seed' | DoorName

/** Names a setting with its value: `--rest 8080`, `TIDEGATE_REST=8080`, `hbase.rest.port=8080 in site.xml`. */
export type NameSetting = (setting: NamedSetting) => string

export function settingNames({ values, sourceOf }: StatedValues): NameSetting {
  return (setting) => {
    const value = values[setting]
    const text = typeof value === 'object' ? storeText(value) : String(value)
    const source = sourceOf(setting)
    if (source === 'env') return `${variableOf(setting, SETTINGS[setting])}=${text}`
    if (source === 'config') return `${SETTINGS[setting].key?.name}=${text} in ${values.config}`
    return `${flagOf(setting)} ${text}${source === 'default' ? ' (the default)' : ''}`
  }
}

/** The options that are not at their defaults, and `-D KEY` with its value, as text without secrets: for the log. */
export function statedTexts(
  { values, sourceOf }: StatedValues,
  defined: ReadonlyMap<string, string>,
): Readonly<Record<string, string>> {
  const stated: Record<string, string> = {}
  for (const name of SETTING_NAMES) {
    if (name === 'define' || sourceOf(name) === 'default') continue
    const value = values[name]
    if (value !== undefined) stated[name] = loggedText(value)
  }
  for (const [key, value] of defined) stated[`-D ${key}`] = withoutSecret(key, value)
  return stated
}

/** As statedText; without secrets. */
function loggedText(value: Parameters<typeof statedText>[0]): string {
  return Array.isArray(value)
    ? value.map((each) => withoutLogin(String(each))).join(',')
    : withoutLogin(statedText(value))
}

/** A value as an operator would write it. */
export function statedText(value: NonNullable<SettingValues[Exclude<SettingName, 'define'>]>): string {
  if (typeof value !== 'object') return String(value)
  if ('kind' in value) return storeText(value)
  return 'host' in value ? advertisedText(value) : String(value)
}

/** The value of `--store`. */
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
