/** Every setting with its value and where the value comes from, for the page of settings. Secrets are hidden. */

import { NATIVE_KEYS } from '../../../adapters/native/options/native-settings.ts'
import type { ShownSetting } from '../../doors/web/status/server-facts.ts'
import { withoutLogin } from '../../model/without-login.ts'
import { withoutSecret } from './secret-values.ts'
import { flagOf, type Setting, variableOf } from './setting.ts'
import { OPTION_KEYS, STORE_KEYS } from './setting-keys.ts'
import { statedText } from './setting-names.ts'
import { SETTING_NAMES, SETTINGS, type SettingName } from './settings-table.ts'
import type { StatedValues } from './stated-values.ts'

const GROUP_OF_KEYS = 'Keys of hbase-site.xml'

/** `effective`: values that the server computes where none is stated. */
export function shownSettings(
  stated: StatedValues,
  defined: ReadonlyMap<string, string>,
  effective: Readonly<Partial<Record<SettingName, number | string>>>,
): readonly ShownSetting[] {
  const ofTable = SETTING_NAMES.filter((name) => name !== 'define').map((name) =>
    shownSetting(name, stated, effective[name]),
  )
  return [...ofTable, ...shownKeys(stated, defined)]
}

function shownSetting(
  name: SettingName,
  stated: StatedValues,
  effective: number | string | undefined,
): ShownSetting {
  const setting: Setting<unknown> = SETTINGS[name]
  const { group, takes, about, fallback, fallbackText } = setting
  const source = stated.sourceOf(name)
  const isDefault = source === 'default'
  const value = isDefault && effective !== undefined ? effective : stated.values[name]
  return {
    group,
    name: flagOf(name),
    takes,
    about,
    value: shownText(value),
    fallback: fallbackText ?? shownText(fallback),
    source: isDefault ? 'default' : sourceText(name, setting, stated),
    isDefault,
  }
}

function sourceText(name: SettingName, setting: Setting<unknown>, stated: StatedValues): string {
  const source = stated.sourceOf(name)
  if (source === 'env') return `variable ${variableOf(name, setting)}`
  if (source === 'config') return `${setting.key?.name} in ${stated.values.config}`
  // Programs that use the library have no variables.
  return stated.environment === process.env ? 'flag' : `option ${name}`
}

/** The stated keys that Tidegate reads, of `-D` and of the config file, but for those of the table. */
function shownKeys(
  { values, sourceOf, ofFile }: StatedValues,
  defined: ReadonlyMap<string, string>,
): ShownSetting[] {
  const ofDefinition = sourceOf('define') === 'env' ? 'variable TIDEGATE_DEFINE' : 'flag -D'
  const keys = new Set([...STORE_KEYS[values.store.kind], ...OPTION_KEYS])
  const ofTable = new Set(SETTING_NAMES.map((name) => (SETTINGS[name] as Setting<unknown>).key?.name))
  const stated = new Map([...ofFile, ...defined])
  return [...stated]
    .filter(([key]) => keys.has(key) && !(ofTable.has(key) && !defined.has(key)))
    .map(([key, value]) => ({
      group: GROUP_OF_KEYS,
      name: key,
      takes: '',
      about: NATIVE_KEYS.includes(key) ? 'of the embedded engine: docs/tuning.md' : '',
      value: withoutSecret(key, value),
      fallback: '',
      source: defined.has(key) ? ofDefinition : String(values.config),
      isDefault: false,
    }))
}

function shownText(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map((each) => withoutLogin(String(each))).join(', ')
  return withoutLogin(statedText(value as Parameters<typeof statedText>[0]))
}
