import { Command } from 'commander'
import { type ServeSettings, serveSettings } from '../../src/cli/settings/serve-options.ts'
import { type NameSetting, settingNames } from '../../src/cli/settings/setting-names.ts'
import { addServeOptions, readValues, type StatedValues } from '../../src/cli/settings/stated-values.ts'

/** The values that these arguments state for `tidegate serve`. Throws CommanderError or UsageError, and prints nothing. */
export function statedValues(...args: string[]): StatedValues {
  const command = addServeOptions(new Command('serve'))
    .exitOverride()
    .configureOutput({ writeErr: () => undefined })
  return readValues(command.parse(args, { from: 'user' }))
}

/** The settings of `tidegate serve` with these arguments. Throws as statedValues. */
export function parsedSettings(...args: string[]): ServeSettings {
  return serveSettings(statedValues(...args))
}

/** The names that messages give to the settings of `tidegate serve` with these arguments. */
export function namedSettings(...args: string[]): NameSetting {
  const stated = statedValues(...args)
  serveSettings(stated)
  return settingNames(stated)
}
