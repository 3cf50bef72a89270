/** The form in which every setting of `tidegate serve` is stated, once: settings-table.ts has them all. */

import { Option } from 'commander'
import { RepeatableOption } from '../flags/given-once.ts'
import { parseYesNo } from '../flags/yes-no.ts'

/** The headings of `tidegate serve --help`. */
export type SettingGroup =
  | 'Store'
  | 'Cluster'
  | 'Doors'
  | 'Log and traces'
  | 'Encryption'
  | 'Logins'
  | 'Permissions'
  | 'Tests'
  | 'Limits'

/** A flag, a variable and perhaps a key of hbase-site.xml. Its name in the table is the library's name of the option. */
export interface Setting<Value> {
  readonly group: SettingGroup
  /** The value after the flag, for help: `<port>`. In brackets where the flag alone means yes. */
  readonly takes: string
  /** A sentence for help. */
  readonly about: string
  /** Absent: the value is the text. Throws InvalidArgumentError. `before`: the default, or the value so far of a flag that repeats. */
  parse?(text: string, before: Value): Value
  /** The only texts that are values; absent: any text. */
  readonly choices?: readonly Value[]
  /** The default value. */
  readonly fallback: Value
  /** The default in words, for help; absent: the value itself. */
  readonly fallbackText?: string
  /** A flag of one letter that means the same. */
  readonly letter?: string
  /** True: the flag may be repeated, and `parse` keeps the earlier values. */
  readonly repeats?: true
  /** Absent: `TIDEGATE_` and the flag in capitals. */
  readonly variable?: string
  /** Absent: no key of hbase-site.xml states it. */
  readonly key?: SettingKey<Value>
}

export interface SettingKey<Value> {
  /** HBase's key. */
  readonly name: string
  /** Absent: the value is read as the flag's. Throws InvalidArgumentError. */
  parse?(text: string): Value
  /** True: in front of a cluster the key is a setting of the cluster's servers, and Tidegate ignores it. */
  readonly isOfCluster?: true
}

/** Where a value comes from: a flag (`cli`), a variable (`env`) or the file of `--config`. */
export type Source = 'default' | 'cli' | 'env' | 'config'

/** A setting for each field. */
export type SettingsOf<Values> = { readonly [Name in keyof Values]-?: Setting<Values[Name]> }

/** A flag that may stand alone, for yes. A variable that says no must not mean yes, so that both read a word. */
export function yesNo(group: SettingGroup, about: string, key?: SettingKey<boolean>): Setting<boolean> {
  return { group, takes: '[yes]', about, parse: parseYesNo, fallback: false, ...(key && { key }) }
}

/** `accessLog` as `--access-log`. */
export function flagOf(name: string): string {
  return `--${kebab(name)}`
}

/** `accessLog` as `TIDEGATE_ACCESS_LOG`. */
export function variableOf(name: string, { variable }: Pick<Setting<unknown>, 'variable'>): string {
  return variable ?? `TIDEGATE_${kebab(name).replaceAll('-', '_').toUpperCase()}`
}

function kebab(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** The option of commander. */
export function optionFor(name: string, setting: Setting<unknown>): Option {
  const { group, takes, about, choices, fallback, fallbackText, letter, repeats } = setting
  const flags = `${letter === undefined ? '' : `-${letter}, `}${flagOf(name)} ${takes}`
  const option = repeats === true ? new RepeatableOption(flags, about) : new Option(flags, about)
  option.env(variableOf(name, setting)).helpGroup(`${group}:`)
  if (takes.startsWith('[')) option.preset('true')
  if (choices !== undefined) option.choices(choices.map(String))
  if (setting.parse !== undefined) option.argParser((text, before) => setting.parse!(text, before))
  return fallback === undefined ? option : option.default(fallback, fallbackText)
}
