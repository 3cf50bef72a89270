/** The values that an operator states for `tidegate serve`, each from its flag, its variable or the file of `--config`. */

import type { Command } from 'commander'
import { messageOf } from '../../model/message-of.ts'
import { UsageError } from '../failures/usage-error.ts'
import { readConfigFile } from './config-file.ts'
import { optionFor, type Source } from './setting.ts'
import {
  KEYED_SETTINGS,
  SETTING_NAMES,
  SETTINGS,
  type SettingName,
  type SettingValues,
} from './settings-table.ts'
import type { Environment } from './trace-options.ts'

export interface StatedValues {
  readonly values: SettingValues
  readonly sourceOf: (name: SettingName) => Source
  /** The properties of the file of `--config`, by key. */
  readonly ofFile: ReadonlyMap<string, string>
  /** Empty for programs that use the library: their options alone count. */
  readonly environment: Environment
}

/** Adds the options of `tidegate serve`. `hasVariables`: the variables of the process count, too. */
export function addServeOptions(command: Command, hasVariables = true): Command {
  for (const name of SETTING_NAMES) {
    const option = optionFor(name, SETTINGS[name])
    if (!hasVariables) delete option.envVar
    command.addOption(option)
  }
  return command.allowExcessArguments(false)
}

/** A flag wins over its variable, the variable over the config file. Throws UsageError. */
export function readValues(command: Command): StatedValues {
  const { config, store } = command.opts<SettingValues>()
  const ofFile = config === undefined ? new Map<string, string>() : readConfigFile(config)
  const sourceOf = (name: SettingName): Source => SOURCES.get(command.getOptionValueSource(name)) ?? 'default'
  for (const { name, key, setting } of KEYED_SETTINGS) {
    const text = store.kind === 'hbase' && key.isOfCluster === true ? undefined : ofFile.get(key.name)
    if (text === undefined || sourceOf(name) !== 'default') continue
    try {
      const value = key.parse === undefined ? setting.parse?.(text, setting.fallback) : key.parse(text)
      command.setOptionValueWithSource(name, value, 'config')
    } catch (error) {
      throw new UsageError(`${config}: ${key.name} = "${text}" is invalid. ${messageOf(error)}`)
    }
  }
  const hasVariables = command.options.some(({ envVar }) => envVar !== undefined)
  const environment = hasVariables ? process.env : {}
  return { values: command.opts<SettingValues>(), sourceOf, ofFile, environment }
}

const SOURCES: ReadonlyMap<unknown, Source> = new Map(
  (['default', 'cli', 'env', 'config'] as const).map((source) => [source, source]),
)
